import Bytes
import Testing
import WebSocket

@Suite struct SessionTests {
    @Test func `the RFC's examples are read`() {  // RFC 6455 §5.7
        let hello: [UInt8] = [0x48, 0x65, 0x6c, 0x6c, 0x6f]
        #expect(
            read([[0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]]).events
                == ["text Hello"])
        #expect(read([[0x81, 0x05] + hello], role: .client).events == ["text Hello"])
        #expect(
            read([[0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f]], role: .client).events
                == ["text Hello"])
        let ping = read([[0x89, 0x05] + hello], role: .client)
        #expect(ping.events == ["ping 48656c6c6f"])
        #expect(read([ping.replies]).events == ["pong 48656c6c6f"])
    }

    @Test(arguments: [
        0, 1, 124, 125, 126, 127, 128, 4_095, 4_096, 4_097, 65_534, 65_535, 65_536, 65_537,
    ])
    func `messages of every length form are read and written`(count: Int) {  // B022, B027
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(read([frame(0x82, payload)]).events == ["binary " + Hex.encode(payload)])
        for role in [WebSocketRole.client, .server] {
            var session = WebSocketSession(role: role, limits: testLimits, maskSeed: 9)
            var output = ByteQueue()
            payload.withUnsafeBytes { session.appendFrame(.binary, $0, to: &output) }
            let reader: WebSocketRole = role == .client ? .server : .client
            let middle = output.count / 2
            let cut = [Array(output.array[..<middle]), Array(output.array[middle...])]
            #expect(read(cut, role: reader).events == ["binary " + Hex.encode(payload)])
        }
    }

    // B028
    @Test func `all cuts of the bytes give the same events and replies`() {
        var conversation = text("héllo ☃ 🌍") + frame(0x89, [1, 2, 3])
        conversation += frame(0x01, Array("frag".utf8)) + frame(0x8a) + frame(0x00, [0xc3])
        conversation += frame(0x89, Array("ping".utf8)) + frame(0x00) + frame(0x80, [0xa9])
        conversation += frame(0x82, [UInt8](repeating: 7, count: 300)) + text("")
        conversation += closeFrame(1_000, Array("bye".utf8)) + text("ignored")
        #expect(isSameForAllCuts(conversation))
        let events = read([conversation]).events
        #expect(events.count == 8)
        #expect(events[0] == "text héllo ☃ 🌍")
        #expect(events[4] == "text fragé")
        #expect(events.last == "close 1000 bye")
    }

    // B029
    @Test func `three hundred frames in one piece are all read in order`() {
        let all = (0..<300).flatMap { text("message \($0)") }
        #expect(read([all]).events == (0..<300).map { "text message \($0)" })
    }

    // B012
    @Test func `text may be cut inside a character`() {
        let string = "κόσμε Ünïcødé 你好 🌍👩‍🚀"
        let bytes = Array(string.utf8)
        var frames: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let last: UInt8 = index == bytes.count - 1 ? 0x80 : 0
            frames += frame(last | (index == 0 ? 1 : 0), [byte])
        }
        #expect(read([frames]).events == ["text " + string])
        #expect(isSameForAllCuts(frames))
    }

    // B034
    @Test func `empty messages are messages`() {
        #expect(read([text("")]).events == ["text "])
        #expect(read([frame(0x01) + frame(0x00) + frame(0x80)]).events == ["text "])
        #expect(read([frame(0x82)]).events == ["binary "])
    }

    // B031
    @Test(arguments: [0, 1, 124, 125])
    func `a ping is answered at once with the same bytes`(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bytes = text("before") + frame(0x89, payload) + text("behind")
        let reading = read([bytes])
        #expect(reading.replies == frame(0x8a, payload, mask: nil))
        #expect(isSameForAllCuts(bytes))
    }

    // B033
    @Test func `a pong nobody asked for changes nothing`() {
        let reading = read([frame(0x8a) + frame(0x8a, [1, 2]) + text("on")])
        #expect(reading.events == ["pong ", "pong 0102", "text on"])
        #expect(reading.replies.isEmpty)
    }

    // B030, B168
    @Test func `input that was not pulled is kept until it is`() {
        var session = WebSocketSession(role: .server, limits: testLimits)
        var replies = ByteQueue()
        var events: [String] = []
        var first = text("one") + text("two") + text("three").prefix(4)
        first.withUnsafeMutableBytes { bytes in
            session.lend(bytes)
            if let event = try? session.next(&replies) { events.append(describe(event)) }
            session.settle()
        }
        #expect(events == ["text one"])
        #expect(session.keptBytes == text("two").count + 4)
        pull(Array(text("three").dropFirst(4)) + text("four"), &session, &replies, &events)
        #expect(events == ["text one", "text two", "text three", "text four"])
        #expect(session.keptBytes == 0)
    }

    @Test func `a paused session goes on without new bytes`() {
        var session = WebSocketSession(role: .server, limits: testLimits)
        var replies = ByteQueue()
        var events: [String] = []
        var bytes = text("one") + text("two")
        bytes.withUnsafeMutableBytes {
            session.lend($0)
            session.settle()
        }
        pull([], &session, &replies, &events)
        #expect(events == ["text one", "text two"])
    }

    @Test func `nothing is kept behind whole messages`() {
        var session = WebSocketSession(role: .server, limits: testLimits)
        var replies = ByteQueue()
        var events: [String] = []
        let bytes = text(String(repeating: "x", count: 500))
        for piece in [bytes[..<3], bytes[3..<100], bytes[100...]] {
            pull(Array(piece), &session, &replies, &events)
        }
        #expect(events.count == 1)
        #expect(session.keptBytes == 0)
        #expect(MemoryLayout<WebSocketSession>.size < 200)
    }

    @Test func `a payload inside the lent bytes is not copied`() throws {
        var session = WebSocketSession(role: .server, limits: testLimits)
        var replies = ByteQueue()
        var bytes = text("in place")
        try bytes.withUnsafeMutableBytes { lent in
            session.lend(lent)
            guard case .text(let payload) = try session.next(&replies) else {
                Issue.record("no text")
                return
            }
            #expect(payload.baseAddress == UnsafeRawPointer(lent.baseAddress! + 6))
            session.settle()
        }
    }

    @Test func `random bytes never crash, and cuts do not matter`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<1_500 {
            var bytes: [UInt8] = []
            for _ in 0..<4 {
                let first = UInt8.random(in: 0...255, using: &random) & 0x8b
                let count = Int.random(in: 0...140, using: &random)
                bytes += frame(first, (0..<count).map { UInt8(32 + $0 % 90) })
            }
            let spoiled = Int.random(in: 0..<bytes.count, using: &random)
            bytes[spoiled] = UInt8.random(in: 0...255, using: &random)
            let middle = Int.random(in: 0...bytes.count, using: &random)
            let cut = read([Array(bytes[..<middle]), Array(bytes[middle...])])
            let whole = read([bytes])
            #expect(cut == whole)
        }
    }
}
