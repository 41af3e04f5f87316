import Bytes
import GraphQL
import JSON
import Testing

/// A hub that keeps its schema to itself.
@Suite struct IntrospectionTests {
    private static let closed = ValidationOptions(
        suggestsNames: false, allowsIntrospection: false)

    @Test(arguments: [
        "{ __schema { types { name } } }", "{ __type(name: \"Thread\") { name } }",
        "query { ...F } fragment F on Query { __schema { queryType { name } } }",
    ])
    func `the schema is not told`(document: String) throws {
        #expect(try Rig(validation: Self.closed).post(document).body["data"] == nil)
        #expect(try Rig().post(document).body["errors"] == nil)
    }

    @Test func `names are not suggested, and ordinary operations go on`() throws {
        let rig = try Rig(validation: Self.closed)
        let hidden = rig.post("{ listThread { nextToken } }").body.jsonText
        #expect(!hidden.contains("listThreads"))
        #expect(
            try Rig().post("{ listThread { nextToken } }").body.jsonText.contains("listThreads"))
        let answer = rig.post("{ __typename listThreads { __typename nextToken } }")
        #expect(answer.body["errors"] == nil)
    }
}
