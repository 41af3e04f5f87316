import Bytes
import Foundation
import JSON
import Testing

/// Operations by name against the built hub: automatic ones, and an operator's list.
@Suite struct PersistedOperationTests {
    @Test func `a client sends hashes, and the documents only where it is asked for them`() throws {
        let hub = try RunningHub(["--memory", "--api-key", testKey, "--shards", "2"])
        let client = try Program(
            gqlPython, ["Tests/EndToEndTests/Clients/persisted.py", "\(hub.port)", testKey])
        let code = try client.waitForExit(seconds: 60)
        #expect(code == 0, "\(client.standardOutput)\(client.standardError)")
        // Each shard's misses and memory; nothing was refused.
        let page = try hub.request("GET /metrics", fields: ["x-api-key: \(testKey)"]).body
        func value(_ name: String) -> Int? {
            let line = page.components(separatedBy: "\n").first { $0.hasPrefix("\(name) ") }
            return line.flatMap { Int($0.dropFirst(name.count + 1)) }
        }
        let missed = try #require(value("heliograph_documents_missed_total"))
        #expect((2...4).contains(missed))
        #expect(value("heliograph_documents_remembered_total").map { (2...4).contains($0) } == true)
        #expect(value("heliograph_documents_found_total").map { $0 >= 20 } == true)
        #expect(value("heliograph_documents_refused_total") == 0)
        try hub.stop()
    }

    private static let users = "{ listUsers { items { id } } }"

    @Test func `a list of trusted documents is served, read again, and nothing else runs`() throws {
        try withTemporaryFolder { folder in
            let path = folder.file("persisted.json")
            func write(_ text: String) throws {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            try write("{\"users\": \"\(Self.users)\"}")
            let hub = try RunningHub([
                "--memory", "--api-key", testKey, "--trusted-documents", path, "--trusted-only",
            ])
            try hub.program.errorLine(startingWith: "  run      1 trusted document of \(path), ")
            let users: JSONValue = ["data": ["listUsers": ["items": []]]]
            #expect(try hub.post(#"{"documentId":"users"}"#).json() == users)
            #expect(try hub.run(Self.users).json() == users)
            let refused = try hub.run("{ __typename }").body
            #expect(refused.contains("QUERY_NOT_IN_SAFELIST"))
            let unknown = try hub.post(#"{"documentId":"type"}"#).body
            #expect(unknown.contains("PERSISTED_QUERY_NOT_IN_LIST"))

            try write(#"{"type": "{ __typenam }"}"#)
            hub.program.signal(SIGHUP)
            try hub.program.errorLine(startingWith: "trusted documents stay as they were")
            #expect(try hub.post(#"{"documentId":"users"}"#).json() == users)

            try write(#"{"type": "{ __typename }"}"#)
            hub.program.signal(SIGHUP)
            try hub.program.errorLine(startingWith: "trusted documents read again: 1")
            // The word has been given to the shards, which may have requests before it to answer.
            var answer = ""
            for _ in 0..<100 where !answer.contains("Query") {
                answer = try hub.post(#"{"documentId":"type"}"#).body
            }
            #expect(answer == #"{"data":{"__typename":"Query"}}"#)
            try hub.stop()
        }
    }

    @Test func `a document that could not run is named with its place, and nothing starts`() throws
    {
        try withTemporaryFolder { folder in
            let path = folder.file("persisted.json")
            let manifest = #"""
                {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
                  {"id": "a1", "name": "A", "type": "query", "body": "query A {\n  listUser { id }\n}"}]}
                """#
            try manifest.write(toFile: path, atomically: true, encoding: .utf8)
            let outcome = try heliograph([
                "serve", exampleSchema, "--memory", "--port", "0", "--trusted-documents", path,
            ])
            #expect(outcome.code == 3)
            #expect(outcome.errors.contains("document 'a1', 2:3: "), "\(outcome.errors)")
            #expect(outcome.errors.contains("\n    listUser { id }\n    ^"), "\(outcome.errors)")
            #expect(outcome.errors.contains("has one document that this schema cannot run"))
        }
    }

    @Test(arguments: [
        (["--trusted-only"], "--trusted-documents FILE"),
        (["--http-status", "new"], "audits or draft"),
    ])
    func `options that do not fit are refused with the way out`(
        options: [String], words: String
    ) throws {
        let outcome = try heliograph(["serve", exampleSchema, "--memory"] + options)
        #expect(outcome.code == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    }
}
