import Bytes
import JSON
import Testing

/// RFC 8259 as two tables: what is taken, and what is refused with which reason at which byte.
@Suite struct JSONGrammarTests {
    private func parse(_ bytes: [UInt8], depthMax: Int = 64) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in
            try JSONValue(parsing: bytes.span.bytes, depthMax: depthMax)
        }
    }

    private func parse(_ text: String) -> Result<JSONValue, JSONError> { parse(Array(text.utf8)) }

    private let taken: [(String, JSONValue)] = [
        ("null", nil), ("true", true), ("false", false), (" \t\r\n null \t\r\n ", nil),
        ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("\"\"", ""), ("\"a\"", "a"),
        ("[]", []), ("[ ]", []), ("{}", [:]), ("{ \n }", [:]),
        ("[1,2]", [1, 2]), (" [ 1 , 2 ] ", [1, 2]), ("[[],[[]]]", [[], [[]]]),
        ("[{},[],\"\",0,null]", [[:], [], "", 0, nil]),
        ("{\"a\":1}", ["a": 1]), (" { \"a\" : 1 , \"b\" : [ ] } ", ["a": 1, "b": []]),
        ("{\"\":{\"\":{}}}", ["": ["": [:]]]),
        ("{\"a\":{\"b\":[{\"c\":null}]},\"d\":2}", ["a": ["b": [["c": nil]]], "d": 2]),
    ]

    @Test func `what the grammar allows is taken`() {
        for (text, value) in taken { #expect(parse(text) == .success(value), "\(text)") }
    }

    private let refused: [(String, JSONError.Reason, Int)] = [
        ("", .endOfText, 0), ("  ", .endOfText, 2), ("[", .endOfText, 1), ("{", .endOfText, 1),
        ("[1", .endOfText, 2), ("[1,", .endOfText, 3), ("{\"a\"", .endOfText, 4),
        ("{\"a\":", .endOfText, 5), ("{\"a\":1", .endOfText, 6), ("\"a", .endOfText, 2),
        ("\"a\\", .endOfText, 3), ("tru", .endOfText, 3), ("nul", .endOfText, 3),
        ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[,]", .unexpectedByte, 1),
        ("[1 2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2), ("{]", .unexpectedByte, 1),
        ("{\"a\":1]", .unexpectedByte, 6), ("{\"a\":1,}", .unexpectedByte, 7),
        ("{,}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1), ("{1:1}", .unexpectedByte, 1),
        ("{\"a\",1}", .unexpectedByte, 4), ("{\"a\" 1}", .unexpectedByte, 5),
        ("{\"a\"::1}", .unexpectedByte, 5), ("{'a':1}", .unexpectedByte, 1),
        ("[1,,2]", .unexpectedByte, 3), ("]", .unexpectedByte, 0), (",", .unexpectedByte, 0),
        (":", .unexpectedByte, 0), ("True", .unexpectedByte, 0), ("trUe", .unexpectedByte, 2),
        ("undefined", .unexpectedByte, 0), ("/**/1", .unexpectedByte, 0),
        ("\u{feff}1", .unexpectedByte, 0), ("\u{a0}1", .unexpectedByte, 0),
        ("\0", .unexpectedByte, 0),
        ("\u{b}1", .unexpectedByte, 0), ("[\0]", .unexpectedByte, 1), ("[1\0]", .unexpectedByte, 2),
        ("1 2", .trailingBytes, 2), ("nullx", .trailingBytes, 4), ("[] []", .trailingBytes, 3),
        ("{}}", .trailingBytes, 2), ("\"a\"b", .trailingBytes, 3), ("null\0", .trailingBytes, 4),
        ("1//", .trailingBytes, 1),
    ]

    @Test func `what the grammar forbids is refused at its place`() {
        for (text, reason, offset) in refused {
            #expect(
                parse(text) == .failure(JSONError(reason: reason, byteOffset: offset)),
                "\(text.debugDescription)")
        }
    }

    @Test func `every beginning of a text is refused, the whole is taken`() {
        let text = Array("{\"a\":[1.5e3,true,null,\"\\u00e9\\n\u{e9}\"],\"b\":{\"c\":-0}}".utf8)
        for count in text.indices {
            guard case .failure(let error) = parse(Array(text[..<count])) else {
                Issue.record("the first \(count) bytes were taken")
                continue
            }
            #expect(error.byteOffset <= count)
        }
        #expect(throws: Never.self) { try parse(text).get() }
    }

    @Test func `nesting is taken up to the limit and refused beyond`() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> [UInt8] {
                let inside = open == "[" ? "" : "0"
                let text = String(repeating: open, count: depth) + inside
                return Array((text + String(repeating: close, count: depth)).utf8)
            }
            #expect(throws: Never.self) { try parse(nested(64)).get() }
            #expect(throws: Never.self) { try parse(nested(3), depthMax: 3).get() }
            guard case .failure(let error) = parse(nested(4), depthMax: 3) else {
                Issue.record("four levels were taken")
                continue
            }
            #expect(error.reason == .tooDeep(limit: 3))
            // Far beyond the limit the reader must neither recurse nor take long.
            let deep = parse(Array(String(repeating: open, count: 200_000).utf8))
            #expect(throws: JSONError.self) { try deep.get() }
        }
    }

    @Test func `a message names the fault and the place, never the text`() {
        let reasons: [JSONError.Reason] = [
            .endOfText, .unexpectedByte, .trailingBytes, .badString, .badUnicode, .badNumber,
            .numberOutOfRange, .tooDeep(limit: 9),
        ]
        let messages = reasons.map { JSONError(reason: $0, byteOffset: 17).description }
        #expect(Set(messages).count == reasons.count)
        #expect(messages.allSatisfy { $0.hasSuffix("(at byte 17)") })
        #expect(messages[7].contains("limit of 9"))
    }

    /// Texts that are nearly JSON: bytes of a valid one changed, lost or doubled.
    @Test func `random bytes and damaged texts never crash, and what is taken comes back`() throws {
        var random = SeededRandom(seed: 21)
        let whole = Array(
            "{\"a\":[1,-2.5e-3,true,null,\"x\\u00e9\\ud83d\\ude00\u{e9}\"],\"b\":{\"c\":[]}}".utf8)
        var takenCount = 0
        for round in 0..<6_000 {
            var bytes = whole
            if round % 3 == 0 {
                let count = Int.random(in: 0..<40, using: &random)
                bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes.remove(at: place)
                default: bytes.insert(whole[place % whole.count], at: place)
                }
            }
            guard case .success(let value) = parse(bytes) else { continue }
            takenCount += 1
            #expect(parse(value.jsonBytes) == .success(value))
        }
        #expect(takenCount > 100)
    }
}
