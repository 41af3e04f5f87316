import Bytes
import Hub
import JSON
import Records
import Store
import Testing

/// A shard's end in good order, as its peers see it.
@Suite struct DrainTests {
    private static let events = "subscription { onCreateMessage { id } }"
    private static let query: JSONValue = ["query": "{ listThreads { nextToken } }"]

    private static func creation(_ id: String, in thread: String) -> String {
        let text =
            "mutation { createMessage(input: {id: \"\(id)\", body: \"\", "
            + "messageThreadId: \"\(thread)\"}) { id } }"
        return Rig.request((["query": .string(Text(text))] as JSONValue).jsonText)
    }

    private func ask(_ rig: Rig, _ socket: UInt64, _ id: Text = "q") {
        rig.say(socket, ["id": .string(id), "type": "subscribe", "payload": Self.query])
    }

    /// When each of these was closed, in seconds from the beginning of the drain.
    private func closes(
        _ rig: Rig, _ sockets: [UInt64], within seconds: Int64
    ) -> [UInt64: Double] {
        let start = rig.nanoseconds
        var times: [UInt64: Double] = [:]
        rig.drain(seconds: seconds)
        repeat {
            for socket in sockets where rig.outlet.closed[socket] != nil && times[socket] == nil {
                times[socket] = Double(rig.nanoseconds - start) / 1e9
            }
        } while rig.wake(before: start + (seconds + 1) * 1_000_000_000)
        return times
    }

    // MARK: Turns

    @Test func `the only socket is closed at once, and nobody is waited for`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", Self.events)
        rig.drain(seconds: 10)
        #expect(rig.outlet.closed[socket] == true)
        #expect(rig.shard.counters.connectionsOpen == 0)
        #expect(rig.shard.cutCount == 0)
    }

    @Test func `closes are spread over the time, by chance within each one's share`() throws {
        let rig = try Rig()
        let sockets = (0..<200).map { _ in rig.readySocket() }
        for socket in sockets { rig.subscribe(socket, "a", Self.events) }
        let times = closes(rig, sockets, within: 10)
        #expect(times.count == 200)
        let sorted = times.values.sorted()
        #expect(sorted[0] == 0)
        #expect(sorted[199] > 8.9 && sorted[199] <= 9.0)
        for (index, time) in sorted.enumerated() {
            #expect(abs(time - 0.045 * Double(index)) <= 0.045001)
        }
        #expect(Set(zip(sorted.dropFirst(), sorted).map { $0 - $1 }).count > 150)
        // Not in the order in which they came.
        #expect(sockets.map { times[$0] ?? 0 } != sorted)
        #expect(rig.shard.cutCount == 0)
    }

    @Test func `a few sockets are not made to wait for the whole time`() throws {
        let rig = try Rig()
        let sockets = (0..<3).map { _ in rig.readySocket() }
        let times = closes(rig, sockets, within: 3_600).values.sorted()
        #expect(times[0] == 0 && times[1] <= 1.0 && times[2] <= 1.5)
    }

    @Test func `whoever is subscribed to nothing goes first`() throws {
        let rig = try Rig()
        let sockets = (0..<20).map { _ in rig.readySocket() }
        let subscribed = sockets.filter { $0 % 2 == 0 }
        for socket in subscribed { rig.subscribe(socket, "a", Self.events) }
        let times = closes(rig, sockets, within: 10)
        let last = sockets.filter { $0 % 2 == 1 }.compactMap { times[$0] }.max() ?? .infinity
        #expect(subscribed.allSatisfy { (times[$0] ?? 0) >= last })
    }

    @Test(arguments: [
        ("graphql-transport-ws", "", 1012), ("graphql-ws", "", 1012),
        ("graphql-ws", "x-amz-user-agent: aws-amplify/6\r\n", 1011),
    ])
    func `each dialect is closed with the code after which its clients come again`(
        subprotocol: String, headers: String, code: Int
    ) throws {
        let rig = try Rig()
        let sockets = (0..<3).map { _ in rig.readySocket(subprotocol, headers: headers) }
        for socket in sockets { _ = rig.hear(socket) }
        _ = closes(rig, sockets, within: 1)
        for socket in sockets {
            let close = try #require(rig.hear(socket).last)
            #expect(close["close"] == .int(Int64(code)))
            let reason = try #require(close["reason"]?.text)
            #expect(reason.string.hasPrefix("Service Restart; retry after "))
            #expect(reason.byteCount <= 123)
        }
    }

    @Test func `clients are asked to come again one after the other, when the hub is gone`() throws
    {
        let rig = try Rig { $0.returnsPerSecond = 100 }
        let sockets = (0..<50).map { _ in rig.readySocket() }
        let times = closes(rig, sockets, within: 10)
        var returns: [Double] = []
        for socket in sockets.sorted(by: { times[$0] ?? 0 < times[$1] ?? 0 }) {
            let reason = rig.hear(socket).last?["reason"]?.text?.string ?? ""
            let wait = reason.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? 0
            returns.append((times[socket] ?? 0) + wait / 1000)
        }
        for (index, time) in returns.enumerated() {
            #expect(abs(time - (10 + 0.01 * Double(index))) < 0.002)
        }
    }

    // MARK: What is in flight

    @Test func `until its turn a connection is served as ever`() throws {
        let rig = try Rig()
        let sockets = (0..<3).map { _ in rig.readySocket() }
        for socket in sockets { rig.subscribe(socket, "a", Self.events) }
        rig.drain(seconds: 10)
        let socket = try #require(sockets.first { rig.outlet.closed[$0] == nil })
        ask(rig, socket)
        rig.subscribe(socket, "b", Self.events)
        rig.createMessage("m1", in: nil)
        let heard = rig.hear(socket)
        #expect(heard.map { $0["type"] } == ["next", "complete", "next", "next"])
        #expect(rig.outlet.closed[socket] == nil)
    }

    @Test func `what is in flight is answered before the close, and nothing new is begun`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        ask(rig, socket, "1")
        rig.drain(seconds: 10)
        #expect(rig.outlet.closed[socket] == nil)
        ask(rig, socket, "2")
        #expect(rig.outlet.asks.count == 1)
        rig.settle()
        rig.endTurn()
        #expect(rig.hear(socket).map { $0["type"] ?? $0["close"] } == ["next", "complete", 1012])
        #expect(rig.shard.cutCount == 0)
    }

    @Test func `an event that waits for related records is sent before the close`() throws {
        let rig = try Rig()
        rig.createThread("t")
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", "subscription { onCreateMessage { id thread { name } } }")
        let writer = rig.open()
        rig.receive(writer, Self.creation("m1", in: "t"))
        rig.settleOnce()
        rig.receive(writer, Self.creation("m2", in: "t"))
        rig.drain(seconds: 10)
        rig.pass(seconds: 2.5)
        #expect(rig.outlet.closed[socket] == nil)
        rig.settle()
        rig.endTurn()
        #expect(rig.hear(socket).map { $0["type"] ?? $0["close"] } == ["next", "next", 1012])
    }

    @Test func `a change that is committed and not told yet is waited for`() throws {
        let rig = try Rig()
        rig.createMessage("m1", in: nil)
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", Self.events)
        let changes = rig.commitUntold("m2")
        rig.drain(seconds: 10)
        rig.pass(seconds: 5)
        #expect(rig.outlet.closed[socket] == nil)
        rig.shard.changed(changes, at: rig.moment)
        rig.endTurn()
        #expect(rig.hear(socket).map { $0["type"] ?? $0["close"] } == ["next", 1012])
    }

    @Test func `a shard that begins later counts from where the store stood`() throws {
        let rig = try Rig()
        rig.createMessage("m1", in: nil)
        let later = try Rig(over: rig.store)
        let socket = later.readySocket()
        later.drain(seconds: 10)
        #expect(later.outlet.closed[socket] == true)
    }

    @Test func `a store that never pauses is waited for in patience, not for ever`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", Self.events)
        var untold = rig.commitUntold("m0")
        rig.drain(seconds: 10)
        for number in 1...10 {
            let next = rig.commitUntold(Text("m\(number)"))
            rig.shard.changed(untold, at: rig.moment)
            untold = next
            rig.pass(seconds: 0.06)
        }
        let heard = rig.hear(socket)
        #expect(heard.last?["close"] == 1012)
        // Half a second in, with all that was committed before its turn, and more.
        #expect((8...10).contains(heard.count))
        #expect(rig.shard.cutCount == 0)
    }

    @Test func `when the time is over the rest is closed with the same code`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        ask(rig, socket)
        let request = rig.open()
        rig.receive(request, Rig.request(Self.query.jsonText))
        rig.drain(seconds: 10)
        rig.pass(seconds: 9.9)
        #expect(rig.outlet.closed[socket] == nil)
        rig.pass(seconds: 0.2)
        #expect(rig.hear(socket).last?["close"] == 1012)
        #expect(rig.outlet.closed[request] == true)
        #expect(rig.shard.counters.connectionsOpen == 0)
        #expect(rig.shard.cutCount == 2)
        #expect(rig.outlet.wakeAt.map { $0 > rig.nanoseconds } ?? true, "it would spin")
    }

    @Test func `no seconds are no waiting, and a stop needs no drain before`() throws {
        for stop in [{ $0.drain(seconds: 0) }, { $0.shard.stop(at: $0.moment) }] as [(Rig) -> Void]
        {
            let rig = try Rig()
            let idle = rig.readySocket()
            let busy = rig.readySocket()
            ask(rig, busy)
            stop(rig)
            for socket in [idle, busy] { #expect(rig.hear(socket).last?["close"] == 1012) }
            #expect(rig.shard.counters.connectionsOpen == 0)
            #expect(rig.shard.cutCount == 1)
        }
    }

    // MARK: HTTP

    @Test func `HTTP connections at rest are closed, busy ones behind their answer`() throws {
        let rig = try Rig()
        let resting = rig.open()
        rig.receive(resting, "GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        #expect(rig.outlet.closed[resting] == nil)
        let busy = rig.open()
        rig.receive(busy, Rig.request(Self.query.jsonText))
        _ = closes(rig, [resting], within: 10)
        #expect(rig.outlet.closed[resting] == true)
        #expect(rig.outlet.closed[busy] == true)
    }

    @Test func `until its turn a connection is told by Connection and healthz`() throws {
        let rig = try Rig()
        let connections = (0..<3).map { _ in rig.open() }
        rig.drain(seconds: 10)
        let open = connections.filter { rig.outlet.closed[$0] == nil }
        rig.receive(open[0], "GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        let health = rig.takeText(open[0])
        #expect(health.hasPrefix("HTTP/1.1 503 ") && health.hasSuffix("draining\n"))
        rig.receive(open[1], Rig.request(Self.query.jsonText))
        rig.settle()
        let answer = rig.takeText(open[1])
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        for text in [health, answer] {
            #expect(text.lowercased().contains("connection: close\r\n"))
        }
        #expect(rig.outlet.closed[open[0]] == true && rig.outlet.closed[open[1]] == true)
    }

    @Test func `a request that is on its way is read to its end and answered`() throws {
        let rig = try Rig()
        let request = Rig.request(Self.query.jsonText)
        for cut in [1, 40, request.utf8.count - 5] {
            let connection = rig.open()
            rig.receive(connection, String(request.prefix(cut)))
            rig.drain(seconds: 10)
            rig.pass(seconds: 2)
            #expect(rig.outlet.closed[connection] == nil)
            rig.receive(connection, String(request.dropFirst(cut)))
            rig.settle()
            #expect(Rig.response(rig.takeBytes(connection)).status == 200)
            #expect(rig.outlet.closed[connection] == true)
        }
    }

    @Test(arguments: [1, 40, 110])
    func `a request that does not come to its end in time is told so`(cut: Int) throws {
        let rig = try Rig()
        let connection = rig.open()
        rig.receive(connection, String(Rig.request(Self.query.jsonText).prefix(cut)))
        rig.drain(seconds: 2)
        rig.pass(seconds: 3)
        let text = rig.takeText(connection)
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        #expect(text.contains("Retry-After: 1\r\n") && text.contains("the hub is stopping"))
        #expect(rig.shard.counters.connectionsOpen == 0)
    }

    @Test func `whoever comes late is served over HTTP, and gets no socket`() throws {
        let rig = try Rig()
        let busy = rig.readySocket()
        ask(rig, busy)
        rig.drain(seconds: 10)
        let (asking, upgrading, silent) = (rig.open(), rig.open(), rig.open())
        rig.receive(asking, Rig.request(Self.query.jsonText))
        rig.receive(
            upgrading,
            "GET /graphql HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n")
        let refusal = rig.takeText(upgrading)
        #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.contains("Retry-After: "))
        rig.settle()
        #expect(Rig.response(rig.takeBytes(asking)).status == 200)
        rig.pass(seconds: 1)
        #expect(rig.outlet.closed[silent] == true)
    }
}
