import Bytes
import Testing
import WebSocket

/// The payload compressed as one message.
func deflated(_ payload: [UInt8], windowBits: Int = 15) -> [UInt8] {
    let deflater = Deflater(windowBits: windowBits)
    return payload.withUnsafeBytes { bytes in
        // Room for payloads that grow.
        deflater.deflate(bytes, saving: -1_000 - bytes.count).map(Array.init) ?? []
    }
}

/// Text that has something to compress and something that has not.
func mixedText(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    let words = ["nation", "isolation", "thread", "\"body\":", "☃", "{", "}", "é"]
    var bytes: [UInt8] = []
    while count - bytes.count > 12 {
        bytes += words.randomElement(using: &random)!.utf8
        bytes += "\(random.next() % 1_000)".utf8
    }
    return bytes + [UInt8](repeating: 65, count: count - bytes.count)
}

@Suite struct DeflateTests {
    let inflater = Inflater()

    private func events(
        _ pieces: [[UInt8]], role: WebSocketRole = .server, limits: WebSocketLimits = testLimits
    ) -> [String] {
        read(pieces, role: role, limits: limits, inflater: inflater).events
    }

    // RFC 7692 §7.2.3, B041
    @Test(arguments: [
        ("one block", [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]),
        ("stored", [0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00]),
        ("final block", [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]),
        ("final block alone", [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]),
        (
            "two blocks",
            [0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00]
        ),
        (
            "two final blocks",
            [0x01, 0x02, 0x00, 0xfd, 0xff, 0x48, 0x65, 0x01, 0x03, 0x00, 0xfc, 0xff, 0x6c, 0x6c]
                + [0x6f, 0x00]
        ),
    ])
    func `the RFC's examples are read`(name: String, payload: [UInt8]) {
        #expect(events([frame(0xc1, payload)]) == ["text Hello"], "\(name)")
        #expect(events([frame(0xc1, payload, mask: nil)], role: .client) == ["text Hello"])
        #expect(isSameForAllCuts(frame(0xc1, payload) + text("on"), inflater: inflater))
        for cut in 0...payload.count {
            let pieces = frame(0x41, Array(payload[..<cut])) + frame(0x80, Array(payload[cut...]))
            #expect(events([pieces]) == ["text Hello"])
        }
    }

    // B041, §7.2.3.6
    @Test func `empty compressed messages are messages`() {
        #expect(events([frame(0xc1, [0])]) == ["text "])
        #expect(events([frame(0xc2, [0])]) == ["binary "])
        #expect(events([frame(0xc1)]) == ["text "])
        #expect(events([frame(0xc1, [1, 0, 0, 0xff, 0xff])]) == ["text "])
        #expect(events([frame(0x41) + frame(0x00, [0]) + frame(0x80)]) == ["text "])
    }

    // B027
    @Test(arguments: [0, 1, 124, 125, 126, 1_000, 1_023, 1_024, 4_096, 65_535, 65_536, 70_000])
    func `messages of all lengths pass in both directions`(count: Int) {
        let payload = mixedText(count)
        let want = ["text " + String(decoding: payload, as: UTF8.self)]
        for bits in [9, 12, 15] {
            let body = deflated(payload, windowBits: bits)
            for role in [WebSocketRole.client, .server] {
                var session = WebSocketSession(
                    role: role, limits: testLimits, maskSeed: 9, inflater: inflater)
                var output = ByteQueue()
                body.withUnsafeBytes {
                    session.appendFrame(.text, $0, isCompressed: true, to: &output)
                }
                let reader: WebSocketRole = role == .client ? .server : .client
                #expect(events([output.array], role: reader) == want)
                let middle = output.count / 2
                let cut = [Array(output.array[..<middle]), Array(output.array[middle...])]
                #expect(events(cut, role: reader) == want)
            }
        }
    }

    // B039
    @Test func `compressed and uncompressed messages may alternate`() {
        var bytes: [UInt8] = []
        var want: [String] = []
        var random = SeededRandom(seed: 8)
        for index in 0..<24 {
            let payload =
                index % 4 == 0
                ? (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
                : mixedText(300, seed: 2)
            want.append("binary " + Hex.encode(payload))
            let body = index % 3 == 0 ? payload : deflated(payload)
            bytes += frame(index % 3 == 0 ? 0x82 : 0xc2, body)
            if index % 5 == 0 { bytes += frame(0x89, [1]) }
        }
        #expect(events([bytes]).filter { $0 != "ping 01" } == want)
        #expect(isSameForAllCuts(bytes, inflater: inflater))
    }

    // B040
    @Test func `many compressed frames in one piece are all read`() {
        let all = (0..<120).flatMap { (index: Int) -> [UInt8] in
            frame(0xc1, deflated(Array("{\"id\":\"\(index)\",\"xxxxxxxxxxxxxxxxxxxxxx\":1}".utf8)))
        }
        let want = (0..<120).map { "text {\"id\":\"\($0)\",\"xxxxxxxxxxxxxxxxxxxxxx\":1}" }
        #expect(events([all]) == want)
    }

    @Test func `fragments may be cut anywhere, with control frames between them`() {
        let payload = mixedText(3_000)
        let body = deflated(payload)
        var bytes = frame(0x41, Array(body[..<1]))
        for index in 1..<(body.count - 1) where index < 90 {
            bytes += frame(0x00, [body[index]])
            if index % 20 == 0 { bytes += frame(0x89, [7]) }
        }
        bytes += frame(0x80, Array(body[min(90, body.count - 1)...]))
        let want = "text " + String(decoding: payload, as: UTF8.self)
        #expect(events([bytes]).last == want)
        #expect(isSameForAllCuts(bytes, inflater: inflater))
    }

    @Test func `text is checked behind the inflating`() {
        for bad: [UInt8] in [[65, 0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x98]] {
            let payload = [UInt8](repeating: 65, count: 500) + bad
            let body = deflated(payload)
            #expect(events([frame(0xc1, body)]) == ["error 1007: text is not UTF-8"])
            #expect(events([frame(0xc2, body)]) == ["binary " + Hex.encode(payload)])
            let halves = frame(0x41, Array(body[..<4])) + frame(0x80, Array(body[4...]))
            #expect(events([halves]) == ["error 1007: text is not UTF-8"])
        }
    }

    // MARK: Rules

    // B002, B003, §6.1
    @Test func `the bit may stand on a message's first frame only`() {
        let body = deflated(Array("Hello".utf8))
        let error = "error 1002: reserved bit is set where no extension gives it a meaning"
        for bytes in [
            frame(0x41, body) + frame(0xc0), frame(0x01, [65]) + frame(0xc0, body),
            frame(0xc9), frame(0xca), frame(0xc8), frame(0xa1, body), frame(0x91, body),
            frame(0xe1, body), frame(0xd1, body), frame(0xf1, body),
        ] {
            #expect(events([bytes]) == [error])
            #expect(isSameForAllCuts(bytes, inflater: inflater))
        }
        #expect(read([frame(0xc1, body)]).events == [error])
        #expect(read([frame(0xc2, body, mask: nil)], role: .client).events == [error])
    }

    @Test(arguments: [
        [0x07], [0xff], [0xf2], [0xf2, 0x48, 0xcd], [0x00, 0x05, 0x00, 0xfa, 0xff],
        [0x00, 0x05, 0x00, 0xfa, 0xfe, 0x48], [0x06], [0x03], [0x04, 0x00],
        // What refers to the message before: the client was told to keep no context (B036).
        [0xf2, 0x00, 0x11, 0x00, 0x00],
    ])
    func `what is not deflated rightly fails the connection`(payload: [UInt8]) {
        let bytes = frame(0xc1, deflated(Array("Hello".utf8))) + frame(0xc2, payload)
        #expect(
            events([bytes]) == [
                "text Hello", "error 1007: compressed message is not deflated rightly",
            ])
        #expect(isSameForAllCuts(bytes, inflater: inflater))
    }

    // B036
    @Test func `one inflater serves many sessions in turn`() {
        var sessions = (0..<5).map { _ in
            WebSocketSession(role: .server, limits: testLimits, inflater: inflater)
        }
        let bytes = (0..<5).map { index in
            frame(0xc1, deflated(mixedText(800, seed: UInt64(index))))
        }
        var heard = [[String]](repeating: [], count: 5)
        var replies = ByteQueue()
        for round in 0..<10 {
            for index in 0..<5 {
                let third = bytes[index].count / 3
                let piece = [
                    Array(bytes[index][..<third]), Array(bytes[index][third...]),
                ][round % 2]
                pull(piece, &sessions[index], &replies, &heard[index])
            }
        }
        for index in 0..<5 {
            let text = String(decoding: mixedText(800, seed: UInt64(index)), as: UTF8.self)
            #expect(heard[index] == [String](repeating: "text " + text, count: 5))
            #expect(sessions[index].keptBytes == 0)
        }
    }

    // MARK: Limits

    // B043
    @Test(arguments: [0, 1, 100, 1_024, 5_000])
    func `a message at the limit passes and one byte more is too much`(limit: Int) {
        let limits = WebSocketLimits(messageBytesMax: limit, fragmentCountMax: 10_000)
        var random = SeededRandom(seed: 3)
        for count in max(0, limit - 2)...(limit + 3) {
            let zeros = [UInt8](repeating: 0, count: count)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            for payload in [zeros, noise, mixedText(count)] {
                let body = deflated(payload)
                let want =
                    count <= limit
                    ? "binary " + Hex.encode(payload)
                    : "error 1009: compressed message inflates to more than the limit of "
                        + "\(limit) bytes"
                #expect(events([frame(0xc2, body)], limits: limits) == [want])
                let fragments = frame(0x42) + frame(0x00, body) + frame(0x80)
                #expect(events([fragments], limits: limits) == [want])
            }
        }
    }

    @Test func `a bomb is stopped at the limit`() {
        for count in [1_000_000, 20_000_000] {
            let bomb = deflated([UInt8](repeating: 0, count: count))
            #expect(bomb.count < 30_000)
            let error =
                "error 1009: compressed message inflates to more than the limit of 70000 bytes"
            #expect(events([frame(0xc2, bomb)]) == [error])
            #expect(events([frame(0xc1, Array(bomb.prefix(2_000)))]) == [error])
        }
        #expect(events([frame(0xc1, deflated(Array("on".utf8)))]) == ["text on"])
    }

    @Test func `no more is kept than the peer has sent`() {
        var session = WebSocketSession(role: .server, limits: testLimits, inflater: inflater)
        var replies = ByteQueue()
        var events: [String] = []
        let bomb = deflated([UInt8](repeating: 0, count: 60_000))
        let bytes = frame(0xc2, bomb)
        pull(Array(bytes.dropLast()), &session, &replies, &events)
        #expect(events == [])
        #expect(session.keptBytes < bytes.count)
        pull([bytes[bytes.count - 1]], &session, &replies, &events)
        #expect(events == ["binary " + Hex.encode([UInt8](repeating: 0, count: 60_000))])
        #expect(session.keptBytes == 0)
        #expect(MemoryLayout<WebSocketSession>.size < 200)
    }

    @Test func `a payload that never ends is stopped before it is inflated`() {
        let limits = WebSocketLimits(messageBytesMax: 1_000, fragmentCountMax: 1_000)
        let empty = (0..<500).flatMap { (_: Int) -> [UInt8] in [0, 0, 0, 0xff, 0xff] }
        #expect(
            events([frame(0xc1, empty)], limits: limits)
                == ["error 1009: message of 2500 bytes is over the limit of 1000"])
        // Many fragments, each flushed, are another matter.
        var fragments = frame(0x41, [0, 0, 0, 0xff, 0xff])
        for _ in 0..<900 {
            fragments += frame(0x00, [0, 1, 0, 0xfe, 0xff, 65] + [0, 0, 0, 0xff, 0xff])
        }
        let want = "text " + String(repeating: "A", count: 900)
        #expect(events([fragments + frame(0x80, [0])], limits: limits) == [want])
    }

    // MARK: Random input

    @Test func `random bytes never crash, and cuts do not matter`() {
        var random = SeededRandom(seed: 21)
        for _ in 0..<1_500 {
            var bytes: [UInt8] = []
            for _ in 0..<3 {
                let first = UInt8.random(in: 0...255, using: &random) & 0xcb
                let count = Int.random(in: 0...140, using: &random)
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes += frame(first, noise)
            }
            let middle = Int.random(in: 0...bytes.count, using: &random)
            let cut = read(
                [Array(bytes[..<middle]), Array(bytes[middle...])], inflater: inflater)
            #expect(cut == read([bytes], inflater: inflater))
        }
    }

    @Test func `spoiled deflate streams never crash nor pass the limit`() {
        var random = SeededRandom(seed: 22)
        let bodies = [9, 12, 15].map { deflated(mixedText(2_000), windowBits: $0) }
        for round in 0..<3_000 {
            var body = bodies[round % 3]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                body[Int.random(in: 0..<body.count, using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
            }
            let kept = body.prefix(Int.random(in: 1...body.count, using: &random))
            let events = events(
                [frame(0xc2, Array(kept)) + frame(0xc1, deflated(Array("on".utf8)))])
            #expect(events.last == "text on" || events.last!.hasPrefix("error 10"))
            #expect(events[0].utf8.count <= 7 + 140_000)
        }
    }
}
