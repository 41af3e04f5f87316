import Bytes
import Testing
import WebSocket

@Suite struct WritingTests {
    @Test(arguments: [0, 125, 126, 65_535, 65_536, 1_000_000])
    func `both ways to write a head write the same`(count: Int) {
        var queue = ByteQueue()
        WebSocketSession.appendHead(.text, payloadCount: count, to: &queue)
        var room = [UInt8](repeating: 0, count: WebSocketSession.headBytesMax)
        let length = room.withUnsafeMutableBytes {
            WebSocketSession.writeHead(.text, payloadCount: count, to: $0.baseAddress!)
        }
        #expect(Array(room[..<length]) == queue.array)
        #expect(length == (count < 126 ? 2 : count < 65_536 ? 4 : 10))
    }

    // B177
    @Test func `a client masks each frame with a new key`() {
        var session = WebSocketSession(role: .client, limits: testLimits, maskSeed: 3)
        let payload = Array("payload".utf8)
        var keys: Set<[UInt8]> = []
        for round in 0..<50 {
            var output = ByteQueue()
            payload.withUnsafeBytes { session.appendFrame(.text, $0, to: &output) }
            if round == 49 { session.appendClose(1_000, to: &output) }
            #expect(output[1] == 0x87)
            keys.insert(Array(output.array[2..<6]))
            #expect(read([output.array]).events.first == "text payload")
        }
        #expect(keys.count == 50)
    }

    @Test func `a client's pong and close are masked`() {
        let reading = read([[0x89, 1, 65, 0x88, 0]], role: .client)
        #expect(reading.events == ["ping 41", "close - "])
        #expect(read([reading.replies]).events == ["pong 41", "close - "])
    }

    @Test func `a message may be written in fragments`() {
        var session = WebSocketSession(role: .client, limits: testLimits, maskSeed: 3)
        var output = ByteQueue()
        output.append("rest of an earlier write")
        let start = output.count
        for (index, part) in ["one ", "", "two"].enumerated() {
            Array(part.utf8).withUnsafeBytes {
                session.appendFrame(
                    index == 0 ? .text : .continuation, $0, isFinal: index == 2, to: &output)
            }
        }
        #expect(read([Array(output.array[start...])]).events == ["text one two"])
    }
}
