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

    // MARK: Looking ahead

    /// A stored block (RFC 1951 §3.2.4): each byte comes out when it goes in.
    private func stored(_ payload: [UInt8]) -> [UInt8] {
        let count = UInt16(payload.count)
        let low = UInt8(truncatingIfNeeded: count)
        let high = UInt8(count >> 8)
        return [0, low, high, ~low, ~high] + payload
    }

    private let notUTF8 = ["error 1007: text is not UTF-8"]

    @Test func `compressed text is refused at its first bad byte while it still comes`() {
        let bad = [UInt8](repeating: 65, count: 50) + [0xff]
        let body = stored(bad + [65, 65, 65, 65, 65])
        let whole = frame(0xc1, body)
        #expect(events([Array(whole.dropLast(5))]) == notUTF8)
        #expect(events([Array(whole.dropLast(6))]) == [])
        // The same in a binary message is none of our business.
        #expect(events([Array(frame(0xc2, body).dropLast(5))]) == [])
        // Across fragments, with the character cut between two of them.
        let first = frame(0x41, stored([65, 0xf4]))
        #expect(events([first]) == [])
        #expect(
            events([first + Array(frame(0x00, stored([0x90, 65, 65])).dropLast(2))]) == notUTF8)
        // Really compressed: what zlib has decoded by then is enough.
        let text = mixedText(40_000) + [0xed, 0xa0, 0x80] + mixedText(20_000, seed: 2)
        let compressed = frame(0xc1, deflated(text))
        #expect(events([Array(compressed.dropLast(compressed.count / 8))]) == notUTF8)
    }

    @Test func `compressed text beyond the limit is refused while it still comes`() {
        let bomb = frame(0xc1, deflated([UInt8](repeating: 65, count: 200_000)))
        let error = "error 1009: compressed message inflates to more than the limit of 70000 bytes"
        #expect(events([Array(bomb.dropLast(50))]) == [error])
    }

    @Test func `a compressed message beyond the limit is refused at its header`() {
        func header(_ first: UInt8, _ count: Int) -> [UInt8] {
            Array(frame(first, [UInt8](repeating: 0, count: count)).prefix(14))
        }
        // 70,000 bytes, a quarter more and 1,024.
        let error = "error 1009: message of 88525 bytes is over the limit of 70000"
        #expect(events([header(0xc1, 88_524)]) == [])
        #expect(events([header(0xc1, 88_525)]) == [error])
        // The fragment before counts, and buys 16 more.
        let first = frame(0x41, stored([65]))
        #expect(events([first + header(0x80, 88_534)]) == [])
        let more = "error 1009: message of 88541 bytes is over the limit of 70000"
        #expect(events([first + header(0x80, 88_535)]) == [more])
    }

    @Test func `cuts never change what is said of text that breaks several rules`() {
        let valid = mixedText(300)
        let cases: [[UInt8]] = [
            valid + [0xff], [0xff] + valid, valid + [0xe2, 0x98], valid + [0xc0] + valid,
            [UInt8](repeating: 65, count: 400) + [0xff], [UInt8](repeating: 0xff, count: 900),
        ]
        let limits = WebSocketLimits(messageBytesMax: 400, fragmentCountMax: 100)
        for text in cases {
            let body = deflated(text)
            var spoilt = body
            spoilt[spoilt.count - 2] ^= 0x5a
            for payload in [body, spoilt, Array(body.dropLast(3)), body + [7]] {
                for bytes in [
                    frame(0xc1, payload),
                    frame(0x41, Array(payload[..<2])) + frame(0x80, Array(payload[2...])),
                ] {
                    #expect(isSameForAllCuts(bytes, limits: limits, inflater: inflater))
                }
            }
        }
    }

    @Test func `watches are limited, shared, and given back however a text ends`() {
        let few = Inflater(watchesMax: 2)
        let bad = frame(0xc1, stored([65, 0xff, 65]))
        var sessions = (0..<4).map { _ in
            WebSocketSession(role: .server, limits: testLimits, inflater: few)
        }
        var heard = [[String]](repeating: [], count: 4)
        var replies = ByteQueue()
        func send(_ bytes: ArraySlice<UInt8>, to index: Int) {
            pull(Array(bytes), &sessions[index], &replies, &heard[index])
        }
        for index in 0..<4 { send(bad.dropLast(2), to: index) }
        // The first two are watched.
        #expect(heard == [[], [], [], []])
        for index in 0..<4 { send(bad.suffix(2).prefix(1), to: index) }
        #expect(heard == [notUTF8, notUTF8, [], []])
        // The others are judged when they are whole.
        for index in 2..<4 { send(bad.suffix(1), to: index) }
        #expect(heard == [notUTF8, notUTF8, notUTF8, notUTF8])
        // All are free again: after an error, after a message, with a session that goes away.
        for _ in 0..<3 {
            sessions = (0..<4).map { _ in
                WebSocketSession(role: .server, limits: testLimits, inflater: few)
            }
            heard = [[String]](repeating: [], count: 4)
            for index in 0..<4 { send(bad.dropLast(), to: index) }
            #expect(heard == [notUTF8, notUTF8, notUTF8, notUTF8])
            let good = frame(0xc1, stored([65, 66, 67]) + [0])
            sessions[0] = WebSocketSession(role: .server, limits: testLimits, inflater: few)
            send(good.dropLast(2), to: 0)
            send(good.suffix(2), to: 0)
            #expect(heard[0].last == "text ABC")
            sessions[0] = WebSocketSession(role: .server, limits: testLimits, inflater: few)
            send(good.dropLast(2), to: 0)
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
