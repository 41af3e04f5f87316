import Bytes
import Crypto
import Testing

@Suite struct SecretsTests {
    private func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.withUnsafeBytes { one in other.withUnsafeBytes { ConstantTime.areEqual(one, $0) } }
    }

    @Test func `only the same bytes in the same number are equal`() {
        #expect(areEqual([], []))
        #expect(areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!areEqual([], [0]))
        #expect(!areEqual([1, 2, 3], [1, 2]))
        #expect(!areEqual([1, 2, 3], [1, 2, 3, 0]))
    }

    @Test func `one changed bit anywhere is seen`() {
        let secret = SystemRandom().bytes(33)
        for place in secret.indices {
            for bit in 0..<8 {
                var guess = secret
                guess[place] ^= 1 << bit
                #expect(!areEqual(secret, guess))
            }
        }
    }

    @Test func `the system's random bytes differ from call to call and fill any length`() {
        let source = SystemRandom()
        #expect(source.bytes(0).isEmpty)
        #expect(source.bytes(100_000).count == 100_000)
        #expect(source.bytes(32) != source.bytes(32))
        #expect(source.seed() != source.seed())
        // A buffer left untouched would be all zero: the odds of that are 2^-512 by chance.
        #expect(source.bytes(64) != [UInt8](repeating: 0, count: 64))
    }

    /// A source that a test knows.
    private struct CountingSource: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index) }
        }
    }

    @Test func `a source decides the seed and so all that a shard draws`() {
        let seed = CountingSource().seed()
        #expect(seed == UInt64(littleEndian: 0x0706_0504_0302_0100))
        var one = CountingSource().generator()
        var other = SeededRandom(seed: seed)
        #expect((0..<4).map { _ in one.next() } == (0..<4).map { _ in other.next() })
    }
}
