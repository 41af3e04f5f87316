import Bytes
import Hub
import JSON
import Store
import Testing

private let onMessage =
    "subscription($t: ID) { onCreateMessage(messageThreadId: $t) { id body thread { name } } }"
private let onReply = """
    subscription($t: ID!) {
      onCreateReply(filter: {message: {thread: {id: {eq: $t}}}}) { body message { body } } }
    """

extension Rig {
    @discardableResult func createThread(_ id: String) -> JSONValue {
        post(
            "mutation($i: CreateThreadInput!) { createThread(input: $i) { id } }",
            [
                "i": [
                    "id": .string(.init(id)), "name": .string(.init("name of \(id)")),
                    "location": "x",
                ]
            ]
        ).body
    }

    @discardableResult func createMessage(
        _ id: String, in thread: String?, _ body: String = "hi"
    ) -> JSONValue {
        var input: JSONObject = ["id": .string(.init(id)), "body": .string(.init(body))]
        if let thread { input["messageThreadId"] = .string(.init(thread)) }
        return post(
            "mutation($i: CreateMessageInput!) { createMessage(input: $i) { id } }",
            ["i": .object(input)]
        ).body
    }

    @discardableResult func createReply(_ id: String, to message: String) -> JSONValue {
        post(
            "mutation($i: CreateReplyInput!) { createReply(input: $i) { id } }",
            [
                "i": [
                    "id": .string(.init(id)), "body": .string(.init("re \(id)")),
                    "replyMessageId": .string(.init(message)),
                ]
            ]
        ).body
    }

    /// The data of all `next` messages under the id.
    func events(_ connection: UInt64, _ id: JSONValue) -> [JSONValue] {
        hear(connection).filter { $0["id"] == id && $0["type"] == "next" }
            .compactMap { $0["payload"]?["data"] }
    }
}

@Suite struct SubscriptionTests {
    @Test func `each subscriber gets the messages of its own thread with all it selects`() throws {
        let rig = try Rig()
        rig.createThread("t1")
        rig.createThread("t2")
        let first = rig.readySocket()
        let second = rig.readySocket()
        rig.subscribe(first, "a", onMessage, ["t": "t1"])
        rig.subscribe(second, "b", onMessage, ["t": "t2"])
        rig.createMessage("m1", in: "t1")
        rig.createMessage("m2", in: "t2")
        rig.createMessage("m3", in: nil)
        #expect(
            rig.events(first, "a") == [
                ["onCreateMessage": ["id": "m1", "body": "hi", "thread": ["name": "name of t1"]]]
            ])
        #expect(
            rig.events(second, "b") == [
                ["onCreateMessage": ["id": "m2", "body": "hi", "thread": ["name": "name of t2"]]]
            ])
    }

    @Test func `an omitted argument tests nothing and an explicit null asks for null`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.subscribe(socket, "all", onMessage)
        rig.subscribe(socket, "none", onMessage, ["t": .null])
        rig.createMessage("m1", in: "t1")
        rig.createMessage("m2", in: nil)
        let heard = rig.hear(socket)
        func bodies(_ id: JSONValue) -> [JSONValue] {
            heard.filter { $0["id"] == id }.compactMap {
                $0["payload"]?["data"]?["onCreateMessage"]?["id"]
            }
        }
        #expect(bodies("all") == ["m1", "m2"])
        #expect(bodies("none") == ["m2"])
    }

    @Test func `replies are filtered by the thread of their message`() throws {
        let rig = try Rig()
        rig.createThread("t1")
        rig.createMessage("m1", in: "t1", "in one")
        rig.createMessage("m2", in: "t2", "in two")
        let socket = rig.readySocket()
        rig.subscribe(socket, "r", onReply, ["t": "t1"])
        rig.createReply("r1", to: "m1")
        rig.createReply("r2", to: "m2")
        rig.createReply("r3", to: "nothing")
        #expect(
            rig.events(socket, "r") == [
                ["onCreateReply": ["body": "re r1", "message": ["body": "in one"]]]
            ])
    }

    @Test func `after complete nothing comes and the id can be used again`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", onMessage)
        rig.say(socket, ["id": "a", "type": "complete"])
        rig.createMessage("m1", in: nil)
        #expect(rig.hear(socket) == [])
        rig.subscribe(socket, "a", onMessage)
        rig.createMessage("m2", in: nil)
        #expect(rig.events(socket, "a").count == 1)
        #expect(rig.shard.counters.subscriptionsLive == 1)
    }

    @Test func `ending one of two equal subscriptions leaves the other`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        let other = rig.readySocket()
        rig.subscribe(socket, "a", onMessage)
        rig.subscribe(socket, "b", onMessage)
        rig.subscribe(other, "a", onMessage)
        rig.say(socket, ["id": "a", "type": "complete"])
        rig.shard.closed(other, at: rig.moment)
        rig.createMessage("m1", in: nil)
        #expect(rig.hear(socket).map { $0["id"] } == ["b"])
        #expect(rig.shard.counters.subscriptionsLive == 1)
    }

    @Test func `a change committed before the subscription is not sent though it is told after`()
        throws
    {
        let rig = try Rig()
        let connection = rig.open()
        let body: JSONValue = [
            "query": "mutation { createMessage(input: {id: \"m0\", body: \"early\"}) { id } }"
        ]
        rig.receive(connection, Rig.request(body.jsonText))
        // The store has committed, the shard is not told yet.
        let asks = rig.outlet.asks
        rig.outlet.asks = []
        let results = rig.store.perform(asks.flatMap(\.requests))
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", onMessage)
        rig.shard.answered(asks[0].ticket, results.answers, at: rig.moment)
        rig.shard.changed(results.changes, at: rig.moment)
        rig.settle()
        rig.createMessage("m1", in: nil)
        #expect(rig.events(socket, "a").map { $0["onCreateMessage"]?["id"] } == ["m1"])
    }

    @Test func `events of one subscription keep the order of commits though some wait longer`()
        throws
    {
        let rig = try Rig()
        rig.createThread("t1")
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", onMessage)
        // The first and third event have to read a thread, the second has none to read.
        let connection = rig.open()
        let body: JSONValue = [
            "query": """
            mutation { a: createMessage(input: {id: "1", body: "x", messageThreadId: "t1"}) { id }
              b: createMessage(input: {id: "2", body: "x"}) { id }
              c: createMessage(input: {id: "3", body: "x", messageThreadId: "t1"}) { id } }
            """
        ]
        rig.receive(connection, Rig.request(body.jsonText))
        rig.settle()
        #expect(
            rig.events(socket, "a").map { $0["onCreateMessage"]?["id"] } == ["1", "2", "3"])
    }

    @Test func `a failed write sends nothing`() throws {
        let rig = try Rig()
        rig.createMessage("m1", in: nil)
        let socket = rig.readySocket()
        rig.subscribe(socket, "a", onMessage)
        let again = rig.createMessage("m1", in: nil)
        #expect(again["errors"] != nil)
        #expect(rig.hear(socket) == [])
    }

    @Test
    func `a subscription whose relations cannot be watched is refused and can be tried again`()
        throws
    {
        let rig = try Rig()
        rig.createMessage("m1", in: "t1")
        let socket = rig.readySocket()
        rig.beginSubscription(socket, "r", onReply, ["t": "t1"])
        rig.failAsks()
        #expect(rig.hear(socket).map { $0["type"] } == ["error"])
        #expect(rig.shard.groupCount == 0)
        // What was never watched is not taken back either: the store counts.
        #expect(rig.outlet.asks.isEmpty)
        rig.subscribe(socket, "r", onReply, ["t": "t1"])
        rig.createReply("r1", to: "m1")
        #expect(rig.events(socket, "r").count == 1)
    }

    @Test func `a watch is taken back once, also if its subscriber went before it was there`()
        throws
    {
        let rig = try Rig()
        let socket = rig.readySocket()
        for isFailure in [true, false] {
            rig.beginSubscription(socket, "r", onReply, ["t": "t1"])
            rig.say(socket, ["id": "r", "type": "complete"])
            #expect(rig.outlet.asks.count == 1)
            if isFailure { rig.failAsks() } else { rig.settleOnce() }
            #expect(rig.outlet.asks.map(\.requests.count) == (isFailure ? [] : [1]))
            rig.settle()
        }
        #expect(rig.shard.groupCount == 0)
        #expect(rig.shard.openTicketCount == 0)
    }

    @Test func `a slow subscriber does not end the group that others are just joining`() throws {
        let rig = try Rig { $0.outboxBytesMax = 1_000 }
        rig.createMessage("m1", in: "t1")
        // AppSync's clients are told that they are live, and one of them does not read.
        let sockets = (0..<2).map { _ in
            let socket = rig.socket("graphql-ws", target: "/graphql/realtime")
            rig.say(socket, ["type": "connection_init"])
            rig.say(
                socket,
                [
                    "id": "r", "type": "start",
                    "payload": ["query": .string(.init(onReply)), "variables": ["t": "t1"]],
                ])
            _ = rig.hear(socket)
            return socket
        }
        rig.outlet.waiting[sockets[0]] = 1_001
        rig.settle()
        #expect(rig.outlet.closed[sockets[0]] == true)
        rig.createReply("r1", to: "m1")
        #expect(rig.hear(sockets[1]).map { $0["type"] } == ["start_ack", "data"])
    }

    @Test func `all that a closed connection had open is given back`() throws {
        let rig = try Rig()
        for _ in 0..<3 {
            let socket = rig.readySocket()
            for number in 0..<20 {
                rig.subscribe(
                    socket, .init("\(number)"), number % 2 == 0 ? onMessage : onReply, ["t": "t"])
            }
            rig.shard.closed(socket, at: rig.moment)
            rig.settle()
        }
        #expect(rig.shard.counters.subscriptionsLive == 0)
        #expect(rig.shard.counters.connectionsOpen == 0)
        #expect(rig.shard.groupCount == 0)
        #expect(rig.shard.openTicketCount == 0)
    }
}
