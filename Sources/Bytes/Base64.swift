/// Base64 (RFC 4648 §4) and its URL-safe form (§5).
public enum Base64 {
    /// Which alphabet and whether padding is written.
    public enum Form: Sendable {
        /// `+` and `/`, padded.
        case standard
        /// `-` and `_`, without padding.
        case urlSafe
    }

    private static let standardAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlSafeAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The bytes in text form.
    public static func encode(_ bytes: some Collection<UInt8>, as form: Form = .standard) -> [UInt8]
    {
        let lent = bytes.withContiguousStorageIfAvailable {
            encode(UnsafeRawBufferPointer($0), as: form)
        }
        return lent ?? Array(bytes).withUnsafeBytes { encode($0, as: form) }
    }

    /// Lent bytes in text form.
    public static func encode(
        _ bytes: UnsafeRawBufferPointer, as form: Form = .standard
    ) -> [UInt8] {
        let alphabet = form == .standard ? standardAlphabet : urlSafeAlphabet
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                output.append(alphabet[Int(bits >> UInt32(bitCount) & 63)])
            }
        }
        if bitCount > 0 { output.append(alphabet[Int(bits << UInt32(6 - bitCount) & 63)]) }
        if form == .standard {
            while output.count % 4 != 0 { output.append(UInt8(ascii: "=")) }
        }
        return output
    }

    /// The bytes behind the text form, or nil for text that is not base64.
    ///
    /// Takes both alphabets, with or without padding: clients of AppSync send all of them
    /// (AppSync contract 1.2). Unused bits of the last character are ignored.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var bitCount = 0
        var digits = 0
        var padding = 0
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = digit(byte) else { return nil }
            digits += 1
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        guard digits % 4 != 1, padding == 0 || (digits + padding) % 4 == 0, padding <= 2 else {
            return nil
        }
        return output
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// Hexadecimal text.
public enum Hex {
    private static let alphabet = Array("0123456789abcdef".utf8)

    /// Two lower-case digits a byte.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            output.append(alphabet[Int(byte >> 4)])
            output.append(alphabet[Int(byte & 15)])
        }
        return String(decoding: output, as: UTF8.self)
    }
}
