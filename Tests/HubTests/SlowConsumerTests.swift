import Bytes
import Hub
import JSON
import Testing

private let onCreate = "subscription { onCreateMessage { id body } }"
private let onUpdate = "subscription { onUpdateMessage { id body } }"

extension Rig {
    /// Lets the peer stop reading: so many bytes wait for it.
    fileprivate func stall(_ socket: UInt64, waiting: Int = 70_000) {
        outlet.waiting[socket] = waiting
    }

    /// Lets the peer read all that it was sent, as often as the shard asks for that.
    fileprivate func catchUp(_ socket: UInt64) {
        outlet.waiting[socket] = 0
        while drain(socket) {}
    }

    /// Tells once that all was read, if that was asked for.
    @discardableResult fileprivate func drain(_ socket: UInt64) -> Bool {
        guard outlet.awaited.removeValue(forKey: socket) != nil else { return false }
        shard.drained(socket, at: moment)
        return true
    }

    fileprivate func updateMessage(_ id: String, _ body: String) {
        _ = post(
            "mutation($i: UpdateMessageInput!) { updateMessage(input: $i) { id } }",
            ["i": ["id": .string(Text(id)), "body": .string(Text(body))]])
    }
}

/// What a client makes of the events that it heard.
private struct Heard: Equatable {
    var bodies: [String] = []
    /// `dropped` or `replaced` of each event, 0 where it says nothing.
    var notes: [Int] = []

    init(bodies: [String] = [], notes: [Int] = []) {
        self.bodies = bodies
        self.notes = notes
    }

    init(_ messages: [JSONValue], _ note: Text = "dropped") {
        for message in messages where message["type"] == "next" || message["type"] == "data" {
            let payload = message["payload"]
            let record = payload?["data"]?.object?.members.first?.value
            bodies.append(record?["body"]?.text?.string ?? "?")
            notes.append(
                Int(payload?["extensions"]?["heliograph"]?[note]?.integer ?? 0))
        }
    }
}

/// Subscribers that stop reading, under each policy.
@Suite struct SlowConsumerTests {
    enum Peer: CaseIterable {
        case transportWS, legacyWS, appSync

        /// A subscriber of this dialect that has been acknowledged.
        func subscribed(
            _ rig: Rig, _ query: String, deflate: Bool = false, options: JSONValue? = nil,
            init initPayload: JSONValue = [:]
        ) -> UInt64 {
            let socket = rig.socket(
                self == .transportWS ? "graphql-transport-ws" : "graphql-ws",
                target: self == .appSync ? "/graphql/realtime" : "/graphql",
                headers: deflate ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : "")
            rig.say(socket, ["type": "connection_init", "payload": initPayload])
            rig.say(socket, start("s", query, options))
            rig.settle()
            return socket
        }

        func start(_ id: JSONValue, _ query: String, _ options: JSONValue? = nil) -> JSONValue {
            let operation: JSONObject = ["query": .string(Text(query))]
            var payload = operation
            if self == .appSync {
                payload = [
                    "data": .string(Text(JSONValue.object(operation).jsonText)),
                    "extensions": ["authorization": ["host": "hub"]],
                ]
            }
            if let options {
                var extensions = payload["extensions"]?.object ?? [:]
                extensions["heliograph"] = options
                payload["extensions"] = .object(extensions)
            }
            return [
                "id": id, "type": self == .transportWS ? "subscribe" : "start",
                "payload": .object(payload),
            ]
        }

        var slowCode: JSONValue { self == .appSync ? 1008 : 1013 }
    }

    /// Bodies long enough to be compressed, or not.
    private static func body(_ name: String, long: Bool) -> String {
        long ? name + String(repeating: " and all the neighbours", count: 100) : name
    }

    @Test(arguments: Peer.allCases, [false, true])
    func `drop-oldest: the newest events come, and the first says how many it follows on`(
        peer: Peer, long: Bool
    ) throws {
        let rig = try Rig(slow: .dropOldest) { $0.parkedBytesMax = 3 * (long ? 2_600 : 200) }
        for deflate in [false, true] {
            let slow = peer.subscribed(rig, onCreate, deflate: deflate)
            let quick = peer.subscribed(rig, onCreate, deflate: deflate)
            _ = [rig.hear(slow), rig.hear(quick)]
            rig.stall(slow)
            let bodies = (0..<40).map { Self.body("m\($0)", long: long) }
            for (index, body) in bodies.enumerated() {
                rig.createMessage("\(deflate)\(index)", in: nil, body)
            }
            // What was sent before the hub knew, and nothing more until it is read.
            #expect(Heard(rig.hear(slow)).bodies == [bodies[0]])
            #expect(rig.outlet.closed[slow] == nil)
            rig.catchUp(slow)
            let heard = Heard(rig.hear(slow))
            // Compressed, more of them fit.
            #expect(heard.bodies.count >= 3)
            #expect(heard.bodies == bodies.suffix(heard.bodies.count))
            #expect(heard.notes.reduce(0, +) == 39 - heard.bodies.count)
            #expect(heard.notes.dropFirst().allSatisfy { $0 == 0 })
            rig.createMessage("\(deflate)last", in: nil, "last")
            #expect(Heard(rig.hear(slow)) == Heard(bodies: ["last"], notes: [0]))
            #expect(Heard(rig.hear(quick)).bodies == bodies + ["last"])
            rig.shard.closed(slow, at: rig.moment)
            rig.shard.closed(quick, at: rig.moment)
        }
        #expect(rig.shard.counters.eventsDropped > 0)
        #expect(rig.shard.counters.slowConsumers == 0)
        #expect(rig.shard.counters.parkedBytes == 0)
        let all = rig.shard.counters
        #expect(all.deliveries + all.eventsDropped == 4 * 41)
    }

    @Test(arguments: Peer.allCases, [false, true])
    func `latest: the newest event of each record comes and says how many it stands for`(
        peer: Peer, long: Bool
    ) throws {
        let rig = try Rig(slow: .latest)
        for id in ["a", "b", "c"] { rig.createMessage(id, in: nil) }
        for deflate in [false, true] {
            let slow = peer.subscribed(rig, onUpdate, deflate: deflate)
            let quick = peer.subscribed(rig, onUpdate, deflate: deflate)
            _ = [rig.hear(slow), rig.hear(quick)]
            rig.stall(slow)
            func body(_ name: String) -> String { Self.body(name, long: long) }
            for name in ["a0", "a1", "b1", "a2", "a3", "c1", "b2"] {
                rig.updateMessage(String(name.prefix(1)), body(name))
            }
            #expect(Heard(rig.hear(slow)).bodies == [body("a0")])
            rig.catchUp(slow)
            #expect(
                Heard(rig.hear(slow), "replaced")
                    == Heard(bodies: [body("a3"), body("b2"), body("c1")], notes: [2, 1, 0]))
            #expect(Heard(rig.hear(quick)).bodies.count == 7)
            rig.updateMessage("a", "again")
            #expect(Heard(rig.hear(slow), "replaced") == Heard(bodies: ["again"], notes: [0]))
            rig.shard.closed(slow, at: rig.moment)
            rig.shard.closed(quick, at: rig.moment)
        }
        #expect(rig.shard.counters.eventsReplaced == 6)
        #expect(rig.shard.counters.parkedBytes == 0)
    }

    @Test(arguments: Peer.allCases)
    func `close: the code is one after which clients come again, the reason says the bytes`(
        peer: Peer
    ) throws {
        let rig = try Rig()
        let slow = peer.subscribed(rig, onCreate)
        let quick = peer.subscribed(rig, onCreate)
        rig.stall(slow, waiting: 4_194_304)
        rig.createMessage("m0", in: nil)
        #expect(rig.outlet.closed[slow] == nil)
        rig.stall(slow, waiting: 4_194_305)
        rig.createMessage("m1", in: nil)
        let last = rig.hear(slow).last
        #expect(last?["close"] == peer.slowCode)
        #expect(last?["reason"] == "4194305 bytes wait unread, over the limit of 4194304")
        #expect(Heard(rig.hear(quick)).bodies.count == 2)
        #expect(rig.shard.counters.slowConsumers == 1)
    }

    @Test(arguments: Peer.allCases)
    func `latest: when the newest events alone are too many the connection is closed`(
        peer: Peer
    ) throws {
        let rig = try Rig(slow: .latest) { $0.parkedBytesMax = 1_000 }
        let slow = peer.subscribed(rig, onCreate)
        rig.stall(slow)
        var count = 0
        while rig.outlet.closed[slow] == nil, count < 20 {
            count += 1
            rig.createMessage("m\(count)", in: nil)
        }
        #expect((5...8).contains(count))
        let last = rig.hear(slow).last
        #expect(last?["close"] == peer.slowCode)
        let reason = last?["reason"]?.text?.string ?? ""
        #expect(reason.hasSuffix(" bytes wait unread, over the limit of 1000"), "\(reason)")
        #expect(rig.shard.counters.slowConsumers == 1)
        #expect(rig.shard.counters.parkedBytes == 0)
    }

    // MARK: Choosing

    @Test(arguments: Peer.allCases)
    func `a client chooses for its connection, and otherwise for a subscription`(
        peer: Peer
    ) throws {
        let rig = try Rig(slow: .close) { $0.parkedBytesMax = 300 }
        let chosen: JSONValue = ["slowConsumer": "drop-oldest"]
        let sockets = [
            peer.subscribed(rig, onCreate, init: ["heliograph": chosen]),
            peer.subscribed(rig, onCreate, options: chosen),
            peer.subscribed(
                rig, onCreate, options: ["slowConsumer": "close"], init: ["heliograph": chosen]),
            peer.subscribed(rig, onCreate, options: [:], init: ["heliograph": nil]),
        ]
        for socket in sockets { rig.stall(socket) }
        for number in 0..<4 { rig.createMessage("m\(number)", in: nil) }
        for (index, socket) in sockets.enumerated() {
            let count = Heard(rig.hear(socket)).bodies.count
            #expect(count == (index < 2 ? 1 : 4), "socket \(index)")
            rig.catchUp(socket)
            let notes = Heard(rig.hear(socket)).notes
            #expect(notes == (index < 2 ? [2] : []), "socket \(index)")
        }
    }

    @Test(arguments: Peer.allCases, ["fast", "", "DROP-OLDEST", "7", "null"])
    func `a value that is not one is refused with those that are`(
        peer: Peer, value: String
    ) throws {
        let rig = try Rig()
        let wrong: JSONValue =
            switch value {
            case "7": ["slowConsumer": 7]
            case "null": "latest"
            default: ["slowConsumer": .string(Text(value))]
            }
        let want =
            value == "null"
            ? "heliograph is an object"
            : "heliograph.slowConsumer takes close, drop-oldest or latest"
        let socket = peer.subscribed(rig, onCreate, options: wrong)
        let refusal = rig.hear(socket).last
        #expect(refusal?["type"] == "error")
        #expect(refusal?["id"] == "s")
        #expect(refusal?.jsonText.contains(want) == true)
        #expect(rig.shard.counters.subscriptionsLive == 0)
        rig.say(socket, peer.start("s", onCreate, ["slowConsumer": "latest"]))
        #expect(rig.shard.counters.subscriptionsLive == 1)

        let other = peer.subscribed(rig, onCreate, init: ["heliograph": wrong])
        let heard = rig.hear(other)
        #expect(heard.last?["close"] == 4400)
        #expect(heard.last?["reason"]?.text?.string.hasSuffix(want) == true)
        #expect(
            heard.dropLast().map { $0["type"] }
                == (peer == .transportWS ? [] : ["connection_error"]))
        #expect(rig.outlet.closed[other] == true)
    }

    // MARK: What waits, and when it goes

    @Test func `events go out in portions, each when the peer has read the last one`() throws {
        let rig = try Rig(slow: .dropOldest) { $0.parkingBytesMin = 1_000 }
        let slow = rig.readySocket()
        rig.subscribe(slow, "s", onCreate)
        rig.stall(slow)
        let body = String(repeating: "x", count: 400)
        for number in 0..<9 { rig.createMessage("m\(number)", in: nil, body) }
        _ = rig.hear(slow)
        rig.outlet.waiting[slow] = 0
        var portions: [Int] = []
        while rig.drain(slow) { portions.append(rig.hear(slow).count) }
        #expect(portions == [3, 3, 2])
        // While some are parked, new ones queue up behind them.
        rig.stall(slow)
        for number in 10..<18 { rig.createMessage("m\(number)", in: nil, body) }
        rig.outlet.waiting[slow] = 0
        rig.drain(slow)
        rig.createMessage("m18", in: nil, body)
        rig.catchUp(slow)
        let ids = rig.hear(slow).map { $0["payload"]?["data"]?["onCreateMessage"]?["id"] }
        #expect(ids == (10..<19).map { .string(Text("m\($0)")) })
        #expect(rig.shard.counters.eventsDropped == 0)
    }

    @Test func `where events are parked from the first byte on, each is a portion of its own`()
        throws
    {
        let rig = try Rig(slow: .dropOldest) { $0.parkingBytesMin = 0 }
        let slow = rig.readySocket()
        rig.subscribe(slow, "s", onCreate)
        rig.stall(slow, waiting: 1)
        for number in 0..<4 { rig.createMessage("m\(number)", in: nil) }
        #expect(rig.hear(slow).count == 1)
        rig.outlet.waiting[slow] = 0
        for _ in 0..<3 {
            #expect(rig.drain(slow))
            #expect(rig.hear(slow).count == 1)
        }
        #expect(!rig.drain(slow))
    }

    @Test func `all subscriptions of a slow connection are held, those of its neighbours are not`()
        throws
    {
        let rig = try Rig(slow: .dropOldest)
        let slow = rig.readySocket()
        let quick = rig.readySocket()
        for id in ["a", "b"] as [Text] {
            rig.subscribe(slow, id, onCreate)
            rig.subscribe(quick, id, onCreate)
        }
        rig.stall(slow)
        rig.createMessage("m0", in: nil)
        // The first event was too much, so the second subscription's was parked at once.
        #expect(rig.hear(slow).map { $0["id"] } == ["a"])
        rig.subscribe(slow, "c", onCreate)
        rig.createMessage("m1", in: nil)
        #expect(rig.hear(slow) == [])
        #expect(rig.hear(quick).count == 4)
        rig.catchUp(slow)
        #expect(rig.hear(slow).map { $0["id"] } == ["b", "a", "b", "c"])
        rig.createMessage("m2", in: nil)
        #expect(rig.hear(slow).map { $0["id"] } == ["a", "b", "c"])
    }

    @Test func `an event that alone is too large is dropped, and the next one says so at once`()
        throws
    {
        let rig = try Rig(slow: .dropOldest) { $0.parkedBytesMax = 1_000 }
        let slow = rig.readySocket()
        rig.subscribe(slow, "s", onCreate)
        rig.stall(slow)
        rig.createMessage("m0", in: nil)
        rig.createMessage("m1", in: nil, String(repeating: "x", count: 2_000))
        _ = rig.hear(slow)
        rig.catchUp(slow)
        #expect(rig.hear(slow) == [])
        rig.createMessage("m2", in: nil, "after")
        rig.createMessage("m3", in: nil, "more")
        #expect(Heard(rig.hear(slow)) == Heard(bodies: ["after", "more"], notes: [1, 0]))
        // And if it is slow again just then, it is held again.
        rig.stall(slow)
        rig.createMessage("m4", in: nil, "four")
        rig.createMessage("m5", in: nil, String(repeating: "x", count: 2_000))
        rig.outlet.waiting[slow] = 0
        rig.drain(slow)
        rig.stall(slow)
        rig.createMessage("m6", in: nil, "six")
        rig.createMessage("m7", in: nil, "seven")
        #expect(Heard(rig.hear(slow)) == Heard(bodies: ["four", "six"], notes: [0, 1]))
        rig.catchUp(slow)
        #expect(Heard(rig.hear(slow)) == Heard(bodies: ["seven"], notes: [0]))
    }

    @Test func `what is parked for a subscription goes with it, and its id starts anew`() throws {
        let rig = try Rig(slow: .dropOldest)
        let slow = rig.readySocket()
        for id in ["a", "b"] as [Text] { rig.subscribe(slow, id, onCreate) }
        rig.stall(slow)
        for number in 0..<5 { rig.createMessage("m\(number)", in: nil) }
        _ = rig.hear(slow)
        let parked = rig.shard.counters.parkedBytes
        rig.say(slow, ["id": "a", "type": "complete"])
        #expect((1..<parked).contains(rig.shard.counters.parkedBytes))
        rig.subscribe(slow, "a", onCreate)
        rig.catchUp(slow)
        #expect(rig.hear(slow).allSatisfy { $0["id"] == "b" })
        rig.createMessage("m9", in: nil)
        #expect(rig.hear(slow).map { $0["id"] } == ["b", "a"])
        rig.stall(slow)
        for number in 10..<14 { rig.createMessage("m\(number)", in: nil) }
        rig.shard.closed(slow, at: rig.moment)
        #expect(rig.shard.counters.parkedBytes == 0)
        #expect(rig.shard.counters.subscriptionsLive == 0)
        // The network may be late with its news.
        rig.shard.drained(slow, at: rig.moment)
    }

    @Test func `a connection that the hub closes gets what is parked before the close`() throws {
        let rig = try Rig(slow: .latest)
        let slow = rig.readySocket()
        rig.subscribe(slow, "s", onCreate)
        rig.stall(slow)
        for number in 0..<4 { rig.createMessage("m\(number)", in: nil, "\(number)") }
        rig.drain(seconds: 10)
        rig.pass(seconds: 10)
        let heard = rig.hear(slow)
        #expect(Heard(heard).bodies == ["0", "1", "2", "3"])
        #expect(heard.last?["close"] == 1012)
        #expect(rig.shard.counters.parkedBytes == 0)
    }

    @Test func `answers do not wait, and too many unread ones close whatever the policy`() throws {
        let rig = try Rig(slow: .dropOldest)
        let slow = rig.readySocket()
        rig.subscribe(slow, "s", onCreate)
        rig.stall(slow)
        rig.createMessage("m0", in: nil)
        rig.createMessage("m1", in: nil)
        _ = rig.hear(slow)
        rig.subscribe(slow, "q", "{ getMessage(id: \"m1\") { id } }")
        #expect(rig.hear(slow).map { $0["type"] } == ["next", "complete"])
        rig.stall(slow, waiting: 5_000_000)
        rig.say(slow, ["type": "ping"])
        #expect(rig.hear(slow).last?["close"] == 1013)
        #expect(rig.shard.counters.parkedBytes == 0)
    }

    @Test func `events that have to read related records are parked like others`() throws {
        let rig = try Rig(slow: .latest)
        rig.createThread("t")
        rig.createMessage("m", in: "t")
        let slow = rig.readySocket()
        rig.subscribe(slow, "s", "subscription { onUpdateMessage { body thread { name } } }")
        rig.stall(slow)
        for number in 0..<4 { rig.updateMessage("m", "\(number)") }
        #expect(Heard(rig.hear(slow)).bodies == ["0"])
        rig.catchUp(slow)
        let heard = rig.hear(slow)
        #expect(Heard(heard, "replaced") == Heard(bodies: ["3"], notes: [2]))
        let record = heard.first?["payload"]?["data"]?["onUpdateMessage"]
        #expect(record?["thread"]?["name"] == "name of t")
    }
}
