import Foundation
import Testing

/// Event streams of the built binary: `curl -N`, and a client of the HTML standard's rules.
@Suite(.serialized) struct EventStreamTests {
    private static let key = "da2-abcdefghijklmnopqrstuvwxyz"
    private static let query = "subscription { onCreateUser { id username } }"

    private func publish(_ id: String, _ hub: RunningHub) throws {
        let query =
            "mutation { createUser(input: {id: \\\"\(id)\\\", username: \\\"n\\\"}) { id } }"
        let curl = try Program(
            "/usr/bin/curl",
            [
                "-s", "http://127.0.0.1:\(hub.port)/graphql", "-H", "x-api-key: \(Self.key)", "-H",
                "Content-Type: application/json", "-d", "{\"query\":\"\(query)\"}",
            ])
        #expect(try curl.waitForExit() == 0)
        #expect(curl.standardOutput == "{\"data\":{\"createUser\":{\"id\":\"\(id)\"}}}")
    }

    @Test(arguments: ["GET", "POST"])
    func `curl -N shows each event as it comes, and the goodbye of a stopping hub`(
        method: String
    ) throws {
        let hub = try RunningHub(["--memory", "--api-key", Self.key, "--drain-seconds", "1"])
        let how =
            method == "GET"
            ? ["-G", "--data-urlencode", "query=\(Self.query)"]
            : ["-H", "Content-Type: application/json", "-d", "{\"query\":\"\(Self.query)\"}"]
        let curl = try Program(
            "/usr/bin/curl",
            [
                "-sN", "http://127.0.0.1:\(hub.port)/graphql", "-H", "x-api-key: \(Self.key)",
                "-H", "Accept: text/event-stream",
            ] + how)
        _ = try curl.line(startingWith: ":")
        for id in ["a", "b"] {
            try publish(id, hub)
            _ = try curl.line(
                startingWith: "data: {\"data\":{\"onCreateUser\":{\"id\":\"\(id)\"")
        }
        try hub.stop()
        #expect(try curl.waitForExit() == 0)
        let events = ["a", "b"].map {
            "event: next\ndata: {\"data\":{\"onCreateUser\":{\"id\":\"\($0)\",\"username\":\"n\"}}}\n\n"
        }
        #expect(curl.standardOutput.hasPrefix(":\n\n" + events.joined() + "retry: "))
    }

    @Test func `a client of the standard's rules gets each event once and in order`() throws {
        let hub = try RunningHub(["--memory", "--api-key", Self.key])
        let client = try Program(
            "/usr/bin/env",
            ["python3", "Tests/EndToEndTests/Clients/event_stream.py", "\(hub.port)", Self.key])
        let code = try client.waitForExit(seconds: 60)
        #expect(code == 0, "\(client.standardOutput)\(client.standardError)")
        try hub.stop()
    }
}
