import Bytes
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 §10.
    private let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]

    private func decode(_ text: String) -> [UInt8]? { Base64.decode(Array(text.utf8)) }

    private func encode(_ bytes: [UInt8], as form: Base64.Form = .standard) -> String {
        String(decoding: Base64.encode(bytes, as: form), as: UTF8.self)
    }

    @Test func `the published examples hold in all four forms`() {
        for (plain, coded) in vectors {
            let bytes = Array(plain.utf8)
            let bare = coded.filter { $0 != "=" }
            #expect(encode(bytes) == coded)
            #expect(encode(bytes, as: .urlSafe) == bare)
            #expect(decode(coded) == bytes)
            #expect(decode(bare) == bytes)
        }
    }

    @Test func `both alphabets are read, even mixed`() {
        let bytes: [UInt8] = [0xfb, 0xff, 0xbf]
        #expect(encode(bytes) == "+/+/")
        #expect(encode(bytes, as: .urlSafe) == "-_-_")
        for text in ["+/+/", "-_-_", "+_-/"] { #expect(decode(text) == bytes) }
    }

    @Test(arguments: [
        "A", "AAAAA", "=", "==", "====", "A===", "AA=", "AAA==", "AAAA=", "AAAA====", "AA==AA",
        "AA=A", "A=AA", "AA A", "AAA\n", "AA*A", "AA.A", "AAA\0", "\u{e9}AAA", " ",
    ])
    func `text that is not base64 is refused`(text: String) {
        #expect(decode(text) == nil)
    }

    @Test func `any bytes come back`() {
        var random = SeededRandom(seed: 5)
        for count in 0..<70 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(decode(encode(bytes)) == bytes)
            #expect(decode(encode(bytes, as: .urlSafe)) == bytes)
        }
    }

    @Test func `hexadecimal has two lower-case digits a byte`() {
        #expect(Hex.encode([] as [UInt8]) == "")
        #expect(Hex.encode([0x00, 0x0f, 0xf0, 0xff, 0x5a] as [UInt8]) == "000ff0ff5a")
    }
}
