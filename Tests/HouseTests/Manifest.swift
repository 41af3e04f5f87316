import Foundation

/// The targets that `Package.swift` declares, read from its text.
///
/// Enough of Swift is understood for this manifest: each target is one call (`room`, `door`,
/// `tests`, `.target`, `.systemLibrary`, …) whose first string is its name; `dependencies` is a
/// list of strings; `path:` is a string.
struct Manifest {
    struct Target {
        var name: String
        var line: Int
        var dependencies: Set<String>
        var path: String
        var isTest: Bool
    }

    let path: String
    let targets: [Target]

    private static let calls: [String: (folder: String, listIsNamed: Bool)] = [
        "room": ("Sources", false), "door": ("Sources", false), "tests": ("Tests", false),
        "target": ("Sources", true), "systemLibrary": ("Sources", true),
        "executableTarget": ("Sources", true), "testTarget": ("Tests", true),
    ]

    init(_ source: SwiftSource) {
        path = source.path
        // The helper functions above the package build targets too, but of no fixed name; the
        // products' `targets:` stand within parentheses of their own.
        let package = source.words.first { $0.text == "Package" && $0.after == UInt8(ascii: "(") }
        let start = package?.start ?? source.code.count
        targets = source.words.compactMap { word in
            guard let call = Self.calls[word.text], word.after == UInt8(ascii: "("),
                word.start > start
            else { return nil }
            return Self.target(word, call, source)
        }
    }

    private static func target(
        _ word: SwiftSource.Word, _ call: (folder: String, listIsNamed: Bool), _ source: SwiftSource
    ) -> Target? {
        let open = word.start + word.text.utf8.count
        let argumentBytes = Array(source.bytes[open..<closing(of: open, in: source.code)])
        let text = String(decoding: argumentBytes, as: UTF8.self)
        guard let name = strings(in: text).first else { return nil }
        let list: Substring
        if call.listIsNamed {
            list = text.range(of: "dependencies:").map { text[$0.upperBound...] } ?? ""
        } else {
            list = text.contains("[") ? text[...] : ""
        }
        let path = text.range(of: "path:").flatMap { strings(in: text[$0.upperBound...]).first }
        return Target(
            name: name, line: word.line, dependencies: Set(strings(in: firstList(in: list))),
            path: path ?? "\(call.folder)/\(name)", isTest: call.folder == "Tests")
    }

    private static func closing(of open: Int, in code: [UInt8]) -> Int {
        var depth = 0
        for at in open..<code.count {
            if code[at] == UInt8(ascii: "(") { depth += 1 }
            if code[at] == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { return at }
        }
        return code.count
    }

    private static func firstList(in text: Substring) -> Substring {
        guard let open = text.firstIndex(of: "["),
            let close = text[open...].firstIndex(of: "]")
        else { return "" }
        return text[open..<close]
    }

    private static func strings(in text: some StringProtocol) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
