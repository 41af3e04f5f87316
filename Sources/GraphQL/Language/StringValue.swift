import Bytes

/// The characters behind a string token (GraphQL 2.9.4).
enum StringValue {
    /// A mistake in an escape: what, and at which byte.
    struct EscapeError: Error {
        var message: String
        var offset: Int
    }

    /// Reads the escapes of a plain string that stands at `range`.
    static func unescape(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(EscapeError) -> Text {
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = bytes[at]
            guard byte == UInt8(ascii: "\\") else {
                output.append(byte)
                at += 1
                continue
            }
            let escape = at + 1 < range.upperBound ? bytes[at + 1] : 0
            if escape == UInt8(ascii: "u") {
                let scalar = try unicodeEscape(bytes, range, &at)
                output.append(contentsOf: Character(scalar).utf8)
                continue
            }
            output.append(try simpleEscape(escape, at))
            at += 2
        }
        return Text(String(decoding: output, as: UTF8.self))
    }

    private static func simpleEscape(
        _ byte: UInt8, _ offset: Int
    ) throws(EscapeError) -> UInt8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return byte
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0c
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "r"): return 0x0d
        case UInt8(ascii: "t"): return 0x09
        default:
            throw EscapeError(message: "unknown escape in a string", offset: offset)
        }
    }

    /// Reads `\uXXXX`, a pair of them for a surrogate pair, or `\u{X…}`; moves `at` behind it.
    private static func unicodeEscape(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ at: inout Int
    ) throws(EscapeError) -> Unicode.Scalar {
        let start = at
        let invalid = EscapeError(message: "invalid Unicode escape in a string", offset: start)
        var value: UInt32
        at += 2
        if at < range.upperBound, bytes[at] == UInt8(ascii: "{") {
            at += 1
            value = 0
            let digits = at
            while at < range.upperBound, let digit = hexDigit(bytes[at]) {
                if value > 0x10_ffff { throw invalid }
                value = value << 4 | digit
                at += 1
            }
            guard at > digits, at < range.upperBound, bytes[at] == UInt8(ascii: "}") else {
                throw invalid
            }
            at += 1
        } else {
            value = try hexUnit(bytes, range, &at, invalid)
            if value & 0xfc00 == 0xd800 {
                guard at + 1 < range.upperBound, bytes[at] == UInt8(ascii: "\\"),
                    bytes[at + 1] == UInt8(ascii: "u")
                else { throw invalid }
                at += 2
                let low = try hexUnit(bytes, range, &at, invalid)
                guard low & 0xfc00 == 0xdc00 else { throw invalid }
                value = 0x10000 + (value & 0x3ff) << 10 + (low & 0x3ff)
            }
        }
        guard let scalar = Unicode.Scalar(value) else { throw invalid }
        return scalar
    }

    private static func hexUnit(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ at: inout Int,
        _ invalid: EscapeError
    ) throws(EscapeError) -> UInt32 {
        guard at + 4 <= range.upperBound else { throw invalid }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = hexDigit(bytes[at]) else { throw invalid }
            value = value << 4 | digit
            at += 1
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 55
        default: nil
        }
    }

    /// The value of a block string: common indentation of all lines but the first and blank
    /// lines at both ends are dropped (GraphQL 2.9.4, BlockStringValue).
    static func block(_ raw: UnsafeRawBufferPointer, hasEscape: Bool) -> Text {
        let bytes = hasEscape ? unescapeBlock(raw) : Array(raw)
        var lines = split(bytes)
        var common: Int?
        for line in lines.dropFirst() {
            let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
            if indent < line.count { common = min(common ?? indent, indent) }
        }
        if let common, common > 0 {
            for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(common) }
        }
        guard let first = lines.firstIndex(where: { !isBlank($0) }),
            let last = lines.lastIndex(where: { !isBlank($0) })
        else { return "" }
        let joined = Array(lines[first...last].joined(separator: [0x0a]))
        return Text(String(decoding: joined, as: UTF8.self))
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    private static func unescapeBlock(_ raw: UnsafeRawBufferPointer) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(raw.count)
        var at = 0
        while at < raw.count {
            if raw[at] == UInt8(ascii: "\\"), at + 3 < raw.count,
                raw[(at + 1)...(at + 3)].allSatisfy({ $0 == UInt8(ascii: "\"") })
            {
                at += 1
                output.append(contentsOf: raw[at..<(at + 3)])
                at += 3
            } else {
                output.append(raw[at])
                at += 1
            }
        }
        return output
    }

    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var at = 0
        while at < bytes.count {
            if bytes[at] == 0x0a || bytes[at] == 0x0d {
                lines.append(bytes[start..<at])
                if bytes[at] == 0x0d, at + 1 < bytes.count, bytes[at + 1] == 0x0a { at += 1 }
                start = at + 1
            }
            at += 1
        }
        lines.append(bytes[start...])
        return lines
    }
}
