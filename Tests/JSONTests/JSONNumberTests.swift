import Bytes
import JSON
import Testing

@Suite struct JSONNumberTests {
    private func parse(_ text: String) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in try JSONValue(parsing: text) }
    }

    @Test func `whole numbers within 64 bits stay integers`() {
        let table: [(String, Int64)] = [
            ("0", 0), ("-0", 0), ("9", 9), ("2147483647", 2_147_483_647),
            ("2147483648", 2_147_483_648), ("-2147483649", -2_147_483_649),
            ("9007199254740993", 9_007_199_254_740_993),
            ("999999999999999999", 999_999_999_999_999_999),
            ("1000000000000000000", 1_000_000_000_000_000_000),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ]
        for (text, value) in table {
            #expect(parse(text) == .success(.int(value)))
            #expect(parse(" [ \(text) ] ") == .success([.int(value)]))
        }
    }

    @Test func `every other number is a double`() {
        let table: [(String, Double)] = [
            ("9223372036854775808", 9_223_372_036_854_775_808), ("1.0", 1), ("1E+2", 100),
            ("1e2", 100),
            ("-9223372036854775809", -9_223_372_036_854_775_808), ("1.5", 1.5), ("-0.0", -0.0),
            ("18446744073709551616", 18_446_744_073_709_551_616), ("0.1", 0.1), ("1e-2", 0.01),
            ("1.7976931348623157e308", .greatestFiniteMagnitude), ("0e0", 0), ("0E-9", 0),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("1e-2147483649", 0),
            ("0.30000000000000004", 0.30000000000000004),
            ("123456789012345678901234567890", 1.2345678901234568e29),
        ]
        for (text, value) in table { #expect(parse(text) == .success(.double(value)), "\(text)") }
    }

    @Test func `a long number is read when it is within range`() {
        let ones = String(repeating: "1", count: 300)
        #expect(parse(ones) == .success(.double(Double(ones) ?? 0)))
        let fraction = "0." + String(repeating: "0", count: 5_000) + "1"
        #expect(parse(fraction) == .success(.double(0)))
        let third = "0." + String(repeating: "3", count: 5_000)
        #expect(parse(third) == .success(.double(1.0 / 3)))
    }

    @Test(arguments: [
        "1e400", "-1e400", "1e2147483648", "1e99999999999999999999", "1.8e308",
        String(repeating: "9", count: 400), "-" + String(repeating: "9", count: 400) + ".5",
    ])
    func `a number beyond a double is refused, not made infinite`(text: String) {
        #expect(parse(text) == .failure(JSONError(reason: .numberOutOfRange, byteOffset: 0)))
        #expect(
            parse("[1,\(text)]") == .failure(JSONError(reason: .numberOutOfRange, byteOffset: 3)))
    }

    @Test(arguments: [
        "01", "-01", "00", "-", "--1", "-a", "1.", "1.e3", "1e", "1e+", "1E-", "-.5", "1.5.",
        "1ee2",
        "1e1.5", "+1", ".5", "NaN", "Infinity", "-Infinity", "0x10", "1_000", "1,0", "1a", "1e5e5",
        "\u{661}", "1\u{0}",
    ])
    func `what is no JSON number is refused`(text: String) {
        #expect(throws: JSONError.self) { try parse(text).get() }
        #expect(throws: JSONError.self) { try parse("{\"a\":\(text)}").get() }
    }

    @Test func `an integer is no double of the same size, but both have a number`() {
        #expect(JSONValue.int(1) != .double(1))
        #expect(JSONValue.int(1).number == 1 && JSONValue.double(1).number == 1)
        #expect(JSONValue.int(1).integer == 1 && JSONValue.double(1).integer == nil)
    }

    @Test func `doubles are written so that they read back equal and stay doubles`() {
        var random = SeededRandom(seed: 2)
        var values: [Double] = [
            0, -0.0, 1, -1, 100, 1e15, 1e16, 1e17, 1e21, 1e22, 0.1, 1e-5, 1e-7, 123_456.789, .pi,
            .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude,
            9_007_199_254_740_992, 9_223_372_036_854_775_808,
        ]
        for _ in 0..<2_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite { values.append(value) }
        }
        for value in values {
            let text = JSONValue.double(value).jsonText
            guard case .success(.double(let back)) = parse(text) else {
                Issue.record("\(text) does not read back as a double")
                continue
            }
            #expect(back.bitPattern == value.bitPattern)
        }
    }
}
