import Bytes
import JSON
import TestKit
import Testing

@Suite struct JSONStringTests {
    private func parse(_ bytes: [UInt8]) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in try JSONValue(parsing: bytes.span.bytes) }
    }

    private func reason(_ bytes: [UInt8]) -> JSONError.Reason? {
        if case .failure(let error) = parse(bytes) { error.reason } else { nil }
    }

    @Test func `escapes give their characters`() {
        let table: [(String, String)] = [
            (#"\"\\\/"#, "\"\\/"), (#"\b\f\n\r\t"#, "\u{8}\u{c}\n\r\t"), (#"\u0041"#, "A"),
            (#"\u0000"#, "\0"), (#"\u00e9\u00E9"#, "\u{e9}\u{e9}"), (#"\u20AC"#, "\u{20ac}"),
            (#"\ud83d\ude00"#, "\u{1f600}"), (#"\uD83D\uDE00"#, "\u{1f600}"),
            (#"\ud800\udc00"#, "\u{10000}"), (#"\udbff\udfff"#, "\u{10ffff}"),
            (#"\ud7ff\ue000"#, "\u{d7ff}\u{e000}"), (#"\uffff\ufffe"#, "\u{ffff}\u{fffe}"),
            (#"a\u0062c"#, "abc"), (#"\\u0041"#, "\\u0041"), (#"e\u0301"#, "e\u{301}"),
            ("/\u{7f}\u{2028}\u{2029}", "/\u{7f}\u{2028}\u{2029}"),
            ("\u{e9}\u{20ac}\u{1f600}", "\u{e9}\u{20ac}\u{1f600}"),
        ]
        for (coded, plain) in table {
            for padding in ["", "seven b", "eight by", "and more than sixteen bytes"] {
                let text = Array("\"\(padding)\(coded)\(padding)\"".utf8)
                #expect(
                    parse(text) == .success(.string(Text(padding + plain + padding))), "\(coded)")
            }
        }
    }

    /// The text inside a string's quotes, as a value, as a name and as a member's value.
    private func places(_ inside: [UInt8]) -> [[UInt8]] {
        let string = [0x22] + inside + [0x22]
        return [
            string, Array("{".utf8) + string + Array(":1}".utf8),
            Array("{\"id\":".utf8) + string + Array("}".utf8),
        ]
    }

    @Test(arguments: [
        #"\ud800"#, #"\udbff"#, #"\udc00"#, #"\udff3"#, #"\ud83d\ud83d"#, #"\ud83d\u0041"#,
        #"\ud83dx"#, #"\ud83d\n"#, #"\ud83d\\ude00"#, #"\ude00\ud83d"#, #"\ud83d\ud"#,
    ])
    func `a surrogate without its other half is refused`(inside: String) {
        for text in places(Array(inside.utf8)) { #expect(reason(text) == .badUnicode) }
    }

    @Test(
        arguments: [
            [0xff], [0xfe], [0xc3], [0xc3, 0x28], [0x80], [0xa9], [0xed, 0xa0, 0x80],
            [0xed, 0xbf, 0xbf],
            [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xf0, 0x80, 0x80, 0x80],
            [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xf0, 0x9f, 0x98],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused wherever they stand`(inside: [UInt8]) {
        for padding in 0...9 {
            let plain = [UInt8](repeating: 0x61, count: padding)
            for text in places(plain + inside) + places(plain + inside + plain) {
                #expect(reason(text) == .badUnicode)
            }
        }
    }

    @Test func `control characters must be escaped, and no other escape exists`() {
        for byte in UInt8(0)..<0x20 {
            for padding in 0...9 {
                let plain = [UInt8](repeating: 0x61, count: padding)
                for text in places(plain + [byte] + plain) { #expect(reason(text) == .badString) }
            }
        }
        let known = Set("\"\\/bfnrtu".utf8)
        for byte in UInt8(0x20)..<0x7f where !known.contains(byte) {
            #expect(reason([0x22, 0x5c, byte, 0x22]) == .badString)
        }
        for inside in [#"\u"#, #"\u12"#, #"\u123g"#, #"\u 123"#, #"\u+123"#, #"\U0041"#, #"\x41"#] {
            #expect(reason(Array("\"\(inside)\"".utf8)) == .badString, "\(inside)")
        }
    }

    @Test func `strings are written with no more escapes than the standard demands`() {
        let table: [(Text, String)] = [
            ("", #""""#), ("plain", #""plain""#), ("a\"b\\c/", #""a\"b\\c/""#),
            ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#), ("\0\u{1f}\u{1}", #""\u0000\u001f\u0001""#),
            ("\u{7f}\u{e9}\u{1f600}", "\"\u{7f}\u{e9}\u{1f600}\""), ("e\u{301}", "\"e\u{301}\""),
        ]
        for (plain, coded) in table {
            var queue = ByteQueue()
            queue.append(json: plain)
            #expect(queue.array == Array(coded.utf8))
        }
    }

    @Test func `any text comes back byte for byte`() {
        var random = SeededRandom(seed: 31)
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<30, using: &random) {
                let range: ClosedRange<UInt32> =
                    [0...0x7f, 0...0x7ff, 0...0xffff, 0...0x10ffff].randomElement(using: &random)
                    ?? 0...0
                let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random))
                text.unicodeScalars.append(scalar ?? "\u{fffd}")
            }
            let value = JSONValue.object([Text(text): .string(Text(text))])
            #expect(parse(value.jsonBytes) == .success(value))
        }
    }
}
