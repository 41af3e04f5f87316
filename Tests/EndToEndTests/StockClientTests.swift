import Foundation
import Testing

/// Clients that know nothing of us, against the built binary over real sockets.
@Suite(.serialized) struct StockClientTests {
    private static let key = "da2-abcdefghijklmnopqrstuvwxyz"

    private func run(_ executable: String, _ arguments: [String]) throws {
        let client = try Program(
            executable, arguments, environment: ["NODE_PATH": "/usr/share/nodejs"])
        let code = try client.waitForExit(seconds: 90)
        #expect(code == 0, "\(client.standardOutput)\(client.standardError)")
    }

    @Test(arguments: ["graphql-transport-ws", "graphql-ws", "appsync"])
    func `two gql clients get the messages and replies of their own thread`(
        transport: String
    ) throws {
        try withTemporaryFolder { folder in
            let script = "Tests/EndToEndTests/Clients/two_threads.py"
            // The second round runs on what the first one stored.
            for round in ["first", "second"] {
                let hub = try RunningHub(["--data", folder.path, "--api-key", Self.key])
                try run(
                    gqlPython,
                    [script, transport, "\(hub.port)", Self.key, "\(transport)-\(round)"])
                try hub.stop()
            }
        }
    }

    @Test func `the websockets library gets each message once, compressed or not`() throws {
        let hub = try RunningHub(["--memory", "--api-key", Self.key])
        try run(
            gqlPython, ["Tests/EndToEndTests/Clients/compression.py", "\(hub.port)", Self.key])
        try hub.stop()
    }

    @Test func `two sockets of node's ws get the messages of their own thread`() throws {
        let hub = try RunningHub(["--memory", "--api-key", Self.key])
        let script = "Tests/EndToEndTests/Clients/two_threads.js"
        try run("/usr/bin/env", ["node", script, "\(hub.port)", Self.key, "ws"])
        try hub.stop()
    }
}
