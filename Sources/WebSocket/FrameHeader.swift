/// The header of a frame as it was read (RFC 6455 §5.2).
struct FrameHeader {
    /// Longest header: two bytes, a length of eight, a key of four.
    static let byteCountMax = 14

    var opcode: WebSocketOpcode
    var isFinal: Bool
    /// RSV1: the first frame of a message compressed by permessage-deflate (RFC 7692 §6).
    var isCompressed: Bool
    /// The key's bytes, the first in the lowest eight bits; 0 masks nothing.
    var maskKey: UInt32
    var payloadCount: Int
    /// Length of the header itself.
    var byteCount: Int

    /// Reads the header at `bytes`, or gives nil if the `available` bytes do not hold all of it.
    ///
    /// - Parameters:
    ///   - role: ours; the peer's frames are masked if we are the server.
    ///   - mayBeCompressed: whether permessage-deflate was agreed.
    /// - Throws: as soon as the bytes that are there cannot become a legal header.
    @inline(__always)
    static func read(
        _ bytes: UnsafeRawPointer, available: Int, role: WebSocketRole, mayBeCompressed: Bool
    ) throws(WebSocketError) -> FrameHeader? {
        guard available >= 2 else { return nil }
        let first = bytes.load(as: UInt8.self)
        let second = bytes.load(fromByteOffset: 1, as: UInt8.self)
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0f) else {
            throw .reservedOpcode(first & 0x0f)
        }
        let reserved = first & 0x70
        if reserved != 0 {
            // "An endpoint MUST NOT set [it] on control frames and non-first fragments" (§6.1).
            let isFirst = opcode == .text || opcode == .binary
            guard reserved == 0x40, mayBeCompressed, isFirst else { throw .reservedBits }
        }
        let isFinal = first & 0x80 != 0
        let short = Int(second & 0x7f)
        if opcode.isControl {
            guard isFinal else { throw .fragmentedControl }
            guard short <= 125 else { throw .controlTooLong }
        }
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw isMasked ? .maskedFrame : .unmaskedFrame
        }
        var byteCount = 2
        var payloadCount = short
        if short >= 126 {
            byteCount = short == 126 ? 4 : 10
            guard available >= byteCount else { return nil }
            payloadCount = try longLength(bytes, isEightBytes: short == 127)
        }
        var maskKey: UInt32 = 0
        if isMasked {
            guard available >= byteCount + 4 else { return nil }
            maskKey = UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: byteCount, as: UInt32.self))
            byteCount += 4
        }
        return FrameHeader(
            opcode: opcode, isFinal: isFinal, isCompressed: reserved != 0, maskKey: maskKey,
            payloadCount: payloadCount, byteCount: byteCount)
    }

    /// "The minimal number of bytes MUST be used", and the top bit must be clear (§5.2).
    private static func longLength(
        _ bytes: UnsafeRawPointer, isEightBytes: Bool
    ) throws(WebSocketError) -> Int {
        if isEightBytes {
            let length = UInt64(
                bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length > 0xffff, let length = Int(exactly: length) else {
                throw .malformedLength
            }
            return length
        }
        let length = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        guard length > 125 else { throw .malformedLength }
        return Int(length)
    }

    /// Writes the header of a frame to `output` and returns its length, at most 14.
    ///
    /// - Parameter maskKey: nil for a server's frame.
    @inline(__always)
    static func write(
        _ opcode: WebSocketOpcode, isFinal: Bool, isCompressed: Bool = false,
        payloadCount: Int, maskKey: UInt32?, to output: UnsafeMutableRawPointer
    ) -> Int {
        let maskBit: UInt8 = maskKey == nil ? 0 : 0x80
        let bits: UInt8 = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
        output.storeBytes(of: bits | opcode.rawValue, as: UInt8.self)
        var byteCount = 2
        if payloadCount <= 125 {
            output.storeBytes(
                of: maskBit | UInt8(truncatingIfNeeded: payloadCount), toByteOffset: 1,
                as: UInt8.self)
        } else if payloadCount <= 0xffff {
            output.storeBytes(of: maskBit | 126, toByteOffset: 1, as: UInt8.self)
            output.storeBytes(
                of: UInt16(truncatingIfNeeded: payloadCount).bigEndian, toByteOffset: 2,
                as: UInt16.self)
            byteCount = 4
        } else {
            output.storeBytes(of: maskBit | 127, toByteOffset: 1, as: UInt8.self)
            output.storeBytes(
                of: UInt64(payloadCount).bigEndian, toByteOffset: 2, as: UInt64.self)
            byteCount = 10
        }
        if let maskKey {
            output.storeBytes(of: maskKey.littleEndian, toByteOffset: byteCount, as: UInt32.self)
            byteCount += 4
        }
        return byteCount
    }
}
