/// Swift source with the insides of comments, string literals and raw identifiers blanked out, so
/// that words in prose are not taken for code. Newlines and offsets stay; code in string
/// interpolations stays as well.
struct CodeMask {
    private let bytes: [UInt8]
    private var code: [UInt8]
    private var at = 0

    static func mask(_ bytes: [UInt8]) -> [UInt8] {
        var mask = CodeMask(bytes: bytes, code: bytes)
        mask.passCode(untilParenthesis: false)
        return mask.code
    }

    private init(bytes: [UInt8], code: [UInt8]) {
        self.bytes = bytes
        self.code = code
    }

    private func peek(_ offset: Int = 0) -> UInt8 {
        at + offset < bytes.count ? bytes[at + offset] : 0
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where at < bytes.count {
            if bytes[at] != 0x0a { code[at] = 0x20 }
            at += 1
        }
    }

    /// For each byte, whether code that begins with it may be something else than plain code.
    private static let isSpecial: [Bool] = (0..<256).map { "/\"#`()".utf8.contains(UInt8($0)) }

    /// Passes over code; in an interpolation up to and with its closing parenthesis.
    private mutating func passCode(untilParenthesis: Bool) {
        let isSpecial = Self.isSpecial
        let bytes = bytes
        var depth = 0
        while at < bytes.count {
            if !isSpecial[Int(bytes[at])] {
                at += 1
                continue
            }
            switch (peek(), peek(1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "/")):
                while at < bytes.count && bytes[at] != 0x0a {
                    code[at] = 0x20
                    at += 1
                }
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): passBlockComment()
            case (UInt8(ascii: "\""), _): passString(pounds: 0)
            case (UInt8(ascii: "#"), _):
                var pounds = 1
                while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
                if peek(pounds) == UInt8(ascii: "\"") {
                    blank(pounds)
                    passString(pounds: pounds)
                } else {
                    at += 1
                }
            case (UInt8(ascii: "`"), _):
                blank()
                while at < bytes.count && peek() != UInt8(ascii: "`") { blank() }
                blank()
            case (UInt8(ascii: "("), _):
                depth += 1
                at += 1
            case (UInt8(ascii: ")"), _):
                depth -= 1
                if untilParenthesis && depth < 0 {
                    blank()
                    return
                }
                at += 1
            default: at += 1
            }
        }
    }

    private mutating func passBlockComment() {
        var depth = 0
        repeat {
            if peek() == UInt8(ascii: "/") && peek(1) == UInt8(ascii: "*") {
                depth += 1
                blank(2)
            } else if peek() == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && at < bytes.count
    }

    /// Passes over a string from its first quote; the pounds before it are passed already.
    private mutating func passString(pounds: Int) {
        let quote = UInt8(ascii: "\"")
        let quotes = peek(1) == quote && peek(2) == quote ? 3 : 1
        blank(quotes)
        let bytes = bytes
        while at < bytes.count {
            let byte = bytes[at]
            if byte != quote && byte != 0x5c && byte != 0x0a {
                code[at] = 0x20
                at += 1
                continue
            }
            if (0..<quotes).allSatisfy({ peek($0) == quote }) && hasPounds(pounds, after: quotes) {
                blank(quotes + pounds)
                return
            }
            if peek() == UInt8(ascii: "\\") && hasPounds(pounds, after: 1) {
                blank(1 + pounds)
                if peek() == UInt8(ascii: "(") {
                    blank()
                    passCode(untilParenthesis: true)
                } else {
                    blank()
                }
                continue
            }
            // A one-line string cannot go on: rather lose its end than the rest of the file.
            if quotes == 1 && peek() == 0x0a { return }
            blank()
        }
    }

    private func hasPounds(_ count: Int, after offset: Int) -> Bool {
        (0..<count).allSatisfy { peek(offset + $0) == UInt8(ascii: "#") }
    }
}
