import Bytes
import Testing
import WebSocket

@Suite struct CloseTests {
    // B019
    @Test(arguments: [1_000, 1_001, 1_003, 1_007, 1_011, 1_012, 1_014, 3_000, 4_499, 4_999])
    func `a legal close is answered with its code`(code: Int) {
        let reading = read([closeFrame(code, Array("gründe".utf8))])
        #expect(reading.events == ["close \(code) gründe"])
        #expect(reading.replies == [0x88, 2, UInt8(code >> 8), UInt8(code & 255)])
    }

    // B018
    @Test func `a close without code is answered without code`() {
        let reading = read([frame(0x88)])
        #expect(reading.events == ["close - "])
        #expect(reading.replies == [0x88, 0])
    }

    // B021
    @Test func `nothing behind a close is read or answered`() {
        let bytes = closeFrame(1_000) + text("more") + frame(0x89, [1]) + [0xff, 0xff]
        let reading = read([bytes, text("later"), frame(0x89)])
        #expect(reading.events == ["close 1000 "])
        #expect(reading.replies == [0x88, 2, 3, 232])
        #expect(reading.keptBytes == 0)
        #expect(isSameForAllCuts(bytes))
    }

    @Test func `a close inside a fragmented message is read`() {
        #expect(read([frame(0x01, [65]) + closeFrame(1_001)]).events == ["close 1001 "])
    }

    @Test func `behind our own close only the peer's is read`() {
        var session = WebSocketSession(role: .server, limits: testLimits)
        var replies = ByteQueue()
        var events: [String] = []
        session.appendClose(4_401, reason: "Unauthorized", to: &replies)
        #expect(!session.isOpen && !session.isOver)
        #expect(read([replies.array], role: .client).events == ["close 4401 Unauthorized"])
        replies.removeAll()
        session.appendClose(1_000, to: &replies)
        "x".utf8.withContiguousStorageIfAvailable {
            session.appendFrame(.text, UnsafeRawBufferPointer($0), to: &replies)
        }
        let fragments = frame(0x01, [65]) + frame(0x89, [1]) + frame(0x80, [66])
        pull(text("late") + fragments, &session, &replies, &events)
        #expect(events == [])
        pull(closeFrame(4_401), &session, &replies, &events)
        #expect(events == ["close 4401 "])
        #expect(replies.isEmpty)
        #expect(session.isOver)
    }

    @Test func `after an error the close goes out once and nothing is read`() {
        var session = WebSocketSession(role: .server, limits: testLimits)
        var replies = ByteQueue()
        var events: [String] = []
        pull(frame(0x83) + text("behind"), &session, &replies, &events)
        #expect(events == ["error 1002: opcode 3 is reserved"])
        #expect(!session.isOpen && !session.isOver)
        pull(text("later"), &session, &replies, &events)
        #expect(events.count == 1)
        session.appendClose(1_002, reason: "opcode 3 is reserved", to: &replies)
        #expect(session.isOver)
        session.appendClose(1_002, to: &replies)
        #expect(
            read([replies.array], role: .client).events == ["close 1002 opcode 3 is reserved"])
    }

    @Test func `behind an error or a close the loan has ended by itself`() throws {
        for bytes in [frame(0x83), closeFrame(1_000, [65])] {
            var session = WebSocketSession(role: .server, limits: testLimits)
            var replies = ByteQueue()
            var bytes = bytes + text("behind")
            try bytes.withUnsafeMutableBytes { lent in
                session.lend(lent)
                _ = try? session.next(&replies)
                session.lend(lent)
                let event = try session.next(&replies)
                #expect(event == nil)
            }
            #expect(session.keptBytes == 0)
        }
    }

    @Test func `an error behind our own close ends all`() {
        var session = WebSocketSession(role: .server, limits: testLimits)
        var replies = ByteQueue()
        var events: [String] = []
        session.appendClose(1_001, to: &replies)
        pull(frame(0x83), &session, &replies, &events)
        #expect(session.isOver)
    }

    @Test func `a long reason is cut at a character's end`() {
        for (reason, bytes) in [
            (String(repeating: "a", count: 123), 123), (String(repeating: "a", count: 200), 123),
            (String(repeating: "é", count: 100), 122), (String(repeating: "☃", count: 50), 123),
            (String(repeating: "🌍", count: 40), 120),
            ("a" + String(repeating: "☃", count: 50), 121),
        ] {
            var session = WebSocketSession(role: .server, limits: testLimits)
            var output = ByteQueue()
            session.appendClose(1_000, reason: Text(reason), to: &output)
            #expect(output.count == 4 + bytes)
            let kept = String(decoding: Array(reason.utf8)[..<bytes], as: UTF8.self)
            #expect(read([output.array], role: .client).events == ["close 1000 " + kept])
        }
    }

    @Test func `codes that are for local use only may not be sent`() {
        for code: UInt16 in [0, 999, 1_004, 1_005, 1_006, 1_015, 1_016, 2_999, 5_000, 65_535] {
            #expect(!CloseRules.maySend(code))
        }
        for code: UInt16 in [1_000, 1_003, 1_007, 1_014, 3_000, 4_999] {
            #expect(CloseRules.maySend(code))
        }
    }
}
