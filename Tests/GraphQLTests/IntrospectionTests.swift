import Bytes
import GraphQL
import JSON
import Testing

/// Introspection (GraphQL 4).
struct IntrospectionTests {
    /// What graphql-js's `getIntrospectionQuery` asks with all its options.
    static let standard: Text = """
        query IntrospectionQuery {
          __schema {
            description
            queryType { name kind }
            mutationType { name kind }
            subscriptionType { name kind }
            types { ...FullType }
            directives {
              name description isRepeatable locations
              args(includeDeprecated: true) { ...InputValue }
            }
          }
        }
        fragment FullType on __Type {
          kind name description specifiedByURL isOneOf
          fields(includeDeprecated: true) {
            name description
            args(includeDeprecated: true) { ...InputValue }
            type { ...TypeRef }
            isDeprecated deprecationReason
          }
          inputFields(includeDeprecated: true) { ...InputValue }
          interfaces { ...TypeRef }
          enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
          possibleTypes { ...TypeRef }
        }
        fragment InputValue on __InputValue {
          name description type { ...TypeRef } defaultValue isDeprecated deprecationReason
        }
        fragment TypeRef on __Type {
          kind name
          ofType { kind name ofType { kind name ofType { kind name ofType { kind name
            ofType { kind name ofType { kind name ofType { kind name ofType { kind name
              ofType { kind name } } } } } } } } }
        }
        """

    private func data(_ document: Text, _ variables: JSONObject = [:]) throws -> JSONValue {
        var chat = try Chat()
        let response = try JSONValue(parsing: chat.run(document, variables))
        #expect(response["errors"] == nil)
        return try #require(response["data"])
    }

    private func named(_ name: Text, in list: JSONValue?) -> JSONValue? {
        list?.items?.first { $0["name"] == .string(name) }
    }

    @Test func `the standard query of tools gets the whole schema`() throws {
        let schema = try #require(try data(Self.standard)["__schema"])
        #expect(schema["queryType"] == ["name": "Query", "kind": "OBJECT"])
        #expect(schema["subscriptionType"]?["name"] == "Subscription")
        let names = schema["types"]?.items?.compactMap { $0["name"]?.text } ?? []
        #expect(
            names.prefix(9) == [
                "Int", "Float", "String", "Boolean", "ID", "Query", "Mutation", "Subscription",
                "Node",
            ])
        #expect(
            names.suffix(8) == [
                "__Schema", "__Type", "__TypeKind", "__Field", "__InputValue", "__EnumValue",
                "__Directive", "__DirectiveLocation",
            ])
        let directives = schema["directives"]?.items?.compactMap { $0["name"]?.text }
        #expect(directives == ["skip", "include", "deprecated", "specifiedBy", "oneOf"])
        let reason = named("deprecated", in: schema["directives"])?["args"]?.items?.first
        #expect(reason?["defaultValue"] == "\"No longer supported\"")
        #expect(reason?["type"]?["kind"] == "NON_NULL")
    }

    @Test func `each kind of type fills the fields that it has`() throws {
        let types = try #require(try data(Self.standard)["__schema"]?["types"])
        let message = named("Message", in: types)
        #expect(message?["kind"] == "OBJECT")
        #expect(message?["interfaces"]?.items?.map { $0["name"] } == ["Node"])
        for field in ["possibleTypes", "enumValues", "inputFields", "isOneOf", "specifiedByURL"]
            as [Text]
        {
            #expect(message?[field] == .some(.null))
        }
        #expect(named("User", in: types)?["interfaces"]?.items?.count == 1)
        #expect(named("Page", in: types)?["interfaces"] == [])
        let node = named("Node", in: types)
        #expect(node?["possibleTypes"]?.items?.map { $0["name"] } == ["Message", "User"])
        #expect(node?["interfaces"] == [])
        let found = named("Found", in: types)
        #expect(found?["kind"] == "UNION" && found?["fields"] == .some(.null))
        #expect(found?["interfaces"] == .some(.null))
        #expect(found?["possibleTypes"]?.items?.count == 2)
        #expect(named("One", in: types)?["isOneOf"] == true)
        #expect(named("Echo", in: types)?["isOneOf"] == false)
        #expect(
            named("Timestamp", in: types)?["specifiedByURL"] == "https://example.org/timestamp")
        let blue = named("BLUE", in: named("Color", in: types)?["enumValues"])
        #expect(blue?["isDeprecated"] == true && blue?["deprecationReason"] == "too cold")
    }

    @Test func `defaults are GraphQL text`() throws {
        let types = try #require(try data(Self.standard)["__schema"]?["types"])
        let echo = named("echo", in: named("Query", in: types)?["fields"])
        #expect(named("color", in: echo?["args"])?["defaultValue"] == "RED")
        #expect(named("need", in: echo?["args"])?["defaultValue"] == "3")
        #expect(named("input", in: echo?["args"])?["defaultValue"] == .some(.null))
        let hello = named("hello", in: named("Query", in: types)?["fields"])
        #expect(named("name", in: hello?["args"])?["defaultValue"] == "\"you\"")
        let fields = named("fields", in: named("__Type", in: types)?["fields"])
        #expect(named("includeDeprecated", in: fields?["args"])?["defaultValue"] == "false")
    }

    @Test func `deprecated members are left out unless asked for`() throws {
        let document: Text = """
            query Q($all: Boolean! = false) {
              __type(name: "Color") { a: enumValues { name } b: enumValues(includeDeprecated: $all) { name } }
            }
            """
        let few = try data(document)["__type"]
        #expect(few?["a"] == [["name": "RED"]] && few?["b"] == [["name": "RED"]])
        let all = try data(document, ["all": true])["__type"]
        #expect(all?["a"]?.items?.count == 1 && all?["b"]?.items?.count == 3)
    }

    @Test func `a type is found by its name or is null`() throws {
        let found = try data(
            """
            query Q($n: String!) {
              a: __type(name: $n) { __typename name fields { name type { kind ofType { name } } } }
              b: __type(name: "Nope") { name }
              c: __schema { __typename t: queryType { name } }
            }
            """, ["n": "Reply"])
        #expect(
            found["a"] == [
                "__typename": "__Type", "name": "Reply",
                "fields": [
                    ["name": "text", "type": ["kind": "NON_NULL", "ofType": ["name": "String"]]],
                    ["name": "author", "type": ["kind": "OBJECT", "ofType": nil]],
                ],
            ])
        #expect(found["b"] == .some(.null))
        #expect(found["c"] == ["__typename": "__Schema", "t": ["name": "Query"]])
    }

    @Test func `introspection stands beside asked fields`() throws {
        var chat = try Chat()
        #expect(
            chat.run("{ a: hello __type(name: \"Page\") { name } b: hello }")
                == #"{"data":{"a":"hello you","__type":{"name":"Page"},"b":"hello you"}}"#)
    }

    @Test func `introspection in circles ends at the response's limit`() throws {
        var chat = try Chat()
        let levels = 8
        let document =
            "{ __schema { types { "
            + String(repeating: "fields { type { ", count: levels) + "name"
            + String(repeating: " } }", count: levels) + " } } }"
        let response = chat.run(
            Text(document), limits: DocumentLimits(responseBytesMax: 1_000_000))
        #expect(response.utf8.count < 1_100_000)
        if !response.hasPrefix("validation:") {
            #expect(
                response.hasPrefix(#"{"data":{"__schema":{"types":[{"#)
                    || response.hasPrefix("{\"data\":null"))
        }
    }
}
