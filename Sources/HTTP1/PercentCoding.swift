public import Bytes

/// Percent-encoding of URIs (RFC 3986 §2.1).
public enum PercentCoding {
    /// The text behind the encoded bytes, or nil if an escape or the UTF-8 behind it is broken.
    public static func decode(_ text: Text, plusIsSpace: Bool = false) -> Text? {
        text.withBytes { Self.text($0[...], plusIsSpace: plusIsSpace) }
    }

    /// Appends the text with all bytes escaped but the unreserved ones (RFC 3986 §2.3).
    public static func append(_ text: Text, to output: inout ByteQueue) {
        text.withBytes { bytes in
            for byte in bytes {
                if isUnreserved(byte) { output.append(byte) } else { append(byte, to: &output) }
            }
        }
    }

    static func text(_ bytes: Slice<UnsafeRawBufferPointer>, plusIsSpace: Bool) -> Text? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 2 <= bytes.endIndex, let high = ASCII.hexValue(bytes[index]),
                    let low = ASCII.hexValue(bytes[index + 1])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 2
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? ASCII.space : byte)
            }
        }
        return decoded.withUnsafeBytes { UTF8Check.isValid($0) ? Text(utf8: $0) : nil }
    }

    /// Appends one byte as `%XX`.
    static func append(_ byte: UInt8, to output: inout ByteQueue) {
        output.append(UInt8(ascii: "%"))
        output.append(digit(byte >> 4))
        output.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
