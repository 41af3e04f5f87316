public import Bytes

extension ByteQueue {
    /// Appends a string with its quotes, escaped as RFC 8259 §7 demands and no further.
    public mutating func append(json text: Text) {
        text.withBytes { append(jsonStringOf: $0) }
    }

    /// Appends a string with its quotes.
    public mutating func append(json string: String) {
        append(json: Text(string))
    }

    /// Appends UTF-8 bytes as a JSON string with its quotes.
    public mutating func append(jsonStringOf bytes: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        append(jsonEscaped: bytes)
        append(UInt8(ascii: "\""))
    }

    /// Appends UTF-8 bytes escaped for the inside of a JSON string, without quotes.
    public mutating func append(jsonEscaped bytes: UnsafeRawBufferPointer) {
        var start = 0
        var index = 0
        while index < bytes.count {
            while index + 8 <= bytes.count,
                isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            {
                index += 8
            }
            guard index < bytes.count else { break }
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                if start < index { append(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) }
                start = index + 1
                append(escapeOf: byte)
            }
            index += 1
        }
        if start < bytes.count { append(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    }

    /// Whether none of eight bytes needs an escape. May be false for bytes that need none.
    private func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let slash = word ^ (ones &* 0x5c)
        let hasQuote = (quote &- ones) & ~quote
        let hasSlash = (slash &- ones) & ~slash
        let hasControl = (word &- ones &* 0x20) & ~word
        return (hasQuote | hasSlash | hasControl) & 0x8080_8080_8080_8080 == 0
    }

    private mutating func append(escapeOf byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0a: append(UInt8(ascii: "n"))
        case 0x0c: append(UInt8(ascii: "f"))
        case 0x0d: append(UInt8(ascii: "r"))
        default:
            append("u00")
            append(UInt8(ascii: "0") + (byte >> 4))
            let low = byte & 15
            append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }

    /// Appends a number in the shortest form that reads back equal. Doubles must be finite;
    /// whole doubles are written with `.0` so that they stay doubles.
    public mutating func append(json value: Double) {
        precondition(value.isFinite, "JSON has no form for an infinite number")
        append(utf8: value.description)
    }

    /// Appends a whole value in compact form.
    public mutating func append(json value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" as StaticString : "false")
        case .int(let value): append(decimal: value)
        case .double(let value): append(json: value)
        case .string(let text): append(json: text)
        case .array(let items):
            append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: item)
            }
            append(UInt8(ascii: "]"))
        case .object(let object):
            append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: member.name)
                append(UInt8(ascii: ":"))
                append(json: member.value)
            }
            append(UInt8(ascii: "}"))
        }
    }
}

extension JSONValue {
    /// The value as compact JSON bytes.
    public var jsonBytes: [UInt8] {
        var queue = ByteQueue()
        queue.append(json: self)
        return queue.array
    }

    /// The value as compact JSON text.
    public var jsonText: String { String(decoding: jsonBytes, as: UTF8.self) }
}
