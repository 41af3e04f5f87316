import Bytes
import Testing
import WebSocket

@Suite struct SharedDeflateTests {
    /// The frame that a member with this prefix gets, or nil if compressing is no use.
    private func message(
        _ shared: SharedDeflate, _ prefix: [UInt8], _ payload: [UInt8], windowBits: Int = 15
    ) -> [UInt8]? {
        var front = [UInt8](repeating: 0, count: SharedDeflate.frontBytesMax + prefix.count)
        return payload.withUnsafeBytes { payload in
            guard let body = shared.body(of: payload, windowBits: windowBits) else { return nil }
            let count = prefix.withUnsafeBytes { prefix in
                front.withUnsafeMutableBytes {
                    SharedDeflate.writeFront(.text, prefix: prefix, bodyCount: body.count, to: $0)
                }
            }
            return Array(front[..<count]) + Array(body)
        }
    }

    @Test func `one body is right behind every prefix`() throws {
        let shared = SharedDeflate()
        let payload = mixedText(5_000)
        shared.begin()
        for count in [0, 1, 30, 255, 256, 65_535] {
            let prefix = [UInt8](repeating: UInt8(ascii: "p"), count: count)
            let bytes = try #require(message(shared, prefix, payload))
            let limits = WebSocketLimits(messageBytesMax: 80_000)
            let reading = read([bytes], role: .client, limits: limits, inflater: Inflater())
            let want = String(decoding: prefix + payload, as: UTF8.self)
            #expect(reading.events == ["text " + want])
            #expect(bytes.count < count + 15 + payload.count / 2)
        }
        #expect(shared.compressionCount == 1)
    }

    // B035: the window that was agreed on is kept. A distance beyond it would show here:
    // the payload repeats itself only further back than a small window reaches.
    @Test(arguments: 9...15)
    func `no back-reference leaves the window`(bits: Int) throws {
        var random = SeededRandom(seed: 6)
        let gap = 1 << bits
        let noise = (0..<gap).map { _ in UInt8.random(in: 33...126, using: &random) }
        let payload = noise + noise + noise
        let shared = SharedDeflate()
        shared.begin()
        let small = try #require(message(shared, [], payload, windowBits: bits))
        // Nothing repeats within the window: only the alphabet's size is saved.
        #expect(small.count > payload.count * 3 / 4)
        if bits < 15 {
            let large = try #require(message(shared, [], payload, windowBits: bits + 1))
            #expect(large.count < payload.count * 2 / 3)
            #expect(shared.compressionCount == 2)
        }
        let limits = WebSocketLimits(messageBytesMax: 200_000)
        let reading = read([small], role: .client, limits: limits, inflater: Inflater())
        #expect(reading.events == ["text " + String(decoding: payload, as: UTF8.self)])
    }

    @Test func `each payload is compressed once, and anew behind begin`() throws {
        let shared = SharedDeflate()
        for round in 1...3 {
            shared.begin()
            let payload = mixedText(2_000, seed: UInt64(round))
            for member in 0..<10 {
                let bytes = try #require(message(shared, Array("\(member)".utf8), payload))
                let reading = read([bytes], role: .client, inflater: Inflater())
                let want = String(decoding: payload, as: UTF8.self)
                #expect(reading.events == ["text \(member)\(want)"])
            }
            #expect(shared.compressionCount == UInt64(round))
        }
    }

    @Test func `what does not become shorter is not compressed`() {
        var random = SeededRandom(seed: 7)
        let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let shared = SharedDeflate()
        for payload in [noise, [], [65], Array("abcdef".utf8)] {
            shared.begin()
            #expect(message(shared, [], payload) == nil)
            #expect(message(shared, [], payload) == nil)
        }
        #expect(shared.compressionCount == 4)
    }

    @Test func `the saving asked for is kept to the byte`() {
        let payload = mixedText(3_000)
        let deflater = Deflater()
        let size = deflated(payload).count
        payload.withUnsafeBytes { bytes in
            #expect(deflater.deflate(bytes, saving: payload.count - size)?.count == size)
            #expect(deflater.deflate(bytes, saving: payload.count - size + 1) == nil)
            #expect(deflater.deflate(bytes)?.count == size)
        }
    }
}
