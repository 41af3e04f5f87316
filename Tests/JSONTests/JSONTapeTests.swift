import Bytes
import JSON
import Testing

/// A text with its tape; the questions take no span, which the test macros could not carry.
private struct ReadText {
    let text: [UInt8]
    let tape: JSONTape

    init(_ text: String) throws(JSONError) {
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes.span.bytes)
        self.text = bytes
        self.tape = tape
    }

    func member(_ name: StaticString, of index: Int) -> Int? {
        tape.member(name, of: index, in: text.span.bytes)
    }

    func isString(_ index: Int, _ name: StaticString) -> Bool {
        tape.isString(index, equalTo: name, in: text.span.bytes)
    }

    func string(_ index: Int) -> Text { tape.string(at: index, in: text.span.bytes) }

    func value(_ index: Int) -> JSONValue { tape.value(at: index, in: text.span.bytes) }

    func slice(_ index: Int) -> String {
        String(decoding: text[tape.range(of: index)], as: UTF8.self)
    }
}

@Suite struct JSONTapeTests {
    private let message =
        #"{"type":"next","id":"e\u0301","payload":{"a":[1,{"b":[]},"x"],"type":2},"n":null}"#

    @Test func `members are found at their own level only`() throws {
        let read = try ReadText(message)
        let type = try #require(read.member("type", of: 0))
        #expect(read.isString(type, "next"))
        #expect(!read.isString(type, "nex"))
        #expect(!read.isString(type, "nextt"))
        let payload = try #require(read.member("payload", of: 0))
        #expect(read.tape.kind(of: payload) == .object)
        let inner = try #require(read.member("type", of: payload))
        #expect(read.value(inner) == 2)
        #expect(!read.isString(inner, "2"))
        #expect(read.member("b", of: 0) == nil)
        #expect(read.member("", of: 0) == nil)
        #expect(read.member("type", of: type) == nil)
        let null = try #require(read.member("n", of: 0))
        #expect(read.tape.kind(of: null) == .null)
    }

    @Test func `ranges are the values' own bytes, a string's without its quotes`() throws {
        let read = try ReadText(message)
        let payload = try #require(read.member("payload", of: 0))
        #expect(read.slice(payload) == #"{"a":[1,{"b":[]},"x"],"type":2}"#)
        #expect(read.slice(0) == message)
        let id = try #require(read.member("id", of: 0))
        #expect(read.slice(id) == #"e\u0301"# && read.tape.hasEscape(id))
        #expect(read.string(id) == "e\u{301}")
    }

    @Test func `the next index steps over all that a value contains`() throws {
        let read = try ReadText(message)
        let payload = try #require(read.member("payload", of: 0))
        let list = try #require(read.member("a", of: payload))
        var kinds: [JSONTape.Kind] = []
        var index = list + 1
        while index < read.tape.next(after: list) {
            kinds.append(read.tape.kind(of: index))
            index = read.tape.next(after: index)
        }
        #expect(kinds == [.number, .object, .string])
    }

    @Test func `the last of two members of one name counts, escaped or not`() throws {
        let read = try ReadText(#"{"id":"a","\u0069d":"b"}"#)
        let id = try #require(read.member("id", of: 0))
        #expect(read.string(id) == "b")
        #expect(read.value(0)["id"] == "b")
    }

    @Test func `an escaped name is compared by bytes, not as Swift compares strings`() throws {
        // U+212A KELVIN SIGN is canonically equivalent to the letter K, U+037E to the semicolon.
        let read = try ReadText(#"{"\u212a":1,"\u037e":2}"#)
        #expect(read.member("K", of: 0) == nil)
        #expect(read.member(";", of: 0) == nil)
        #expect(!read.isString(1, "K"))
        #expect(read.isString(1, "\u{212a}"))
    }

    @Test func `a tape is used again and again, also after a refusal`() throws {
        var tape = JSONTape()
        for _ in 0..<3 {
            try tape.read(Array(message.utf8).span.bytes)
            let cut = Array("[1,[2".utf8)
            var refusal: JSONError?
            do { try tape.read(cut.span.bytes) } catch { refusal = error }
            #expect(refusal == JSONError(reason: .endOfText, byteOffset: 5))
            let small = Array("[true]".utf8)
            try tape.read(small.span.bytes)
            let value = tape.value(at: 0, in: small.span.bytes)
            #expect(value == [true])
        }
    }
}
