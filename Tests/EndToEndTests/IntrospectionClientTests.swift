import Foundation
import Testing

/// Tools that read the schema from the hub before they do anything: an IDE, code generators, a
/// client that checks its own operations. They are as they come from PyPI, with their versions
/// held by `scripts/python-environments`.
@Suite(.serialized) struct IntrospectionClientTests {
    private func environment(_ name: String) -> URL {
        repository.appendingPathComponent(".build/venv-\(name)")
    }

    private func run(
        _ executable: String, _ arguments: [String], says expected: String
    ) throws {
        let client = try Program(
            executable, arguments, environment: ["NODE_PATH": "/usr/share/nodejs"])
        let code = try client.waitForExit(seconds: 90)
        #expect(code == 0, "\(client.standardOutput)\(client.standardError)")
        #expect(client.standardOutput.hasPrefix(expected), "\(client.standardOutput)")
    }

    /// gql builds the schema from introspection; it must be the schema of the printed SDL.
    /// sgqlc and ariadne-codegen write Python clients that are then used.
    @Test(arguments: ["gql", "sgqlc", "ariadne"])
    func `a tool gets the whole schema and works with it`(tool: String) throws {
        try withTemporaryFolder { folder in
            let sdl = try heliograph("check", exampleSchema, "--sdl")
            try sdl.output.write(
                toFile: folder.file("api.graphql"), atomically: true, encoding: .utf8)
            let hub = try RunningHub(["--memory", "--no-auth"])
            let python =
                tool == "gql"
                ? gqlPython : environment(tool).appendingPathComponent("bin/python").path
            try run(
                python,
                [
                    "Tests/EndToEndTests/Clients/code_generators.py", tool, "\(hub.port)",
                    folder.path,
                ], says: "\(tool): ")
            try hub.stop()
        }
    }

    @Test func `GraphiQL shows the schema, marks mistakes and runs a query`() throws {
        let libraries = environment("graphiql").appendingPathComponent("lib")
        let version = try #require(
            FileManager.default.contentsOfDirectory(atPath: libraries.path)
                .first { $0.hasPrefix("python3") })
        let scripts = libraries.appendingPathComponent(
            "\(version)/site-packages/datasette_graphql/static")
        let hub = try RunningHub(["--memory", "--no-auth"])
        try run(
            "/usr/bin/env",
            ["node", "Tests/EndToEndTests/Clients/graphiql.js", "\(hub.port)", scripts.path],
            says: "GraphiQL shows ")
        try hub.stop()
    }

    @Test(arguments: [
        ("Query.listThreads(limit:)", 0, "limit: Int\n", ""),
        ("CreateThreadInput.name", 0, "name: String!\n", ""),
        ("Query.listThread", 1, "", "Did you mean \"Query.listThreads\""),
        ("Thred.name", 1, "", "Did you mean \"Thread\""),
        ("Query.", 1, "", "expected a name"),
    ])
    func `check shows the part of the API that a coordinate names`(
        coordinate: String, code: Int32, output: String, error: String
    ) throws {
        let shown = try heliograph("check", exampleSchema, "--show", coordinate)
        #expect(shown.code == code)
        #expect(shown.output == output)
        #expect(shown.errors.contains(error) || error.isEmpty, "\(shown.errors)")
    }
}
