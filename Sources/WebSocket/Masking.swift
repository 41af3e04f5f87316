/// The mask of a client's frames (RFC 6455 §5.3): XOR with four bytes over and over.
enum Masking {
    /// Masks or unmasks in place, eight bytes at a time.
    ///
    /// - Parameter key: the key's bytes, the first in the lowest eight bits.
    @inline(__always)
    static func apply(_ key: UInt32, to bytes: UnsafeMutableRawPointer, count: Int) {
        let word = (UInt64(key) | UInt64(key) << 32).littleEndian
        var index = 0
        while index + 8 <= count {
            let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            bytes.storeBytes(of: masked ^ word, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        var rest = UInt64(littleEndian: word)
        while index < count {
            let masked = bytes.load(fromByteOffset: index, as: UInt8.self)
            bytes.storeBytes(
                of: masked ^ UInt8(truncatingIfNeeded: rest), toByteOffset: index, as: UInt8.self)
            rest >>= 8
            index += 1
        }
    }

    /// The key for what follows behind `count` masked bytes.
    static func key(_ key: UInt32, after count: Int) -> UInt32 {
        let shift = UInt32(count & 3) * 8
        return key &>> shift | key &<< ((32 &- shift) & 31)
    }
}
