/// The grammar of a Host field: `uri-host [":" port]` (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum HostRule {
    /// Where the host ends and which port is named.
    struct Parts {
        /// The name or address, an IPv6 address with its brackets.
        var host: Range<Int>
        /// Nil if none is named.
        var port: UInt16?
    }

    /// Whether the bytes are a host with or without a port. An empty one is legal: it is what a
    /// client sends for a URI without authority (RFC 9112 §3.2).
    static func isValid(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.isEmpty || parts(of: bytes) != nil
    }

    /// Takes host and port apart, or nil if the bytes are neither. The host is not empty
    /// (RFC 9110 §4.2.1).
    static func parts(of bytes: Slice<UnsafeRawBufferPointer>) -> Parts? {
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")),
                isAddress(bytes[(bytes.startIndex + 1)..<close])
            else { return nil }
            end = close + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard end > bytes.startIndex, isName(bytes[..<end]) else { return nil }
        }
        var parts = Parts(host: bytes.startIndex..<end, port: nil)
        if end == bytes.endIndex { return parts }
        guard bytes[end] == UInt8(ascii: ":"), let port = port(bytes[(end + 1)...]) else {
            return nil
        }
        parts.port = port
        return parts
    }

    /// `*DIGIT` of at most five, as a port. Some for an empty one, which names none.
    private static func port(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt16?? {
        guard digits.count <= 5, digits.allSatisfy(ASCII.isDigit) else { return nil }
        if digits.isEmpty { return .some(nil) }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        return UInt16(exactly: value).map { .some($0) }
    }

    /// The inside of an IP literal, by its alphabet: hexadecimal digits, colons, a dotted tail,
    /// a zone (RFC 6874). Whether it names an address is the resolver's matter, not the parser's.
    private static func isAddress(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let zone = bytes.firstIndex(of: UInt8(ascii: "%")) ?? bytes.endIndex
        let address = bytes[..<zone]
        return address.contains(UInt8(ascii: ":")) && isName(bytes[zone...])
            && address.allSatisfy {
                ASCII.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
    }

    /// Letters, digits, the marks of `reg-name` and whole percent escapes.
    private static func isName(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.endIndex, ASCII.hexValue(bytes[index + 1]) != nil,
                    ASCII.hexValue(bytes[index + 2]) != nil
                else { return false }
                index += 2
            } else if !isNameByte(bytes[index]) {
                return false
            }
            index += 1
        }
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"): true
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: false
        }
    }
}
