/// Questions about single bytes and short runs of them, as the HTTP grammar asks them.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0a
    static let carriageReturn: UInt8 = 0x0d
    static let space: UInt8 = 0x20

    /// `tchar` of RFC 9110 §5.6.2 as two words of bits, one bit a byte value.
    private static let tokenBits: (UInt64, UInt64) = {
        var low: UInt64 = 0
        var high: UInt64 = 0
        let marks = "!#$%&'*+-.^_`|~0123456789"
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for byte in (marks + letters).utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        return (low, high)
    }()

    /// Whether the bytes are one token: at least one `tchar` and nothing else.
    static func isToken(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let (low, high) = tokenBits
        for byte in bytes {
            let word = byte < 64 ? low : high
            guard byte < 128, word >> UInt64(byte & 63) & 1 == 1 else { return false }
        }
        return !bytes.isEmpty
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? tokenBits.0 : tokenBits.1
        return byte < 128 && word >> UInt64(byte & 63) & 1 == 1
    }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        default: nil
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 0x20 : byte
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// Equality without regard to case.
    static func equals(_ bytes: some RandomAccessCollection<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        var at = text.utf8Start
        for byte in bytes {
            if lowercased(byte) != lowercased(at.pointee) { return false }
            at += 1
        }
        return true
    }

    /// Equality to the bit.
    static func equalsExactly(
        _ bytes: some RandomAccessCollection<UInt8>, _ text: StaticString
    ) -> Bool {
        bytes.elementsEqual(
            UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The range without blanks at its two ends (OWS of RFC 9110 §5.6.3).
    static func trimmed(
        _ range: Range<Int>, _ byteAt: (Int) -> UInt8
    ) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end && isBlank(byteAt(start)) { start += 1 }
        while end > start && isBlank(byteAt(end - 1)) { end -= 1 }
        return start..<end
    }
}
