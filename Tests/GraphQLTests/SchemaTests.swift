import Bytes
import GraphQL
import JSON
import Testing

/// Schemas made of definitions (GraphQL 3).
struct SchemaTests {
    private func build(_ text: Text) -> Result<Schema, SchemaProblems> {
        do {
            var builder = SchemaBuilder()
            builder.add(try Document(parsing: text, limits: .schema))
            return .success(try builder.build())
        } catch let problems as SchemaProblems {
            return .failure(problems)
        } catch {
            return .failure(SchemaProblems(errors: []))
        }
    }

    @Test func `types and fields are numbered densely`() throws {
        let schema = try Chat().schema
        for (index, type) in schema.types.enumerated() { #expect(type.id == index) }
        for (index, field) in schema.fields.enumerated() {
            #expect(field.id == index)
        }
        #expect(schema.type(named: "Message")?.fields.count == 7)
        #expect(schema.types.prefix(5).map(\.name) == ["Int", "Float", "String", "Boolean", "ID"])
    }

    @Test func `fields have the sources that were set`() throws {
        let schema = try Chat().schema
        func source(_ type: Text, _ field: Text) -> FieldSource? {
            schema.typeID(type).flatMap { schema.field(named: field, on: $0) }
                .map { schema.fields[$0].source }
        }
        #expect(source("Message", "body") == .slot(1))
        #expect(source("Message", "author") == .ask)
        #expect(source("Query", "hello") == .ask)
        #expect(source("Embedded", "title") == .member("title"))
    }

    @Test func `meta fields are found only where they belong`() throws {
        let schema = try Chat().schema
        let query = schema.queryType
        let subscription = try #require(schema.subscriptionType)
        let union = try #require(schema.typeID("Found"))
        #expect(schema.field(named: "__typename", on: union) != nil)
        #expect(schema.field(named: "__typename", on: subscription) == nil)
        #expect(schema.field(named: "__schema", on: query) != nil)
        #expect(schema.field(named: "__type", on: union) == nil)
        #expect(schema.field(named: "id", on: union) == nil)
    }

    @Test func `extensions add to their types`() throws {
        let schema = try build(
            """
            type Query { a: E } enum E { A } union U = Query input I { a: Int }
            extend type Query { b(e: E = B): Int } extend enum E { B }
            type Other { a: Int } extend union U = Other extend input I { b: E = A }
            """
        ).get()
        #expect(schema.type(named: "Query")?.fields.count == 2)
        #expect(schema.type(named: "E")?.enumValue("B") != nil)
        #expect(schema.type(named: "U")?.possibleTypes.count == 2)
        #expect(schema.type(named: "I")?.inputField("b")?.defaultValue == "A")
    }

    @Test func `defaults within defaults are filled in`() throws {
        let schema = try build(
            """
            type Query { f(a: A = {}, l: [[Int]] = 1): Int }
            input A { b: B = {c: 2} i: ID = 5 } input B { c: Int d: Int! = 3 }
            """
        ).get()
        let field = try #require(schema.field(named: "f", on: schema.queryType))
        #expect(
            schema.fields[field].argument("a")?.defaultValue
                == ["b": ["c": 2, "d": 3], "i": "5"])
        #expect(schema.fields[field].argument("l")?.defaultValue == [[1]])
    }

    static let mistakes: [(Text, String)] = [
        ("type A { a: Int }", "no query root"),
        ("type Query { a: Foo }", "unknown type \"Foo\""),
        ("type Query { a(b: Foo): Int }", "unknown type \"Foo\""),
        ("type Query { a: Int a: Int }", "more than one field \"a\""),
        ("type Query { a(b: Int, b: Int): Int }", "more than one argument \"b\""),
        ("type Query { a: Int } type Query { b: Int }", "more than one type \"Query\""),
        ("type Query { __a: Int }", "two underscores"),
        ("type Query { a: I } input I { a: Int }", "cannot be an output"),
        ("type Query { a(b: Query): Int }", "cannot be an input"),
        ("type Query", "defines nothing"),
        ("type Query { a: Int } enum E { A A }", "more than one value \"A\""),
        ("type Query { a: Int } union U = Int", "not an object type"),
        ("type Query implements Query { a: Int }", "not an interface"),
        ("type Query { a: Int } extend type Foo { a: Int }", "extended but not defined"),
        ("type Query { a: Int } extend enum Query { A }", "another kind"),
        ("type Query { a(b: Int = \"x\"): Int }", "default of \"b\""),
        ("type Query { a(b: E = C): Int } enum E { A }", "default of \"b\""),
        ("type Query { a(b: Int! @deprecated): Int }", "cannot be deprecated"),
        ("type Query { a(i: I = {}): Int } input I { i: I = {} }", "form a cycle"),
        ("schema { query: Q } type Query { a: Int }", "unknown type \"Q\""),
        ("schema { query: A mutation: A } type A { a: Int }", "different from each other"),
        ("schema { query: A } enum A { B }", "must be an object type"),
        ("type Query { a: [[[[[[[[[[[[[[[[Int]]]]]]]]]]]]]]]] }", "more than 15 list levels"),
    ]

    @Test(arguments: mistakes.indices)
    func `a mistake in the definitions is said`(_ index: Int) {
        let (text, message) = Self.mistakes[index]
        guard case .failure(let problems) = build(text) else {
            Issue.record("it was taken")
            return
        }
        #expect(problems.errors.contains { $0.message.contains(message) }, "\(problems)")
    }

    @Test func `types made in code stand beside parsed ones`() throws {
        var builder = SchemaBuilder()
        builder.add(try Document(parsing: "type Message { id: ID! }", limits: .schema))
        builder.add(
            TypeDefinition(
                kind: .object, name: "Root",
                fields: [
                    FieldDefinition(
                        name: "message", type: .nonNull(.named("Message")),
                        arguments: [
                            InputValueDefinition(
                                name: "id", type: .named("ID"), defaultValue: Literal(.int("4")))
                        ])
                ]))
        builder.setRoot(.query, "Root")
        let schema = try builder.build()
        #expect(schema.types[schema.queryType].name == "Root")
        #expect(
            schema.printSDL() == """
                schema {
                  query: Root
                }

                type Message {
                  id: ID!
                }

                type Root {
                  message(id: ID = 4): Message!
                }

                """)
    }

    @Test func `a printed schema reads back as the same schema`() throws {
        let schema = try Chat().schema
        let printed = schema.printSDL()
        let again = try build(Text(printed)).get()
        #expect(again.printSDL() == printed)
        #expect(again.types.map(\.name) == schema.types.map(\.name))
        #expect(printed.contains("color: Color = RED"))
        #expect(printed.contains(#"BLUE @deprecated(reason: "too cold")"#))
        #expect(printed.contains("input One @oneOf {"))
        #expect(
            printed.contains(
                #"scalar Timestamp @specifiedBy(url: "https://example.org/timestamp")"#))
        #expect(printed.contains("\"A chat.\"\ntype Query {"))
    }
}
