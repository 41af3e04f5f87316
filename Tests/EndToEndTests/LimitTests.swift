import Bytes
import Foundation
import JSON
import Testing

/// The limits of the whole process, reached at the real binary.
@Suite(.serialized) struct LimitTests {
    private func hub(_ limits: String..., launcher: [String] = []) throws -> RunningHub {
        try RunningHub(
            ["--memory", "--no-auth", "--shards", "2"] + limits.flatMap { ["--limit", $0] },
            launcher: launcher)
    }

    /// A connection whose first request has been answered.
    private func greeted(_ hub: RunningHub) throws -> RawConnection {
        let connection = try RawConnection(port: hub.port)
        try connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try connection.take(through: "\r\n\r\nok\n")?.hasPrefix("HTTP/1.1 200 ") == true)
        return connection
    }

    /// The samples of `/metrics`, as one connection sees them.
    private func metrics(_ connection: RawConnection) throws -> [String: Double] {
        try connection.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let head = try #require(try connection.take(through: "\r\n\r\n"))
        let length = try #require(
            head.components(separatedBy: "Content-Length: ").last?.prefix { $0.isNumber })
        let body = String(
            decoding: try connection.take(try #require(Int(length))) ?? [], as: UTF8.self)
        var samples: [String: Double] = [:]
        for line in body.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            samples[String(parts[0])] = Double(parts[1])
        }
        return samples
    }

    private func reached(_ limit: String, _ connection: RawConnection) throws -> Double? {
        try metrics(connection)["heliograph_limit_reached_total{limit=\"\(limit)\"}"]
    }

    /// Tries until the hub serves a new connection: it learns of an end a moment after us.
    private func served(_ hub: RunningHub) throws -> RawConnection {
        for _ in 0..<500 {
            let connection = try RawConnection(port: hub.port)
            try? connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let head = try? connection.take(through: "\r\n\r\n")
            if head?.hasPrefix("HTTP/1.1 200 ") == true { return connection }
            usleep(10_000)
        }
        throw ProgramFailure("no connection is served again")
    }

    @Test(arguments: [("connections-max", 3), ("connections-per-address-max", 3)])
    func `one connection too many gets 503, and the next after an end is served`(
        limit: String, count: Int
    ) throws {
        let hub = try hub("\(limit)=\(count)")
        var open = try (0..<count).map { _ in try greeted(hub) }
        for _ in 0..<2 {
            let answer = try RawConnection(port: hub.port).takeAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.contains("\r\nRetry-After: 5\r\n"))
            #expect(answer.contains("\(limit) of \(count) is reached; try again"))
        }
        let line = try hub.program.errorLine(startingWith: "heliograph: limit reached")
        #expect(line.hasPrefix("heliograph: limit reached: \(limit)=\(count), connections of "))
        #expect(try reached(limit, open[0]) == 2)
        #expect(try metrics(open[0])["heliograph_connections_open"] == Double(count))
        open.removeLast()
        open.append(try served(hub))
        // The second refusal waits for the period's end, which this test does not.
        let lines = hub.program.standardError.components(separatedBy: "limit reached")
        #expect(lines.count == 2)
        try hub.stop()
    }

    @Test func `connections that say nothing are limited for all shards together`() throws {
        let hub = try hub("handshakes-max=2", "head-seconds-max=2")
        let watcher = try greeted(hub)
        var silent = try (0..<2).map { _ in try RawConnection(port: hub.port) }
        let refused = try RawConnection(port: hub.port).takeAll()
        #expect(refused.contains("handshakes-max of 2 is reached"))
        #expect(try reached("handshakes-max", watcher) == 1)
        // One that speaks at last makes room, and so do those that never do.
        try silent[0].send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try silent[0].take(through: "ok\n") != nil)
        silent.append(try served(hub))
        #expect(try silent[1].takeAll() == "")
        #expect(try (reached("head-seconds-max", watcher) ?? 0) >= 1)
        try hub.stop()
    }

    @Test func `when all slow readers together have too much waiting, the slowest are closed`()
        throws
    {
        let hub = try hub("queued-bytes-max=1000000", "outbox-bytes-max=100000000")
        let watcher = try greeted(hub)
        let query = "{ __schema { types { fields { name description type { name } } } } }"
        let escaped = query.replacingOccurrences(of: "\"", with: "\\\"")
        let body = "{\"query\":\"\(escaped)\"}"
        let request =
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        // They ask and ask, and read nothing.
        let readers = try (0..<4).map { _ in try RawConnection(port: hub.port) }
        var closed = 0.0
        for _ in 0..<2_000 {
            for reader in readers { try? reader.send(request) }
            closed = try reached("queued-bytes-max", watcher) ?? 0
            if closed > 0 { break }
        }
        #expect(closed > 0)
        let line = try hub.program.errorLine(startingWith: "heliograph: limit reached")
        #expect(line.contains("queued-bytes-max=1000000, bytes waiting for all slow readers"))
        let samples = try metrics(watcher)
        #expect((samples["heliograph_bytes_queued"] ?? .infinity) < 30_000_000)
        #expect((samples["heliograph_slow_consumers_total"] ?? 0) >= 1)
        try hub.stop()
    }

    @Test func `without file descriptors the hub rests, says so and comes back`() throws {
        let hub = try hub(
            launcher: ["/usr/bin/env", "prlimit", "--nofile=40:40"])
        let watcher = try greeted(hub)
        var others: [RawConnection] = []
        for _ in try descriptors(of: hub).count..<40 { others.append(try greeted(hub)) }
        #expect(try descriptors(of: hub).count == 40)
        // All are taken, but nobody waits yet.
        #expect(try reached("open-files", watcher) ?? 0 == 0)
        // The kernel lets it in, the hub cannot.
        let late = try RawConnection(port: hub.port)
        try late.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let line = try hub.program.errorLine(startingWith: "heliograph: limit reached")
        #expect(line.contains("open-files, file descriptors of the process; accepting pauses"))
        // It tries some ten times a second, and is busy with nothing else.
        let ticks = try cpuTicks(hub)
        usleep(1_000_000)
        #expect(try cpuTicks(hub) - ticks <= 5)
        let pauses = try #require(try reached("open-files", watcher))
        #expect(pauses >= 5 && pauses < 100)
        #expect(try metrics(watcher)["heliograph_accept_pauses_total"] ?? 0 >= pauses)
        others.removeLast()
        #expect(try late.take(through: "ok\n")?.hasPrefix("HTTP/1.1 200 ") == true)
        try hub.stop()
    }

    /// The hub's descriptors that count against a limit of 40. The limit is one of their numbers
    /// (getrlimit(2)): one above, which a process may get from whoever starts it, takes no place.
    private func descriptors(of hub: RunningHub) throws -> [Int] {
        let folder = "/proc/\(hub.program.processID)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .compactMap { Int($0) }.filter { $0 < 40 }
    }

    /// Time that the hub has worked, in hundredths of a second (proc(5): utime and stime).
    private func cpuTicks(_ hub: RunningHub) throws -> Int {
        let stat = try String(
            contentsOfFile: "/proc/\(hub.program.processID)/stat", encoding: .utf8)
        let fields = stat.components(separatedBy: ") ").last?.split(separator: " ") ?? []
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }

    @Test func `metrics ask for the key that the API asks for`() throws {
        let hub = try RunningHub(["--memory", "--api-key", testKey])
        #expect(try hub.request("GET /metrics").status == 401)
        let answer = try hub.request("GET /metrics", fields: ["x-api-key: \(testKey)"])
        #expect(answer.status == 200)
        #expect(answer.body.contains("\nheliograph_unauthorized_total 1\n"))
        try hub.stop()
    }

    @Test func `the schema is told to nobody if the operator wants it so`() throws {
        let hub = try RunningHub(["--memory", "--no-auth", "--no-introspection"])
        let answer = try hub.run("{ __schema { queryType { name } } }", key: nil)
        #expect(try answer.firstError() != "")
        #expect(
            try hub.run("{ listUser { items { id } } }", key: nil).body.contains("listUsers")
                == false)
        try hub.createUser("u1")
        try hub.stop()
    }

    @Test func `a limit is set by its name, or the command line says what is wrong`() throws {
        let near = try heliograph(
            "serve", exampleSchema, "--memory", "--no-auth", "--limit", "connection-max=3")
        #expect(near.code == 2)
        #expect(near.errors.contains("unknown limit connection-max; did you mean connections-max?"))
        let far = try heliograph(
            "serve", exampleSchema, "--memory", "--no-auth", "--limit", "connections-max=0")
        #expect(far.errors.contains("takes a whole number from 1 to 10000000"))
        let table = try heliograph("limits")
        #expect(table.output.hasPrefix("NAME "))
        let json = try JSONValue(parsing: try heliograph("limits", "--json").output)
        #expect(json["connections-max"]?["default"] == 100_000)
        #expect(json["connections-max"]?["unit"] == "connections of the whole hub")
    }
}
