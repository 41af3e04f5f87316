import Bytes

/// One token; punctuators are their own kind by their byte.
struct Token {
    /// What it is.
    enum Kind: UInt8 {
        case end = 0
        case name = 1
        case int = 2
        case float = 3
        case string = 4
        case blockString = 5
        case spread = 6
        case bang = 0x21
        case dollar = 0x24
        case ampersand = 0x26
        case parenOpen = 0x28
        case parenClose = 0x29
        case colon = 0x3a
        case equals = 0x3d
        case at = 0x40
        case bracketOpen = 0x5b
        case bracketClose = 0x5d
        case braceOpen = 0x7b
        case pipe = 0x7c
        case braceClose = 0x7d
    }

    var kind: Kind
    var start: Int
    var end: Int
    /// Strings: whether there is a backslash in it.
    var hasEscape = false

    /// Where a string's characters stand, without its quotes; other tokens' whole range.
    var content: Range<Int> {
        switch kind {
        case .string: (start + 1)..<(end - 1)
        case .blockString: (start + 3)..<(end - 3)
        default: start..<end
        }
    }
}

/// Cuts a text into tokens (GraphQL 2.1). Comments, commas and space between them are skipped.
struct Lexer {
    let bytes: UnsafeRawBufferPointer
    let tokensMax: Int
    private(set) var at = 0
    /// Longer than any number that a program writes: a double has 767 digits at most.
    private static let numberBytesMax = 1_024
    private var tokens = 0

    init(bytes: UnsafeRawBufferPointer, tokensMax: Int) {
        self.bytes = bytes
        self.tokensMax = tokensMax
    }

    /// A syntax error at a byte.
    func error(_ message: String, at offset: Int) -> GraphQLError {
        GraphQLError(
            "Syntax Error: \(message)", locations: [SourceLocation(of: offset, in: bytes)])
    }

    /// The next token; at the text's end `.end`, again and again.
    mutating func next() throws(GraphQLError) -> Token {
        skipIgnored()
        guard at < bytes.count else { return Token(kind: .end, start: at, end: at) }
        tokens += 1
        if tokens > tokensMax {
            throw error("the document has more than \(tokensMax) tokens", at: at)
                .reaching(.tokens, wayOut: "send it in parts, long lists as variables")
        }
        let byte = bytes[at]
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"):
            return scanName()
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: ":"), UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "@"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "="), UInt8(ascii: "|"),
            UInt8(ascii: "&"):
            at += 1
            return Token(kind: Token.Kind(rawValue: byte) ?? .end, start: at - 1, end: at)
        case UInt8(ascii: "\""):
            if peek(1) == byte, peek(2) == byte { return try scanBlockString() }
            return try scanString()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return try scanNumber()
        case UInt8(ascii: "."):
            guard peek(1) == byte, peek(2) == byte else {
                throw error("unexpected character \".\"", at: at)
            }
            at += 3
            return Token(kind: .spread, start: at - 3, end: at)
        default:
            throw error("unexpected character \(describe(byte))", at: at)
        }
    }

    private func peek(_ ahead: Int) -> UInt8 {
        at + ahead < bytes.count ? bytes[at + ahead] : 0
    }

    private func describe(_ byte: UInt8) -> String {
        if byte > 0x20, byte < 0x7f { return "\"\(Character(Unicode.Scalar(byte)))\"" }
        return "outside of a string"
    }

    private mutating func skipIgnored() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ","): at += 1
            case UInt8(ascii: "#"):
                while at < bytes.count, bytes[at] != 0x0a, bytes[at] != 0x0d { at += 1 }
            case 0xef:
                guard peek(1) == 0xbb, peek(2) == 0xbf else { return }
                at += 3
            default: return
            }
        }
    }

    private static func isNameContinue(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "_")
    }

    private mutating func scanName() -> Token {
        let start = at
        at += 1
        while at < bytes.count, Self.isNameContinue(bytes[at]) { at += 1 }
        return Token(kind: .name, start: start, end: at)
    }

    private mutating func scanDigits() throws(GraphQLError) {
        let start = at
        while at < bytes.count, bytes[at] &- UInt8(ascii: "0") < 10 { at += 1 }
        if at == start { throw error("a number lacks a digit", at: at) }
    }

    private mutating func scanNumber() throws(GraphQLError) -> Token {
        let start = at
        var kind = Token.Kind.int
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        if peek(0) == UInt8(ascii: "0") {
            at += 1
            if peek(0) &- UInt8(ascii: "0") < 10 {
                throw error("a number begins with a needless zero", at: at)
            }
        } else {
            try scanDigits()
        }
        if peek(0) == UInt8(ascii: ".") {
            kind = .float
            at += 1
            try scanDigits()
        }
        if peek(0) | 0x20 == UInt8(ascii: "e") {
            kind = .float
            at += 1
            if peek(0) == UInt8(ascii: "+") || peek(0) == UInt8(ascii: "-") { at += 1 }
            try scanDigits()
        }
        // GraphQL 2.9.1: a number may not run into a name or another number.
        if peek(0) == UInt8(ascii: ".") || at < bytes.count && Self.isNameContinue(bytes[at]) {
            throw error("a number is followed directly by \(describe(peek(0)))", at: at)
        }
        // Reading digits without end is dear, and no number needs them.
        if at - start > Self.numberBytesMax {
            throw error("a number is longer than \(Self.numberBytesMax) bytes", at: start)
        }
        return Token(kind: kind, start: start, end: at)
    }

    private mutating func scanString() throws(GraphQLError) -> Token {
        let quote = at
        at += 1
        var hasEscape = false
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return Token(
                    kind: .string, start: quote, end: at, hasEscape: hasEscape)
            case UInt8(ascii: "\\"):
                hasEscape = true
                at += 2
            case 0x0a, 0x0d: throw error("a string is not closed before its line's end", at: at)
            default: at += 1
            }
        }
        throw error("a string is not closed", at: min(at, bytes.count))
    }

    private mutating func scanBlockString() throws(GraphQLError) -> Token {
        let start = at
        at += 3
        var hasEscape = false
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\""), peek(1) == UInt8(ascii: "\""),
                peek(2) == UInt8(ascii: "\"")
            {
                at += 3
                return Token(
                    kind: .blockString, start: start, end: at, hasEscape: hasEscape)
            }
            if bytes[at] == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "\""),
                peek(2) == UInt8(ascii: "\""), peek(3) == UInt8(ascii: "\"")
            {
                hasEscape = true
                at += 4
            } else {
                at += 1
            }
        }
        throw error("a block string is not closed", at: at)
    }
}
