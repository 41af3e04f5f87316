import Testing

@testable import HeliographCLI

struct BenchBodyTests {
    private let mark = BenchBody.Mark(topic: 12, number: 345, nanoseconds: 6_789_000_000_001)

    private func read(_ text: String, with body: inout BenchBody) -> BenchBody.Mark? {
        Array(text.utf8).withUnsafeBytes { body.mark(in: $0) }
    }

    @Test func `a body has the wanted length and is read back out of an event`() {
        var body = BenchBody(run: 0xc0de, byteCount: 200)
        let text = body.text(mark)
        #expect(text.utf8.count == 200)
        #expect(text.hasPrefix("hb0000c0de.12.345.6789000000001.x"))
        for front in ["", #"{"data":{"onCreateMessage":{"body":""#, "hhbhb0000c0d"] {
            #expect(read(front + text + #""}}}"#, with: &body) == mark)
        }
    }

    @Test func `a body that is to be shorter than its mark is the mark`() {
        var body = BenchBody(run: 1, byteCount: 1)
        #expect(read(body.text(mark), with: &body) == mark)
    }

    @Test func `messages of others are not taken for ours`() {
        var body = BenchBody(run: 1, byteCount: 100)
        let other = BenchBody(run: 2, byteCount: 100)
        for text in [
            "", "hb", "hb00000001", "hb00000001.", "hb00000001.1.2.3", "hb00000001.1.x.3.",
            "hb00000001..2.3.", other.text(mark),
        ] {
            #expect(read(text, with: &body) == nil, "\(text)")
        }
        // And the place of a foreign one is no hindrance for the next.
        #expect(read("  " + body.text(mark), with: &body) == mark)
    }

    @Test func `bytes are found wherever they stand`() {
        let text = Array("aabaabaaab".utf8)
        func find(_ needle: String) -> Int? {
            Array(needle.utf8).withUnsafeBytes { needle in
                text.withUnsafeBytes { $0.firstIndex(of: needle) }
            }
        }
        #expect(find("aab") == 0)
        #expect(find("aaab") == 6)
        #expect(find("b") == 2)
        #expect(find("bb") == nil)
        #expect(find("aaba") == 0)
        #expect(find("") == nil)
        #expect(find("aabaabaaaba") == nil)
    }
}
