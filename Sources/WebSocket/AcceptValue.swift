import Bytes
import Crypto

/// The value that proves that a server understood the handshake (RFC 6455 §4.2.2): base64 of
/// SHA-1 of the client's key and a fixed text.
enum AcceptValue {
    /// Length of a client's key: base64 of 16 bytes.
    static let keyByteCount = 24
    private static let suffix: StaticString = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The accept value for a key.
    static func make(forKey key: UnsafeRawBufferPointer) -> [UInt8] {
        let count = key.count + suffix.utf8CodeUnitCount
        return withUnsafeTemporaryAllocation(byteCount: count + SHA1.byteCount, alignment: 8) {
            let text = UnsafeMutableRawBufferPointer(rebasing: $0[..<count])
            let digest = UnsafeMutableRawBufferPointer(rebasing: $0[count...])
            text.copyMemory(from: key)
            UnsafeMutableRawBufferPointer(rebasing: text[key.count...]).copyMemory(
                from: UnsafeRawBufferPointer(
                    start: suffix.utf8Start, count: suffix.utf8CodeUnitCount))
            SHA1.digest(UnsafeRawBufferPointer(text), into: digest)
            return Base64.encode(UnsafeRawBufferPointer(digest))
        }
    }

    /// Whether the bytes are base64 of 16 bytes: 22 digits and two signs of padding.
    static func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == keyByteCount, bytes[22] == UInt8(ascii: "="),
            bytes[23] == UInt8(ascii: "=")
        else { return false }
        return bytes[..<22].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
            default: false
            }
        }
    }
}
