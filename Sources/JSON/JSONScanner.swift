import Bytes

/// One pass over a JSON text: checks the whole grammar of RFC 8259 and fills the tape.
struct JSONScanner {
    let bytes: UnsafeRawBufferPointer
    let depthMax: Int
    var entries: [JSONTape.Entry]
    var at = 0

    /// The innermost open container's entry; -1 at the top. Until a container is closed its
    /// entry's `next` names the container around it, so that no list of them is needed.
    private var open: Int32 = -1
    private var depth = 0

    init(bytes: UnsafeRawBufferPointer, depthMax: Int, entries: [JSONTape.Entry]) {
        self.bytes = bytes
        self.depthMax = depthMax
        self.entries = entries
    }

    private func failure(_ reason: JSONError.Reason) -> JSONError {
        JSONError(
            reason: at >= bytes.count && reason == .unexpectedByte ? .endOfText : reason,
            byteOffset: min(at, bytes.count))
    }

    private var current: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x0a, 0x0d, 0x09: at += 1
            default: return
            }
        }
    }

    /// Reads the whole text without recursion. Returns what is wrong, or nil.
    mutating func scan() -> JSONError? {
        while true {
            skipSpace()
            if let failure = scanValue() { return failure }
            // A container was opened: its first value or name is next, unless it is empty.
            if let last = entries.last, last.kind.rawValue >= JSONTape.Kind.array.rawValue,
                Int(open) == entries.count - 1
            {
                skipSpace()
                if current == closer(of: last.kind) {
                    close()
                } else if last.kind == .object {
                    if let failure = scanName() { return failure }
                    continue
                } else {
                    continue
                }
            }
            // A value has ended: go up as long as containers end here too.
            while open >= 0 {
                skipSpace()
                let kind = entries[Int(open)].kind
                if current == UInt8(ascii: ",") {
                    at += 1
                    skipSpace()
                    if kind == .object, let failure = scanName() { return failure }
                    break
                }
                guard current == closer(of: kind), at < bytes.count else {
                    return failure(.unexpectedByte)
                }
                close()
            }
            if open < 0 { break }
        }
        skipSpace()
        return at == bytes.count ? nil : failure(.trailingBytes)
    }

    private func closer(of kind: JSONTape.Kind) -> UInt8 {
        kind == .array ? UInt8(ascii: "]") : UInt8(ascii: "}")
    }

    private mutating func close() {
        let container = Int(open)
        open = entries[container].next
        depth -= 1
        at += 1
        entries[container].end = Int32(at)
        entries[container].next = Int32(entries.count)
    }

    private mutating func add(_ kind: JSONTape.Kind, _ start: Int, _ end: Int, flag: Bool = false) {
        entries.append(
            JSONTape.Entry(
                start: Int32(start), end: Int32(end), next: Int32(entries.count + 1), kind: kind,
                flag: flag))
    }

    private mutating func scanName() -> JSONError? {
        guard current == UInt8(ascii: "\"") else { return failure(.unexpectedByte) }
        if let failure = scanString() { return failure }
        skipSpace()
        guard current == UInt8(ascii: ":") else { return failure(.unexpectedByte) }
        at += 1
        return nil
    }

    private mutating func scanValue() -> JSONError? {
        switch current {
        case UInt8(ascii: "\""): return scanString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < depthMax else { return failure(.tooDeep(limit: depthMax)) }
            let outer = open
            open = Int32(entries.count)
            depth += 1
            add(current == UInt8(ascii: "[") ? .array : .object, at, at)
            entries[Int(open)].next = outer
            at += 1
            return nil
        case UInt8(ascii: "t"): return scanLiteral("true", .true)
        case UInt8(ascii: "f"): return scanLiteral("false", .false)
        case UInt8(ascii: "n"): return scanLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return scanNumber()
        default: return failure(.unexpectedByte)
        }
    }

    private mutating func scanLiteral(_ word: StaticString, _ kind: JSONTape.Kind) -> JSONError? {
        let start = at
        for index in 0..<word.utf8CodeUnitCount {
            guard at < bytes.count, bytes[at] == word.utf8Start[index] else {
                return failure(.unexpectedByte)
            }
            at += 1
        }
        add(kind, start, at)
        return nil
    }

    private mutating func scanDigits() -> Bool {
        let start = at
        while at < bytes.count, bytes[at] &- UInt8(ascii: "0") < 10 { at += 1 }
        return at > start
    }

    private mutating func scanNumber() -> JSONError? {
        let start = at
        var isWhole = true
        if current == UInt8(ascii: "-") { at += 1 }
        if current == UInt8(ascii: "0") {
            at += 1
            if current &- UInt8(ascii: "0") < 10 { return failure(.badNumber) }
        } else if !scanDigits() {
            return failure(.badNumber)
        }
        if current == UInt8(ascii: ".") {
            isWhole = false
            at += 1
            if !scanDigits() { return failure(.badNumber) }
        }
        if current | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            at += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { at += 1 }
            if !scanDigits() { return failure(.badNumber) }
        }
        let digits = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
        if !isWhole || digits.count > 18 {
            guard JSONNumbers.integer(digits) != nil || JSONNumbers.double(digits) != nil else {
                at = start
                return failure(.numberOutOfRange)
            }
        }
        add(.number, start, at, flag: !isWhole)
        return nil
    }

    private mutating func scanString() -> JSONError? {
        at += 1
        let start = at
        var hasEscape = false
        var isASCII = true
        while true {
            while at + 8 <= bytes.count,
                isPlain(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            {
                at += 8
            }
            guard at < bytes.count else { return failure(.endOfText) }
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                hasEscape = true
                if let failure = scanEscape() { return failure }
                continue
            }
            if byte < 0x20 { return failure(.badString) }
            if byte >= 0x80 { isASCII = false }
            at += 1
        }
        if !isASCII, !UTF8Check.isValid(UnsafeRawBufferPointer(rebasing: bytes[start..<at])) {
            return failure(.badUnicode)
        }
        add(.string, start, at, flag: hasEscape)
        at += 1
        return nil
    }

    /// Whether none of eight bytes is a quote, a backslash, a control character or above ASCII.
    private func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let slash = word ^ (ones &* 0x5c)
        let hasQuote = (quote &- ones) & ~quote
        let hasSlash = (slash &- ones) & ~slash
        let hasControl = (word &- ones &* 0x20) & ~word
        return (hasQuote | hasSlash | hasControl | word) & high == 0
    }

    private mutating func scanEscape() -> JSONError? {
        at += 1
        guard at < bytes.count else { return failure(.endOfText) }
        switch bytes[at] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 1
            return nil
        case UInt8(ascii: "u"): return scanUnicodeEscape()
        default: return failure(.badString)
        }
    }

    private mutating func scanUnicodeEscape() -> JSONError? {
        guard let unit = JSONEscapes.hexUnit(bytes, at: at + 1) else { return failure(.badString) }
        at += 5
        if unit & 0xfc00 == 0xdc00 { return failure(.badUnicode) }
        guard unit & 0xfc00 == 0xd800 else { return nil }
        guard at + 6 <= bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u"),
            let low = JSONEscapes.hexUnit(bytes, at: at + 2), low & 0xfc00 == 0xdc00
        else { return failure(.badUnicode) }
        at += 6
        return nil
    }
}

/// Decoding of escapes in strings that the scanner has checked.
enum JSONEscapes {
    /// The four hexadecimal digits at `at`, or nil.
    static func hexUnit(_ bytes: UnsafeRawBufferPointer, at: Int) -> UInt32? {
        guard at + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for index in at..<(at + 4) {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value << 4 | UInt32(bytes[index] - 48)
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                value = value << 4 | UInt32(bytes[index] - 87)
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                value = value << 4 | UInt32(bytes[index] - 55)
            default: return nil
            }
        }
        return value
    }

    /// The characters behind a checked string's bytes.
    static func unescape(_ bytes: UnsafeRawBufferPointer) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            let rest = bytes[at...]
            let run = rest.prefix { $0 != UInt8(ascii: "\\") }
            output.append(contentsOf: run)
            at = run.endIndex
            if at == bytes.count { break }
            let escape = bytes[at + 1]
            at += 2
            switch escape {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0c)
            case UInt8(ascii: "n"): output.append(0x0a)
            case UInt8(ascii: "r"): output.append(0x0d)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                var value = hexUnit(bytes, at: at) ?? 0xfffd
                at += 4
                if value & 0xfc00 == 0xd800 {
                    let low = hexUnit(bytes, at: at + 2) ?? 0xdc00
                    value = 0x10000 + (value & 0x3ff) << 10 + (low & 0x3ff)
                    at += 6
                }
                let scalar = Unicode.Scalar(value) ?? "\u{fffd}"
                output.append(contentsOf: Array(String(Character(scalar)).utf8))
            default: output.append(escape)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

/// Decoding of numbers that the scanner has checked.
enum JSONNumbers {
    /// The integer, or nil if there is a fraction, an exponent or it does not fit 64 bits.
    static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
        var value: Int64 = 0
        let isNegative = digits.first == UInt8(ascii: "-")
        for byte in digits.dropFirst(isNegative ? 1 : 0) {
            let digit = Int64(byte) - 48
            guard digit >= 0, digit < 10 else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, more) = tens.subtractingReportingOverflow(digit)
            if overflow || more { return nil }
            value = next
        }
        if isNegative { return value }
        return value == Int64.min ? nil : -value
    }

    /// The number, or nil beyond the range of a double.
    static func double(_ digits: UnsafeRawBufferPointer) -> Double? {
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }
}
