import Bytes
import GraphQL
import JSON
import Testing

/// Characters, strings and numbers (GraphQL 2.1, 2.9).
struct LexingTests {
    /// The value of the only argument of `{ f(a: …) }`, or the error's message.
    private func value(_ literal: String) -> Result<JSONValue, GraphQLError> {
        do throws(GraphQLError) {
            let document = try Document(parsing: Text("{ f(a: \(literal)) }"))
            guard case .operation(let operation) = document.definitions[0],
                case .field(let field) = operation.selections[0],
                let value = field.arguments[0].value.untyped({ _ in nil })
            else { return .failure(GraphQLError("no value")) }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    static let values: [(String, JSONValue)] = [
        ("0", 0), ("-0", 0), ("42", 42), ("-7", -7), ("1.5", 1.5), ("1e2", 100.0),
        ("-1.5E-1", -0.15), ("1e+2", 100.0), ("9223372036854775807", 9_223_372_036_854_775_807),
        ("true", true), ("false", false), ("null", nil), ("RED", "RED"), ("[]", []),
        ("[1 2,3]", [1, 2, 3]), ("{a: {b: [1]}}", ["a": ["b": [1]]]), ("{}", [:]),
        ("\"\"", ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"),
        (#""\u00e9\uD83D\uDE00\u{1F600}\u{0}""#, "é😀😀\0"), (#""é😀""#, "é😀"),
        ("\"\t\"", "\t"), ("\"#x,{\"", "#x,{"),
    ]

    @Test(arguments: values.indices)
    func `a value is read`(_ index: Int) throws {
        let (literal, expected) = Self.values[index]
        #expect(try value(literal).get() == expected)
    }

    static let mistakes = [
        "007", "00", "-", "1.", ".5", "1_000", "0x1", "1e", "1e+", "1.5.2", "1a", "-a", "1.e1",
        "\"", "\"a", "\"a\nb\"", "\"a\rb\"", #""\q""#, #""\u12""#, #""\uD83D""#, #""\uDE00""#,
        #""\uD83D\u0041""#, #""\u{110000}""#, #""\u{}""#, #""\u{D800}""#,
        #""\u{FFFFFFFFFFFFFFFFF}""#,
        #""\"#, #""\u{41""#, "\"\"\"a", "[1", "{a 1}", "{a: 1", "é", "$", "@", "?", "..", "\u{0}",
    ]

    @Test(arguments: mistakes)
    func `a malformed value is a syntax error`(_ literal: String) {
        guard case .failure(let error) = value(literal) else {
            Issue.record("it was taken")
            return
        }
        #expect(error.message.hasPrefix("Syntax Error: "))
        #expect(error.locations.count == 1)
    }

    static let blocks: [(String, JSONValue)] = [
        ("", ""), ("a", "a"), ("\n  a\n    b\n  c\n", "a\n  b\nc"), ("  a\n  b", "  a\nb"),
        ("\n\n\n  a\n\n  b\n  \n\t\n", "a\n\nb"), ("a\r\n  b\r  c", "a\nb\nc"),
        (#"x \""" y \n \u0041"#, #"x """ y \n \u0041"#), ("\n    😀 é\n      z", "😀 é\n  z"),
        ("\n \n  ", ""), ("\n\ta\n\tb", "a\nb"), (#" "quoted" "#, #" "quoted" "#),
    ]

    @Test(arguments: blocks.indices)
    func `a block string loses its indentation`(_ index: Int) throws {
        let (text, expected) = Self.blocks[index]
        #expect(try value("\"\"\"\(text)\"\"\"").get() == expected)
    }

    @Test func `space, commas, comments and byte order marks are passed over`() throws {
        let document = try Document(
            parsing: "\u{feff}# a comment {\n\t,,query ,Q#x\r\n{,a,\u{feff}b # end\n}#")
        guard case .operation(let operation) = document.definitions[0] else { return }
        #expect(operation.selections.count == 2)
        #expect(operation.name?.text == "Q")
    }

    @Test func `an error stands at its line and column`() {
        let places: [(Text, Int, Int)] = [
            ("{ a ?", 1, 5), ("{\n  a\n  ?", 3, 3), ("{\r\n\r a(x: 1.)", 3, 9), ("{ a", 1, 4),
            ("{ é }", 1, 3), ("# é😀\n{ a(s: \"😀\") ? }", 2, 13), ("", 1, 1),
        ]
        for (text, line, column) in places {
            do throws(GraphQLError) {
                _ = try Document(parsing: text)
                Issue.record("\(text) was taken")
            } catch {
                #expect(error.locations == [GraphQL.SourceLocation(line: line, column: column)])
            }
        }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        let bytes: [UInt8] = Array("{ a(b: \"".utf8) + [0xc3, 0x28] + Array("\") }".utf8)
        #expect(throws: GraphQLError.self) { try Document(parsing: bytes.span.bytes) }
    }

    @Test func `random bytes and random tokens never crash the parser`() {
        var random = SeededRandom(seed: 7)
        let pieces: [String] = [
            "{", "}", "(", ")", "[", "]", ":", "$", "!", "@", "=", "|", "&", "...", "on",
            "query", "type", "fragment", "extend", "schema", "input", "enum", "a", "1", "1.5",
            "\"s\"", "\"\"\"b\"\"\"", "\\u", "\n", "#", "\"", "directive", "repeatable", "é",
        ]
        var taken = 0
        for _ in 0..<3_000 {
            let count = Int.random(in: 1...20, using: &random)
            let words = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
            let text = Text(words.joined(separator: " "))
            if (try? Document(parsing: text)) != nil { taken += 1 }
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            if (try? Document(parsing: noise.span.bytes)) != nil { taken += 1 }
        }
        #expect(taken > 0)
    }

    @Test(arguments: [("1", 1_024, true), ("1", 1_025, false), ("0.", 1_025, false)])
    func `a number has 1,024 bytes at most`(_ head: String, _ bytes: Int, _ passes: Bool) {
        let number = head + String(repeating: "5", count: bytes - head.utf8.count)
        let document = try? Document(parsing: Text("{ a(b: \(number)) }"))
        #expect((document != nil) == passes)
    }
}
