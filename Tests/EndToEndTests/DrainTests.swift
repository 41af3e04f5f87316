import Bytes
import Foundation
import Glibc
import JSON
import Testing

/// The end of a hub as those see it who are connected: codes, spread, answers, the way back.
@Suite(.serialized) struct DrainTests {
    /// The close that a client read, and when.
    private struct Ending: Sendable {
        var code: Int
        var reason: String
        var at: Double
    }

    private static let listen = "subscription { onCreateUser { id } }"

    private static func now() -> Double { ProcessInfo.processInfo.systemUptime }

    /// A socket that is subscribed, in the words of a dialect.
    private func subscriber(_ hub: RunningHub, _ dialect: Int) throws -> SocketClient {
        let socket = try SocketClient(hub, dialect == 0 ? "graphql-transport-ws" : "graphql-ws")
        switch dialect {
        case 0: try socket.subscribe("1", Self.listen)
        case 1:
            try socket.send(
                #"{"id":"1","type":"start","payload":{"query":"\#(Self.listen)"}}"#)
        default:
            // Only AppSync's clients wrap the operation into a text.
            try socket.send(
                #"{"id":"1","type":"start","payload":{"data":"{\"query\":\"\#(Self.listen)\"}","#
                    + #""extensions":{"authorization":{"x-api-key":"\#(testKey)"}}}}"#)
        }
        return socket
    }

    /// Reads each socket to its close, on a thread of its own. The result is complete once the
    /// hub has ended.
    private func endings(_ sockets: [SocketClient], while work: () throws -> Void) throws
        -> [Ending?]
    {
        // Each thread has its own socket, and its own place under the lock.
        nonisolated(unsafe) let sockets = sockets
        let lock = NSLock()
        nonisolated(unsafe) var found = [Ending?](repeating: nil, count: sockets.count)
        let group = DispatchGroup()
        for index in sockets.indices {
            group.enter()
            Thread.detachNewThread {
                // What went wrong shows as a close that is missing.
                let close = (try? sockets[index].rest())?.close
                if case .close(let code, let reason)? = close {
                    lock.withLock {
                        found[index] = Ending(code: code, reason: reason, at: Self.now())
                    }
                }
                group.leave()
            }
        }
        try work()
        #expect(group.wait(timeout: .now() + 30) == .success)
        return lock.withLock { found }
    }

    @Test func `fifty clients are closed in turn, each with its dialect's code`() throws {
        let hub = try RunningHub(["--memory", "--api-key", testKey, "--drain-seconds", "1"])
        let dialects = (0..<50).map { $0 % 3 }
        let sockets = try dialects.map { try subscriber(hub, $0) }
        // Whoever was last is live once this has been answered.
        #expect(try hub.run("{ __typename }").status == 200)
        var beganAt = 0.0
        let found = try endings(sockets) {
            beganAt = Self.now()
            try hub.stop()
        }
        let endings = found.compactMap(\.self)
        #expect(endings.count == 50)
        for (ending, dialect) in zip(endings, dialects) {
            #expect(ending.code == (dialect == 2 ? 1011 : 1012))
            #expect(ending.reason.hasPrefix("Service Restart; retry after "))
            #expect(ending.reason.utf8.count <= 123)
        }
        let times = endings.map { $0.at - beganAt }.sorted()
        // Two shards close 25 each, evenly over nine tenths of the time.
        #expect(times[49] - times[0] > 0.6 && times[49] < 3)
        let tenths = Dictionary(grouping: times) { Int($0 * 10) }.values.map(\.count)
        #expect((tenths.max() ?? 50) < 25)
        let last = hub.program.standardError.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("stopped: 50 connections closed in "), "\(last)")
    }

    @Test func `an idle hub ends at once, however long it might take`() throws {
        let hub = try RunningHub(["--memory", "--no-auth", "--drain-seconds", "600"])
        // A connection that rests between two requests is no reason to stay.
        let resting = try RawConnection(port: hub.port)
        try resting.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(hub.port)\r\n\r\n")
        #expect(try resting.take(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200 ") == true)
        let beganAt = Self.now()
        hub.program.signal(SIGTERM)
        #expect(try resting.takeAll() == "ok\n")
        withExtendedLifetime(resting) {}
        #expect(try hub.program.waitForExit(seconds: 20) == 0)
        #expect(Self.now() - beganAt < 4)
        #expect(hub.program.standardError.contains("stopped: 1 connection closed in "))
    }

    @Test func `a second signal ends at once, and still says why`() throws {
        let hub = try RunningHub(["--memory", "--api-key", testKey, "--drain-seconds", "600"])
        let sockets = try (0..<30).map { try subscriber(hub, $0 % 3) }
        #expect(try hub.run("{ __typename }").status == 200)
        let found = try endings(sockets) {
            hub.program.signal(SIGTERM)
            try hub.program.errorLine(startingWith: "stopping: finishing what is in flight, for at")
            let beganAt = Self.now()
            hub.program.signal(SIGTERM)
            #expect(try hub.program.waitForExit(seconds: 20) == 0)
            #expect(Self.now() - beganAt < 4)
        }
        let endings = found.compactMap(\.self)
        #expect(endings.count == 30)
        #expect(Set(endings.map(\.code)) == [1011, 1012])
    }

    @Test func `a second signal right behind the first ends at once too`() throws {
        for _ in 0..<6 {
            let hub = try RunningHub(
                ["--memory", "--api-key", testKey, "--drain-seconds", "600", "--shards", "2"])
            let sockets = try (0..<8).map { try subscriber(hub, $0 % 3) }
            _ = try endings(sockets) { () throws in
                let beganAt = Self.now()
                // Two of one kind would be taken for one (signal(7)).
                hub.program.signal(SIGTERM)
                hub.program.signal(SIGINT)
                #expect(try hub.program.waitForExit(seconds: 20) == 0)
                #expect(Self.now() - beganAt < 1.5)
            }
        }
    }

    @Test func `a body that is on its way is answered, or told that it comes too late`() throws {
        let hub = try RunningHub(
            ["--memory", "--api-key", testKey, "--drain-seconds", "2", "--shards", "1"])
        let body = #"{"query":"mutation { createUser(input: {username: \"ada\"}) { username } }"}"#
        let (prompt, late) = (try RawConnection(port: hub.port), try RawConnection(port: hub.port))
        for connection in [prompt, late] {
            try connection.send(
                "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:\(hub.port)\r\nx-api-key: \(testKey)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body.prefix(20))
        }
        #expect(try hub.run("{ __typename }").status == 200)
        hub.program.signal(SIGTERM)
        try hub.program.errorLine(startingWith: "stopping: ")
        // The shard has heard of it when the port is closed.
        for _ in 0..<1_000 {
            guard (try? RawConnection(port: hub.port)) != nil else { break }
            usleep(1_000)
        }
        try prompt.send(String(body.dropFirst(20)))
        let answer = try prompt.takeAll()
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix(#"{"username":"ada"}}}"#))
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
        let refusal = try late.takeAll()
        #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.contains("\r\nRetry-After: "))
        #expect(try hub.program.waitForExit(seconds: 20) == 0)
        #expect(hub.program.standardError.contains("s, 1 of them unfinished\n"))
    }

    @Test func `the port is free for another hub while the first one takes its leave`() throws {
        let first = try RunningHub(["--memory", "--api-key", testKey, "--drain-seconds", "600"])
        let sockets = try (0..<8).map { try subscriber(first, $0 % 3) }
        #expect(try first.run("{ __typename }").status == 200)
        first.program.signal(SIGTERM)
        try first.program.errorLine(startingWith: "stopping: ")
        let second = try RunningHub(["--memory", "--no-auth"], port: first.port)
        #expect(first.program.isRunning)
        #expect(try second.request("GET /healthz").status == 200)
        try second.stop()
        first.program.signal(SIGTERM)
        #expect(try first.program.waitForExit(seconds: 20) == 0)
        withExtendedLifetime(sockets) {}
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a restart under fifty clients loses nothing, and all come back`(signal: Int32) throws {
        try withTemporaryFolder { folder in
            let options = ["--data", folder.path, "--no-auth", "--drain-seconds", "1"]
            let hub = try RunningHub(options)
            let bench = try Program(
                heliographBinary,
                [
                    "bench", "--url", "ws://127.0.0.1:\(hub.port)/graphql", "--reconnect", "--json",
                    "--connections", "50", "--topics", "5", "--rate", "100", "--duration", "5",
                ])
            try bench.errorLine(startingWith: "live: 50 subscribers")
            hub.program.signal(signal)
            _ = try? hub.program.waitForExit(seconds: 20)  // A killed one has no exit code.
            let again = try RunningHub(options, port: hub.port)
            #expect(try bench.waitForExit() == 0, "\(bench.standardOutput)")
            let report = try JSONValue(parsing: bench.standardOutput)
            for name in [
                "acknowledgedNotStored", "storedTwice", "lost", "duplicated", "outOfOrder",
            ] {
                #expect(report[Text(name)] == 0, "\(name)")
            }
            let outages = report["outages"]?.items ?? []
            #expect(outages.count == 1)
            #expect(outages.first?["back"] == 50)
            #expect(outages.first?["codes"] == (signal == SIGTERM ? ["1012": 50] : ["0": 50]))
            // What crosses the hub's close on its way can no longer be answered (RFC 6455 section
            // 5.5.1); on a busy machine that may be a message or two, and nobody takes it for sent.
            if signal == SIGTERM, case .int(let failed)? = report["failed"] {
                #expect(failed <= 2)
            }
            try again.stop()
        }
    }
}
