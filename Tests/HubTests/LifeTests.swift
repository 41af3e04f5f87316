import Bytes
import Hub
import JSON
import Store
import Testing

/// Limits, silence and the end, as peers see them.
@Suite struct LifeTests {
    private static let text = "subscription { onCreateMessage { id body } }"

    @Test func `a slow reader is closed alone, with a code after which it comes again`() throws {
        let rig = try Rig { $0.outboxBytesMax = 1_000 }
        let slow = rig.readySocket()
        let quick = rig.readySocket()
        rig.subscribe(slow, "a", Self.text)
        rig.subscribe(quick, "a", Self.text)
        rig.outlet.waiting[slow] = 1_001
        rig.createMessage("m1", in: nil)
        #expect(rig.hear(slow).last?["close"] == 1013)
        #expect(rig.hear(slow).last?["reason"] == nil)
        rig.createMessage("m2", in: nil)
        #expect(rig.hear(quick).count == 2)
        #expect(rig.shard.counters.slowConsumers == 1)
    }

    @Test func `a silent socket is pinged and then dropped`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.nanoseconds += 21_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.takeBytes(socket) == [0x89, 0x00])
        rig.nanoseconds += 30_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.outlet.closed[socket] == false)
    }

    @Test func `a slow reader with two subscriptions is counted once`() throws {
        let rig = try Rig { $0.outboxBytesMax = 1_000 }
        let slow = rig.readySocket()
        rig.subscribe(slow, "a", Self.text)
        rig.subscribe(slow, "b", Self.text)
        rig.outlet.waiting[slow] = 1_001
        rig.createMessage("m1", in: nil)
        #expect(rig.shard.counters.slowConsumers == 1)
        #expect(rig.shard.counters.subscriptionsLive == 0)
    }

    @Test func `one subscription too many is refused and the others go on`() throws {
        let rig = try Rig { $0.subscriptionsPerConnectionMax = 2 }
        let socket = rig.readySocket()
        for id in ["1", "2", "3"] { rig.subscribe(socket, .init(id), Self.text) }
        let heard = rig.hear(socket)
        #expect(heard.count == 1)
        #expect(heard.first?["id"] == "3")
        #expect(heard.first?["type"] == "error")
        rig.createMessage("m1", in: nil)
        #expect(rig.hear(socket).count == 2)
    }

    @Test func `a subscription that would hold much memory is refused, a query as long is not`()
        throws
    {
        let rig = try Rig()
        let socket = rig.readySocket()
        let long = JSONValue.string(.init(String(repeating: "x", count: 70_000)))
        rig.subscribe(
            socket, "1", "subscription($b: String) { onCreateMessage(body: $b) { id } }",
            ["b": long])
        #expect(rig.hear(socket).map { $0["type"] } == ["error"])
        rig.subscribe(
            socket, "1",
            "query($b: String) { listMessages(filter: {body: {eq: $b}}) { nextToken } }",
            ["b": long])
        #expect(rig.hear(socket).map { $0["type"] } == ["next", "complete"])
        #expect(rig.shard.groupCount == 0)
    }

    @Test func `changes that pile up behind a slow event are bounded`() throws {
        let rig = try Rig { $0.changesPerGroupMax = 3 }
        rig.createThread("t")
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", "subscription { onCreateMessage { thread { name } } }")
        for number in 0..<6 {
            let connection = rig.open()
            let text =
                "mutation { createMessage(input: {id: \"\(number)\", body: \"\", messageThreadId: \"t\"}) { id } }"
            let body: JSONValue = ["query": .string(.init(text))]
            rig.receive(connection, Rig.request(body.jsonText))
        }
        rig.settle()
        #expect(rig.hear(socket).last?["close"] == 1013)
        #expect(rig.shard.counters.groupsOverrun > 0)
        #expect(rig.shard.groupCount == 0)
    }
}
