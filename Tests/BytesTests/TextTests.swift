import Bytes
import Testing

@Suite struct TextTests {
    @Test func `texts that Swift takes for equal are told apart by their bytes`() {
        let pairs: [(String, String)] = [
            ("caf\u{e9}", "cafe\u{301}"), ("K", "\u{212a}"), (";", "\u{37e}"),
        ]
        for (one, other) in pairs {
            #expect(one == other)
            #expect(Text(one) != Text(other))
            #expect(Set([Text(one), Text(other)]).count == 2)
        }
    }

    @Test func `one differing byte anywhere makes texts of any length unequal`() {
        for count in 0...25 {
            let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
            let text = Text(String(decoding: bytes, as: UTF8.self))
            #expect(text == Text(String(decoding: bytes, as: UTF8.self)))
            for place in 0..<count {
                var other = bytes
                other[place] = UInt8(ascii: "b")
                #expect(text != Text(String(decoding: other, as: UTF8.self)))
            }
        }
    }

    @Test func `order is the order of the bytes`() {
        let sorted: [Text] = [
            "", "\0", "A", "B", "a", "a\0", "aa", "b", "e\u{301}", "\u{e9}", "\u{ffff}",
            "\u{10000}",
        ]
        var random = SeededRandom(seed: 3)
        #expect(sorted.shuffled(using: &random).sorted() == sorted)
        for (one, other) in zip(sorted, sorted.dropFirst()) {
            #expect(one < other && !(other < one) && one != other)
        }
    }

    @Test func `a prefix and a part are found by bytes`() {
        let text: Text = "caf\u{e9} au lait"
        for part: Text in ["", "c", "caf\u{e9}", "caf\u{e9} au lait"] {
            #expect(text.hasPrefix(part))
            #expect(text.contains(part))
        }
        for part: Text in ["t", "au", " au lait", "it"] {
            #expect(!text.hasPrefix(part))
            #expect(text.contains(part))
        }
        for part: Text in ["cafe", "cafe\u{301}", "x", "laits", "caf\u{e9} au lait "] {
            #expect(!text.hasPrefix(part))
            #expect(!text.contains(part))
        }
        #expect(Text("").contains(""))
        #expect(Text("aaab").contains("aab"))
    }

    @Test func `lengths are bytes and NUL is a character like others`() {
        #expect(Text("\u{e9}\u{1f600}").byteCount == 6)
        #expect(Text("a\0b").byteCount == 3)
        #expect(Text("a\0b") != "a")
        #expect(Text("").isEmpty && !Text("\0").isEmpty)
    }

    @Test func `broken bytes are replaced, whole ones kept`() {
        let whole: [UInt8] = [0x61, 0xc3, 0xa9]
        #expect(whole.withUnsafeBytes { Text(utf8: $0) } == "a\u{e9}")
        let broken: [UInt8] = [0x61, 0xff, 0x62]
        #expect(broken.withUnsafeBytes { Text(utf8: $0) } == "a\u{fffd}b")
        #expect(Text("a\u{e9}").withBytes { Array($0) } == whole)
    }
}
