/// One Swift file, masked and cut into words.
struct SwiftSource {
    /// An identifier or keyword of the code.
    struct Word {
        var text: String
        var start: Int
        var line: Int
        /// The last byte of code before it that is no space, 0 at the start of the file.
        var before: UInt8
        /// The first byte of code behind it that is no space, 0 at the end.
        var after: UInt8
    }

    let path: String
    /// The folder under `Sources/` or `Tests/`, which is the target's name.
    let target: String
    let bytes: [UInt8]
    let code: [UInt8]
    let words: [Word]

    init(path: String, target: String, bytes: [UInt8]) {
        self.path = path
        self.target = target
        self.bytes = bytes
        code = CodeMask.mask(bytes)
        words = Self.words(of: code)
    }

    /// For each byte, whether identifiers and numbers may have it. A table, because the whole
    /// repository goes through here and debug builds call each comparison.
    private static let isWordByte: [Bool] = (0..<256).map { byte in
        byte >= 0x80
            || "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8
                .contains(UInt8(byte))
    }

    /// A sample for the tests of the rules.
    init(_ text: String, target: String = "Sample") {
        self.init(path: "Sample.swift", target: target, bytes: Array(text.utf8))
    }

    /// The names of the functions that this file declares.
    var declaredFunctions: Set<String> {
        Set(zip(words, words.dropFirst()).filter { $0.0.text == "func" }.map(\.1.text))
    }

    private static func words(of code: [UInt8]) -> [Word] {
        var words: [Word] = []
        let isWordByte = isWordByte
        var at = 0
        var line = 1
        var before: UInt8 = 0
        while at < code.count {
            let byte = code[at]
            guard isWordByte[Int(byte)] else {
                if byte == 0x0a { line += 1 }
                if byte > 0x20 {
                    before = byte
                    if words.last?.after == 0 { words[words.count - 1].after = byte }
                }
                at += 1
                continue
            }
            let start = at
            while at < code.count && isWordByte[Int(code[at])] { at += 1 }
            if words.last?.after == 0 { words[words.count - 1].after = byte }
            words.append(
                Word(
                    text: String(decoding: code[start..<at], as: UTF8.self), start: start,
                    line: line, before: before, after: 0))
            before = code[at - 1]
        }
        return words
    }
}
