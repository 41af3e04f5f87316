import Bytes
import GraphQL
import Hub
import Models
import Testing

/// Reading files of trusted documents, and checking what is in them.
@Suite struct TrustedDocumentsTests {
    private func ids(_ manifest: String) throws -> [Text] {
        try TrustedDocuments(manifest: Text(manifest)).entries.map(\.id)
    }

    @Test func `an object of ids and documents is read`() throws {
        let documents = try TrustedDocuments(
            manifest: #"{"b":"{ __typename }","a":"query A { \n __typename }"}"#)
        #expect(documents.entries.map(\.id) == ["b", "a"])
        #expect(documents.entries.last?.text == "query A { \n __typename }")
        #expect(try ids("{}").isEmpty)
        // A document may have any id, these too.
        #expect(try ids(#"{"format":"{ a }","version":"{ b }"}"#) == ["format", "version"])
    }

    @Test func `Apollo's manifest is read`() throws {
        let manifest = #"""
            {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
              {"id": "f1", "name": "A", "type": "query", "body": "query A { __typename }"},
              {"id": "f2", "name": "B", "type": "query", "clientName": null, "body": "query B { a }"}]}
            """#
        #expect(try ids(manifest) == ["f1", "f2"])
    }

    @Test(arguments: [
        ("", "it is not JSON"), ("[]", "it is a list, not an object of ids"),
        (#"{"a":["b"]}"#, "'a' is a list, not a document"),
        (#"{"a":"{ x }","a":"{ y }"}"#, "two documents have the id 'a'"),
        (#"{"sha256:00":"{ x }"}"#, "not the one whose SHA-256"),
        (#"{"format":"x","version":1,"operations":[]}"#, "format and version"),
        (
            #"{"format":"apollo-persisted-query-manifest","version":2,"operations":[]}"#,
            "format and version"
        ),
        (
            #"{"format":"apollo-persisted-query-manifest","version":1,"operations":{}}"#,
            "'operations' is an object"
        ),
        (
            #"{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"a"}]}"#,
            "operations[0] has no 'id' or no 'body'"
        ),
    ])
    func `a file that is none of these is refused with its fault`(
        manifest: String, words: String
    ) throws {
        let error = #expect(throws: TrustedDocumentsError.self) { try ids(manifest) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func `one document may have several ids`() throws {
        #expect(try ids(#"{"a":"{ x }","b":"{ x }","a":"{ x }"}"#).count == 3)
    }

    @Test func `documents that cannot be run are told with their places`() throws {
        let schema = try ModelSchema(sdl: Text(chatSchema))
        let documents = try TrustedDocuments(
            manifest: #"""
                {"good":"query A { __typename } query B { listThreads { nextToken } }",
                 "wrong":"query W {\n  listThreads { nextTokem }\n}", "broken":"{ a",
                 "shy":"{ __schema { description } }"}
                """#)
        func faults(_ validation: ValidationOptions) -> [TrustedDocuments.Fault] {
            documents.faults(schema: schema, limits: Limits(), validation: validation)
        }
        let found = faults(ValidationOptions())
        #expect(found.map(\.id) == ["wrong", "broken"])
        #expect(found.first?.errors.first?.locations == [SourceLocation(line: 2, column: 17)])
        let closed = ValidationOptions(suggestsNames: false, allowsIntrospection: false)
        #expect(faults(closed).map(\.id) == ["wrong", "broken", "shy"])
    }
}
