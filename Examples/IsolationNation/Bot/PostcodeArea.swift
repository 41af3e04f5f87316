/// The part of a British postcode in front of the blank: everybody in it shares a thread.
struct PostcodeArea: Sendable, Hashable, CustomStringConvertible {
    /// In capitals: `SW1A`.
    let name: String

    var description: String { name }

    /// Reads `SW1A 1AA`, `sw1a1aa` or only `SW1A`. Nil if it is no postcode.
    init?(_ text: String) {
        let parts = text.uppercased().split { $0.isWhitespace }.map { Array($0.utf8) }
        switch parts.count {
        case 1:
            let whole = parts[0]
            let front = Array(whole.dropLast(3))
            // No area ends like the second half, so a postcode without its blank has one reading.
            if Self.isArea(front), Self.isSecondHalf(Array(whole.suffix(3))) {
                name = String(decoding: front, as: UTF8.self)
            } else if Self.isArea(whole) {
                name = String(decoding: whole, as: UTF8.self)
            } else {
                return nil
            }
        case 2:
            guard Self.isArea(parts[0]), Self.isSecondHalf(parts[1]) else { return nil }
            name = String(decoding: parts[0], as: UTF8.self)
        default: return nil
        }
    }

    /// One or two letters and a digit; then nothing, a digit or a letter (Royal Mail's formats
    /// A9, A99, A9A, AA9, AA99 and AA9A).
    private static func isArea(_ code: [UInt8]) -> Bool {
        ["A9", "A99", "A9A", "AA9", "AA99", "AA9A"].contains(form(code))
    }

    private static func isSecondHalf(_ code: [UInt8]) -> Bool { form(code) == "9AA" }

    /// The code with A for every letter and 9 for every digit.
    private static func form(_ code: [UInt8]) -> String {
        String(
            decoding: code.map { byte -> UInt8 in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(ascii: "A")
                case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "9")
                default: UInt8(ascii: "?")
                }
            }, as: UTF8.self)
    }
}
