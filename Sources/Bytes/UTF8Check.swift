/// A check of UTF-8 that can be fed in pieces and stops at the first impossible byte.
///
/// WebSocket text arrives in fragments that may cut a character (RFC 6455 §5.6, §8.1): the
/// check keeps the cut character's state between the pieces. Surrogates, overlong forms and
/// values above U+10FFFF are refused (RFC 3629 §4).
public struct UTF8Check: Sendable {
    private var remaining: UInt8 = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xbf

    /// A check at the start of a text.
    public init() {}

    /// Whether the text could end here: no character is cut.
    public var isComplete: Bool { remaining == 0 }

    /// Checks the next piece. Returns false at the first byte that cannot be UTF-8; after that
    /// the check is used up.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        let count = bytes.count
        while index < count {
            if remaining == 0 {
                while index + 8 <= count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                        & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                if index == count { return true }
            }
            let byte = bytes[index]
            index += 1
            if remaining > 0 {
                guard byte >= lower && byte <= upper else { return false }
                lower = 0x80
                upper = 0xbf
                remaining -= 1
                continue
            }
            switch byte {
            case 0x00...0x7f: break
            case 0xc2...0xdf: remaining = 1
            case 0xe0: (remaining, lower) = (2, 0xa0)
            case 0xe1...0xec, 0xee...0xef: remaining = 2
            case 0xed: (remaining, upper) = (2, 0x9f)
            case 0xf0: (remaining, lower) = (3, 0x90)
            case 0xf1...0xf3: remaining = 3
            case 0xf4: (remaining, upper) = (3, 0x8f)
            default: return false
            }
        }
        return true
    }

    /// Whether `bytes` are one whole, valid text.
    public static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var check = UTF8Check()
        return check.append(bytes) && check.isComplete
    }
}
