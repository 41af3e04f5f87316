import Bytes
import Testing
import WebSocket

/// Bytes that break a rule and the code the connection is failed with.
struct Breach: Sendable, CustomTestStringConvertible {
    var name: String
    var code: UInt16
    var bytes: [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8]) { self.init(name, 1_002, bytes) }

    init(_ name: String, _ code: UInt16, _ bytes: [UInt8]) {
        self.name = name
        self.code = code
        self.bytes = bytes
    }
}

@Suite struct RuleTests {
    static let breaches: [Breach] = [
        // B002, B003
        Breach("RSV1 on text", frame(0xc1, [65])), Breach("RSV1 on binary", frame(0xc2)),
        Breach("RSV2 on text", frame(0xa1, [65])), Breach("RSV3 on text", frame(0x91, [65])),
        Breach("RSV2 and RSV3 on ping", frame(0xb9)), Breach("all on close", frame(0xf8)),
        // B005
        Breach("opcode 3", frame(0x83, [85])), Breach("opcode 4", frame(0x84, [85])),
        Breach("opcode 5", frame(0x85, [85])), Breach("opcode 6", frame(0x86, [85])),
        Breach("opcode 7", frame(0x87, [85])), Breach("opcode 11", frame(0x8b, [85])),
        Breach("opcode 12", frame(0x8c, [85])), Breach("opcode 13", frame(0x8d, [85])),
        Breach("opcode 14", frame(0x8e, [85])), Breach("opcode 15", frame(0x8f, [85])),
        // B008, B010
        Breach("continuation of nothing", frame(0x80, [65])),
        Breach("unfinished continuation of nothing", frame(0x00) + frame(0x80)),
        Breach("continuation behind a message", text("a") + frame(0x80)),
        Breach(
            "continuation behind fragments", frame(0x01) + frame(0x80) + frame(0x80, [65])),
        Breach("text inside text", frame(0x01, [65]) + frame(0x01, [66]) + frame(0x80)),
        Breach("binary inside text", frame(0x01, [65]) + frame(0x82, [66])),
        Breach("whole text behind an empty fragment", frame(0x01) + frame(0x81)),
        // Masks
        Breach("no mask", frame(0x81, [65], mask: nil)),
        Breach("no mask on ping", frame(0x89, mask: nil)),
        // Control frames
        Breach("ping in fragments", frame(0x09, [65]) + frame(0x80)),
        Breach("close in fragments", frame(0x08)), Breach("pong in fragments", frame(0x0a)),
        Breach("ping of 126", frame(0x89, [UInt8](repeating: 0, count: 126))),
        Breach("ping of 65,536", frame(0x89, [UInt8](repeating: 0, count: 65_536))),
        Breach("close of 126", frame(0x88, [3, 232] + [UInt8](repeating: 65, count: 124))),
        Breach("ping in the long form", frame(0x89, [65], lengthBytes: 2)),
        // B026
        Breach("125 in two bytes", frame(0x81, [UInt8](repeating: 65, count: 125), lengthBytes: 2)),
        Breach("0 in two bytes", frame(0x81, [], lengthBytes: 2)),
        Breach("125 in eight", frame(0x81, [UInt8](repeating: 65, count: 125), lengthBytes: 8)),
        Breach(
            "65,535 in eight", frame(0x82, [UInt8](repeating: 65, count: 65_535), lengthBytes: 8)),
        Breach("top bit set", [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]),
        Breach("all ones", [0x82] + [UInt8](repeating: 0xff, count: 13)),
        // Limits, B024
        Breach("63 bits", 1_009, [0x82, 0xff, 0x7f] + [UInt8](repeating: 0xff, count: 11)),
        Breach("over the limit", 1_009, frame(0x81, [UInt8](repeating: 65, count: 70_001))),
        Breach(
            "over the limit in fragments", 1_009,
            frame(0x01, [UInt8](repeating: 65, count: 70_000)) + frame(0x00, [65])),
        Breach(
            "endless empty fragments", 1_008,
            frame(0x01) + (0..<200).flatMap { (_: Int) -> [UInt8] in frame(0x00) }),
        // B013
        Breach("FF in text", 1_007, frame(0x81, [65, 0xff])),
        Breach("C0 AF in text", 1_007, frame(0x81, [65, 0xc0, 0xaf, 65])),
        Breach("surrogate in text", 1_007, frame(0x81, [0xed, 0xa0, 0x80])),
        Breach("beyond Unicode", 1_007, frame(0x81, [0xf4, 0x90, 0x80, 0x80])),
        Breach("cut character", 1_007, frame(0x81, [65, 0xe2, 0x98])),
        Breach("cut character in fragments", 1_007, frame(0x01, [0xe2]) + frame(0x80, [0x98])),
        Breach("broken in the second fragment", 1_007, frame(0x01, [0xe2]) + frame(0x80, [65])),
        // B015, B017
        Breach("close of one byte", frame(0x88, [3])),
        Breach("close reason not UTF-8", 1_007, closeFrame(1_000, [0xff, 0xfe])),
        Breach("cut close reason", 1_007, closeFrame(1_000, [0xe2, 0x98])),
        Breach("code 0", closeFrame(0)), Breach("code 999", closeFrame(999)),
        Breach("code 1004", closeFrame(1_004)), Breach("code 1005", closeFrame(1_005)),
        Breach("code 1006", closeFrame(1_006)), Breach("code 1015", closeFrame(1_015)),
        Breach("code 1016", closeFrame(1_016)), Breach("code 2999", closeFrame(2_999)),
        Breach("code 5000", closeFrame(5_000)), Breach("code 65535", closeFrame(65_535)),
    ]

    @Test(arguments: breaches)
    func `a breach fails the connection with its code`(breach: Breach) {
        let reading = read([breach.bytes + text("behind")])
        #expect(reading.events.last?.hasPrefix("error \(breach.code): ") == true)
        #expect(!reading.events.contains("text behind"))
        #expect(reading.replies.isEmpty)
        #expect(reading.keptBytes == 0)
    }

    @Test func `a breach is found however the bytes are cut`() {
        for breach in Self.breaches where breach.bytes.count < 1_000 {
            #expect(isSameForAllCuts(breach.bytes), "\(breach.name)")
        }
    }

    @Test func `a masked frame from the server is refused`() {  // B176
        for bytes in [text("a"), closeFrame(1_000)] {
            #expect(
                read([bytes], role: .client).events == [
                    "error 1002: frame from the server is masked"
                ])
        }
    }

    @Test func `an over-long message is refused at its header`() {
        let reading = read([[0x81, 0xff, 0, 0, 0, 0, 0, 1, 0x86, 0xa0, 1, 2, 3, 4]])
        #expect(
            reading.events == ["error 1009: message of 100000 bytes is over the limit of 70000"])
        let fragments = frame(0x02, [UInt8](repeating: 0, count: 60_000))
        #expect(
            read([fragments, [0x00, 0xfe, 0xea, 0x60, 1, 2, 3, 4]]).events
                == ["error 1009: message of 120000 bytes is over the limit of 70000"])
    }

    @Test func `a message at the limit passes`() {
        let payload = [UInt8](repeating: 65, count: 70_000)
        #expect(read([frame(0x82, payload)]).events.first?.hasPrefix("binary 4141") == true)
        let halves = frame(0x02, Array(payload[..<35_000])) + frame(0x80, Array(payload[35_000...]))
        #expect(read([halves]).events.first?.utf8.count == 7 + 140_000)
    }

    @Test func `text is refused at its first bad byte while the frame still arrives`() {
        let long = frame(0x81, [UInt8](repeating: 65, count: 50) + [0xff] + [65, 65, 65, 65, 65])
        let start = Array(long[..<(long.count - 5)])
        #expect(read([start]).events == ["error 1007: text is not UTF-8"])
        #expect(read([Array(start.dropLast())]).events == [])
        #expect(
            read([frame(0x01, [0xf4]) + frame(0x00, [0x90])]).events
                == ["error 1007: text is not UTF-8"])
    }

    @Test func `a frame's first two bytes are enough to refuse it`() {
        for first: [UInt8] in [
            [0xc1, 0x80], [0x83, 0x80], [0x09, 0x80], [0x89, 0xfe], [0x81, 0],
        ] {
            #expect(read([first]).events.first?.hasPrefix("error 1002") == true)
            #expect(read([[first[0]], [first[1]]]).events.first?.hasPrefix("error 1002") == true)
        }
    }

    @Test func `each error has a code that may be sent and a reason that fits`() {
        let errors: [WebSocketError] = [
            .reservedBits, .reservedOpcode(3), .unmaskedFrame, .maskedFrame, .fragmentedControl,
            .controlTooLong, .malformedLength, .unexpectedContinuation, .interleavedMessage,
            .messageTooLong(size: .max, limit: .max), .tooManyFragments(limit: .max),
            .inflatedTooLong(limit: .max), .malformedCompression, .invalidUTF8, .malformedClose,
            .invalidCloseCode(65_535),
        ]
        for error in errors {
            #expect(CloseRules.maySend(error.closeCode))
            #expect(error.reason.utf8.count <= CloseRules.reasonBytesMax)
        }
    }
}
