public import Bytes
import COpenSSL

/// Where unpredictable bytes come from. The sans-IO rooms are handed bytes or a seeded
/// generator; only the rooms that start them hold a source.
public protocol RandomSource: Sendable {
    /// Fills the whole buffer with random bytes.
    func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

extension RandomSource {
    /// `count` random bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            fill(UnsafeMutableRawBufferPointer(buffer))
            filled = count
        }
    }

    /// A new seed for a shard's generator (`SeededRandom(seed:)`).
    public func seed() -> UInt64 {
        var value: UInt64 = 0
        withUnsafeMutableBytes(of: &value) { fill($0) }
        return value
    }

    /// A generator that nobody outside can foretell from its seed.
    public func generator() -> SeededRandom { SeededRandom(seed: seed()) }
}

/// OpenSSL's generator, which the operating system seeds. Fit for keys.
public struct SystemRandom: RandomSource {
    /// The one source of the process.
    public init() {}

    /// Fills the whole buffer. Ends the process when the system has no randomness to give: to go
    /// on with guessable keys would be worse.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var rest = buffer
        while !rest.isEmpty {
            // RAND_bytes counts in C's int.
            let count = min(rest.count, Int(Int32.max))
            precondition(
                RAND_bytes(rest.octets, Int32(count)) == 1,
                "the system's random source gives nothing")
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
        }
    }
}
