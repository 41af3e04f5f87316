import Bytes
import Hub
import JSON
import Testing

private let onMessage = "subscription { onCreateMessage { id body } }"

@Suite struct CompressionTests {
    private static func offer(_ parameters: String = "") -> String {
        "Sec-WebSocket-Extensions: permessage-deflate\(parameters)\r\n"
    }

    /// Text with something to compress.
    private func body(_ count: Int) -> String {
        String(
            String(repeating: "all the neighbours of the nation ", count: count / 30 + 1).prefix(
                count))
    }

    @Test func `an event is compressed once for all who agreed, and plain for the others`() throws {
        let rig = try Rig()
        let plain = rig.readySocket()
        let compressing = (0..<5).map { _ in rig.readySocket(headers: Self.offer()) }
        rig.subscribe(plain, "p", onMessage)
        for (index, socket) in compressing.enumerated() {
            rig.subscribe(socket, Text(String(repeating: "id", count: index * 30 + 1)), onMessage)
            rig.subscribe(socket, "second", onMessage)
        }
        for round in 1...3 {
            let body = body(3_000 + round)
            rig.createMessage("m\(round)", in: nil, body)
            let want: JSONValue = [
                "onCreateMessage": ["id": .string(Text("m\(round)")), "body": .string(Text(body))]
            ]
            #expect(rig.outlet.sent[plain]?[0] == 0x81)
            #expect(rig.events(plain, "p") == [want])
            for (index, socket) in compressing.enumerated() {
                #expect(rig.outlet.sent[socket]?[0] == 0xc1)
                #expect(rig.outlet.sent[socket]!.count < 1_000)
                let heard = rig.hear(socket)
                #expect(heard.map { $0["payload"]?["data"] } == [want, want])
                let id = String(repeating: "id", count: index * 30 + 1)
                #expect(Set(heard.compactMap { $0["id"] }) == [.string(Text(id)), "second"])
            }
            #expect(rig.shard.counters.compressions == UInt64(round))
        }
        #expect(rig.shard.counters.deliveries == 33)
    }

    @Test func `payloads below 1 KiB go as they are`() throws {
        let rig = try Rig()
        let plain = rig.readySocket()
        let socket = rig.readySocket(headers: Self.offer())
        rig.subscribe(plain, "a", onMessage)
        rig.subscribe(socket, "a", onMessage)
        let around = #"{"id":"a","type":"next","payload":}"#.utf8.count
        var seen: Set<Bool> = []
        for count in 950..<1_000 {
            rig.createMessage("m\(count)", in: nil, body(count))
            let frame = rig.takeBytes(plain)
            let payloadCount = frame.count - 4 - around
            let isCompressed = rig.outlet.sent[socket]?[0] == 0xc1
            #expect(isCompressed == (payloadCount >= 1_024), "\(payloadCount) bytes")
            #expect(rig.hear(socket).count == 1)
            seen.insert(isCompressed)
        }
        #expect(seen == [true, false])
    }

    // B035
    @Test func `each agreed window is kept, and each is compressed for once`() throws {
        let rig = try Rig()
        let small = (0..<3).map { _ in
            rig.readySocket(headers: Self.offer("; server_max_window_bits=9"))
        }
        let large = (0..<3).map { _ in rig.readySocket(headers: Self.offer()) }
        let none = rig.readySocket(headers: Self.offer("; server_max_window_bits=8"))
        for socket in small + large + [none] { rig.subscribe(socket, "a", onMessage) }
        rig.createMessage("m", in: nil, body(5_000))
        #expect(rig.outlet.sent[none]?[0] == 0x81)
        for socket in small + large + [none] {
            #expect(rig.events(socket, "a").count == 1)
        }
        #expect(rig.shard.counters.compressions == 2)
    }

    @Test(arguments: ["graphql-transport-ws", "graphql-ws"])
    func `answers are compressed for who agreed, whatever the dialect`(dialect: String) throws {
        let rig = try Rig()
        rig.createMessage("m", in: nil, body(4_000))
        for (headers, first) in [("", UInt8(0x81)), (Self.offer(), 0xc1)] {
            let socket = rig.readySocket(dialect, headers: headers)
            _ = rig.takeBytes(socket)
            let request: JSONValue = [
                "id": "q", "type": dialect == "graphql-ws" ? "start" : "subscribe",
                "payload": ["query": "{ getMessage(id: \"m\") { body } }"],
            ]
            rig.say(socket, request)
            rig.settle()
            #expect(rig.outlet.sent[socket]?[0] == first)
            let data = rig.hear(socket).first?["payload"]?["data"]
            #expect(data == ["getMessage": ["body": .string(Text(body(4_000)))]])
        }
    }

    // B036, B039
    @Test func `clients may compress, in fragments too, and need not always`() throws {
        let rig = try Rig()
        let socket = rig.socket(headers: Self.offer())
        rig.sayCompressed(socket, #"{"type":"connection_init"}"#)
        #expect(rig.hear(socket).first?["type"] == "connection_ack")
        for round in 0..<6 {
            let message: JSONValue = [
                "id": .string(Text("\(round)")), "type": "subscribe",
                "payload": ["query": "mutation { createMessage(input: {body: \"x\"}) { body } }"],
            ]
            switch round % 3 {
            case 0: rig.sayCompressed(socket, message.jsonText)
            case 1: rig.say(socket, message)
            default: rig.sayCompressed(socket, message.jsonText, fragmentBytes: 7)
            }
            rig.settle()
            #expect(
                rig.events(socket, .string(Text("\(round)")))
                    == [["createMessage": ["body": "x"]]])
        }
    }

    // B043
    @Test func `a message that inflates beyond the limit closes its sender alone`() throws {
        let rig = try Rig { $0.messageBytesMax = 2_000 }
        let ping = #"{"type":"ping","payload":{"x":""}}"#
        for count in 1_999...2_003 {
            let socket = rig.readySocket(headers: Self.offer())
            let text = ping.replacing(
                "\"\"", with: "\"" + String(repeating: "a", count: count - ping.utf8.count) + "\"")
            #expect(text.utf8.count == count)
            rig.sayCompressed(socket, text)
            let heard = rig.hear(socket)
            if count <= 2_000 {
                #expect(heard.map { $0["type"] } == ["pong"])
            } else {
                #expect(heard.map { $0["close"] } == [1_009])
                #expect(rig.outlet.closed[socket] == true)
            }
        }
        let bomb = rig.readySocket(headers: Self.offer())
        rig.sayCompressed(bomb, String(repeating: "0", count: 1_000_000))
        #expect(
            rig.hear(bomb) == [
                [
                    "close": 1_009,
                    "reason": .string(
                        """
                        compressed message inflates to more than the limit of 2000 bytes \
                        (--message-bytes-max)
                        """),
                ]
            ])
    }

    @Test func `who did not agree may not compress`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.sayCompressed(socket, #"{"type":"ping"}"#)
        #expect(rig.hear(socket).map { $0["close"] } == [1_002])
    }
}
