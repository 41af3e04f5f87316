/// The grammar of a Host field: `uri-host [":" port]` (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum HostRule {
    /// Whether the bytes are a host with or without a port. An empty one is legal: it is what a
    /// client sends for a URI without authority (RFC 9112 §3.2).
    static func isValid(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = bytes
        if rest.first == UInt8(ascii: "[") {
            guard let close = rest.firstIndex(of: UInt8(ascii: "]")),
                isAddress(rest[rest.index(after: rest.startIndex)..<close])
            else { return false }
            rest = rest[(close + 1)...]
        } else {
            let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
            guard rest[..<end].allSatisfy(isNameByte) else { return false }
            rest = rest[end...]
        }
        guard let colon = rest.popFirst() else { return true }
        return colon == UInt8(ascii: ":") && rest.count <= 5 && rest.allSatisfy(ASCII.isDigit)
    }

    /// The inside of an IP literal, by its alphabet: hexadecimal digits, colons, a dotted tail,
    /// a zone. Whether it names an address is the resolver's matter, not the parser's.
    private static func isAddress(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.contains(UInt8(ascii: ":"))
            && bytes.allSatisfy { $0 == UInt8(ascii: ":") || isNameByte($0) }
    }

    /// Letters, digits and the marks of `reg-name`.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: "%"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"): true
        case UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"): true
        case UInt8(ascii: "+"), UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: false
        }
    }
}
