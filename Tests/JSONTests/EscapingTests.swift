import Bytes
import JSON
import Testing

/// Strings as JSON, at every place within the eight bytes that are looked at together.
struct EscapingTests {
    @Test func `a character that needs an escape gets one wherever it stands`() throws {
        let special: [Character] = ["\"", "\\", "\n", "\u{0}", "\u{1f}", "\u{7f}", "é", "😀", "/"]
        for character in special {
            for before in 0..<20 {
                for after in [0, 1, 7, 8, 9] {
                    let text =
                        String(repeating: "a", count: before) + String(character)
                        + String(repeating: "b", count: after)
                    var queue = ByteQueue()
                    queue.append(json: text)
                    #expect(try JSONValue(parsing: queue.bytes) == .string(Text(text)))
                    #expect(!queue.array.contains { $0 < 0x20 })
                    let isLonger = queue.count > text.utf8.count + 2
                    let needsEscape = character < " " || character == "\"" || character == "\\"
                    #expect(isLonger == needsEscape)
                }
            }
        }
    }
}
