import Bytes
import Foundation
import JSON
import Testing

/// `publish`, `subscribe` and `bench` against a running hub, all as built.
@Suite(.serialized) struct ClientCommandTests {
    private static let key = "da2-abcdefghijklmnopqrstuvwxyz"
    private static let listen = "subscription { onCreateMessage { id body } }"
    private static let send = """
        mutation($id: ID!, $body: String!) { createMessage(input: {
          id: $id, body: $body, messageThreadId: "t1", messageAuthorId: "u1"}) { id } }
        """

    private func address(_ hub: RunningHub) -> [String] {
        ["--url", "ws://127.0.0.1:\(hub.port)/graphql"]
    }

    /// Runs the binary to its end.
    private func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (code: Int32, output: String, errors: String) {
        let program = try Program(heliographBinary, arguments, environment: environment)
        let code = try program.waitForExit()
        return (code, program.standardOutput, program.standardError)
    }

    private func publish(_ id: String, _ body: String, on hub: RunningHub) throws {
        let variables = JSONValue.object(["id": .string(Text(id)), "body": .string(Text(body))])
        let result = try run(
            ["publish", Self.send, "--variables", variables.jsonText] + address(hub))
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output == #"{"data":{"createMessage":{"id":"\#(id)"}}}"# + "\n")
    }

    @Test func `subscribe prints what publish sends and ends after the wanted count`() throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        let listener = try Program(
            heliographBinary, ["subscribe", Self.listen, "--count", "2"] + address(hub))
        try listener.errorLine(startingWith: "live")
        try publish("m1", "hello", on: hub)
        try publish("m2", "a \"quoted\"\nline", on: hub)
        #expect(try listener.waitForExit() == 0)
        #expect(
            listener.standardOutput == #"""
                {"data":{"onCreateMessage":{"id":"m1","body":"hello"}}}
                {"data":{"onCreateMessage":{"id":"m2","body":"a \"quoted\"\nline"}}}

                """#)
        try hub.stop()
    }

    @Test func `live means live, also for a filter through relations`() throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        try publish("m1", "hello", on: hub)
        for number in 0..<5 {
            // Another operation each time, so that no earlier one has prepared its way.
            let listener = try Program(
                heliographBinary,
                [
                    "subscribe",
                    """
                    subscription { onCreateReply(filter: {or: [
                      {message: {thread: {id: {eq: "t1"}}}}, {body: {eq: "\(number)"}}]}) { body } }
                    """, "--count", "1",
                ] + address(hub))
            try listener.errorLine(startingWith: "live")
            let result = try run(
                [
                    "publish",
                    """
                    mutation { createReply(input: {
                      body: "re", replyMessageId: "m1", replyAuthorId: "u1"}) { id } }
                    """,
                ] + address(hub))
            #expect(result.code == 0, "\(result.errors)")
            #expect(try listener.waitForExit() == 0)
            #expect(listener.standardOutput == #"{"data":{"onCreateReply":{"body":"re"}}}"# + "\n")
        }
        try hub.stop()
    }

    @Test func `subscribe comes back after the hub was restarted`() throws {
        try withTemporaryFolder { folder in
            let options = ["--data", folder.path, "--no-auth"]
            let first = try RunningHub(options)
            let listener = try Program(
                heliographBinary, ["subscribe", Self.listen] + address(first))
            try listener.errorLine(startingWith: "live")
            try first.stop()
            try listener.errorLine(startingWith: "lost: ")
            let second = try RunningHub(options, port: first.port)
            try listener.errorLine(startingWith: "live", number: 2)
            try publish("m1", "after", on: second)
            let line = try listener.line(startingWith: "{")
            #expect(line == #"{"data":{"onCreateMessage":{"id":"m1","body":"after"}}}"#)
            listener.signal(SIGINT)
            #expect(try listener.waitForExit() == 0)
            try second.stop()
        }
    }

    @Test func `a reader that stops ends subscribe quietly`() throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        let command = """
            "$0" subscribe "$1" --url ws://127.0.0.1:\(hub.port)/graphql --quiet | head -1
            """
        let pipe = try Program("/bin/sh", ["-c", command, heliographBinary, Self.listen])
        // Nothing tells when a quiet subscription is live, so messages are sent until one comes.
        for number in 0..<40 where pipe.isRunning {
            try publish("m\(number)", "x", on: hub)
        }
        #expect(try pipe.waitForExit() == 0)
        #expect(pipe.standardOutput.split(separator: "\n").count == 1)
        #expect(pipe.standardError == "")
        try hub.stop()
    }

    @Test func `subscribe ends after the wanted time or when it is told to`() throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        #expect(try run(["subscribe", Self.listen, "--seconds", "1"] + address(hub)).code == 0)
        let listener = try Program(heliographBinary, ["subscribe", Self.listen] + address(hub))
        try listener.errorLine(startingWith: "connected to ws://127.0.0.1:\(hub.port)/graphql")
        listener.signal(SIGTERM)
        #expect(try listener.waitForExit() == 0)
        try hub.stop()
    }

    @Test func `errors have their place, their own exit code and leave the JSON on its own`() throws
    {
        let hub = try RunningHub(["--memory", "--no-auth"])
        let wrong = try run(["publish", "{ listUsers {\n  itemz { id } } }"] + address(hub))
        #expect(wrong.code == 1)
        #expect(try JSONValue(parsing: wrong.output)["errors"]?.items?.count == 1)
        #expect(wrong.errors.contains(#"error: Cannot query field "itemz""#))
        #expect(wrong.errors.contains("\n    itemz { id } } }\n    ^"))
        let listener = try run(
            ["subscribe", "subscription { onCreateMessag { id } }"] + address(hub))
        #expect(listener.code == 1)
        #expect(listener.errors.contains("Did you mean"))
        for (command, operation) in [("publish", Self.listen), ("subscribe", Self.send)] {
            #expect(try run([command, operation] + address(hub)).code == 2)
        }
        try hub.stop()
    }

    @Test func `keys are found and refused ones are told`() throws {
        try withTemporaryFolder { folder in
            let hub = try RunningHub(["--data", folder.path, "--api-key", Self.key])
            let query = ["publish", "{ listUsers { items { id } } }"] + address(hub)
            let variable = "HELIOGRAPH_API_KEY"
            #expect(
                try run(query + ["--api-key", Self.key], environment: [variable: "x"]).code == 0)
            #expect(try run(query, environment: [variable: Self.key]).code == 0)
            let refused = try run(query + ["--api-key", "wrong"])
            #expect(refused.code == 4)
            #expect(refused.errors.contains("refused the API key given with --api-key"))
            #expect(try run(query, environment: [variable: "wrong"]).errors.contains(variable))
            let listener = try run(["subscribe", Self.listen, "--api-key", "wrong"] + address(hub))
            #expect(listener.code == 4)
            try hub.stop()
            let gone = try run(query + ["--api-key", Self.key])
            #expect(gone.code == 4)
            #expect(gone.errors.contains("nothing listens there"))
        }
    }

    @Test func `bench loses nothing and says so to people and programs`() throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        let load = ["bench", "--connections", "40", "--topics", "4", "--duration", "2"]
        let table = try run(load + ["--rate", "100"] + address(hub))
        #expect(table.code == 0, "\(table.errors)")
        for row in ["lost", "duplicated", "out of order", "astray"] {
            let line = table.output.split(separator: "\n").first { $0.hasPrefix("  \(row)") }
            #expect(line?.split(separator: " ").last == "0", "\(table.output)")
        }
        let json = try run(load + ["--rate", "0", "--json"] + address(hub))
        #expect(json.code == 0, "\(json.errors)")
        let report = try JSONValue(parsing: json.output)
        let sent = try #require(report["acknowledged"]?.integer)
        #expect(sent > 0)
        #expect(report["delivered"]?.integer == sent * 10)
        for count in ["lost", "duplicated", "outOfOrder", "astray", "failed", "disconnects"] {
            #expect(report[Text(count)]?.integer == 0, "\(json.output)")
        }
        for mark in ["p50", "p99", "p99.9", "max"] {
            #expect(report["latencyMilliseconds"]?[Text(mark)]?.number != nil)
        }
        try hub.stop()
    }

    /// Real sockets whose kernels' buffers are full: who gets what, to the number.
    @Test(arguments: ["drop-oldest", "latest", "close"])
    func `subscribers that stop reading get what their policy promises`(policy: String) throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        let load = [
            "bench", "--connections", "20", "--stalled", "50%", "--slow-consumer", policy,
            "--topics", "2", "--rate", "600", "--payload", "20000", "--duration", "2", "--json",
            "--prepare",
            "mutation($topic: ID!) { createThread(input: "
                + "{id: $topic, name: \"\", location: \"x\"}) { id } }",
            "--subscription",
            "subscription($topic: ID!) { onUpdateThread(id: $topic) { name } }", "--mutation",
            "mutation($topic: ID!, $body: String!) { updateThread(input: "
                + "{id: $topic, name: $body}) { id } }",
        ]
        // Exit code 1 would be an event that neither came nor was said to be missing.
        let result = try run(load + address(hub))
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let report = try JSONValue(parsing: result.output)
        #expect(report["delivered"] == report["expected"])
        let stalled = report["stalled"]
        #expect(stalled?["unaccounted"] == 0)
        #expect((stalled?["dropped"]?.integer ?? 0 > 0) == (policy == "drop-oldest"))
        #expect((stalled?["replaced"]?.integer ?? 0 > 0) == (policy == "latest"))
        #expect(stalled?["connected"]?.integer == (policy == "close" ? 0 : 10), "\(result.output)")
        try hub.stop()
    }

    @Test func `long messages pass compressed in both directions`() throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        let listener = try Program(
            heliographBinary, ["subscribe", Self.listen, "--count", "1"] + address(hub))
        try listener.errorLine(startingWith: "live")
        let body = String(repeating: "isolation nation ", count: 2_000)
        try publish("m1", body, on: hub)
        #expect(try listener.waitForExit() == 0)
        let event = #"{"data":{"onCreateMessage":{"id":"m1","body":"\#(body)"}}}"# + "\n"
        let isWhole = listener.standardOutput == event
        #expect(isWhole, "\(listener.standardOutput.utf8.count) of \(event.utf8.count) bytes")
        let load = ["bench", "--connections", "20", "--topics", "2", "--duration", "1", "--json"]
        for (more, compressed) in [(["--compress", "--payload", "5000"], 20), ([], 0)] {
            let bench = try run(load + more + address(hub))
            #expect(bench.code == 0, "\(bench.output)\(bench.errors)")
            let report = try JSONValue(parsing: bench.output)
            let agreed = try #require(report["compressedConnections"]?.integer)
            #expect(agreed == compressed, "\(bench.output)")
            #expect(report["delivered"] == report["expected"])
        }
        try hub.stop()
    }

    @Test func `bench takes other operations and tells what does not fit`() throws {
        let hub = try RunningHub(["--memory", "--no-auth"])
        let replies = try run(
            [
                "bench", "--connections", "4", "--topics", "2", "--rate", "20", "--duration", "1",
                "--subscription",
                """
                subscription($topic: ID!) {
                  onCreateReply(filter: {replyMessageId: {eq: $topic}}) { body } }
                """, "--mutation",
                """
                mutation($topic: ID!, $body: String!) { createReply(input: {
                  replyMessageId: $topic, replyAuthorId: "bench", body: $body}) { id } }
                """,
            ] + address(hub))
        #expect(replies.code == 0, "\(replies.output)\(replies.errors)")
        let wrong = try run(
            ["bench", "--connections", "2", "--mutation", "mutation { nothing }"] + address(hub))
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("--mutation takes another operation"))
        try hub.stop()
        let gone = try run(["bench", "--connections", "2"] + address(hub))
        #expect(gone.code == 4)
        #expect(gone.errors.contains("nothing listens there"))
    }
}
