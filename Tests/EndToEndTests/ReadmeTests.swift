import Foundation
import Testing

/// The documents' commands print what the documents say.
@Suite(.serialized) struct ReadmeTests {
    @Test(arguments: [
        "README.md", "docs/tutorial/chat.md", "docs/how-to/run.md", "docs/how-to/browsers.md",
        "docs/reference/cli.md",
    ])
    func `a document's commands print what it says`(path: String) throws {
        try ConsoleSession.run(path)
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `the README's picture shows what its commands print`() throws {
        let text = try read("README.md")
        let lines = Set(
            ConsoleStep.steps(of: text).flatMap { step in
                (step.command.components(separatedBy: "\n") + step.output).map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            })
        let picture = text.components(separatedBy: "\n").filter { $0.contains("│") }
        #expect(picture.count > 8)
        for line in picture.dropFirst() {
            for pane in line.components(separatedBy: "│") {
                var shown = pane.trimmingCharacters(in: .whitespaces)
                if shown.hasPrefix("$ ") || shown.hasPrefix("> ") {
                    shown = shown.dropFirst(2).trimmingCharacters(in: .whitespaces)
                }
                #expect(shown.isEmpty || lines.contains(shown), "\(shown)")
            }
        }
    }

    @Test func `every file and test that the documents lead to is there`() throws {
        let documents = [
            "README.md", "ARCHITECTURE.md", "deploy/README.md", "docs/PROTOCOL.md",
            "docs/tutorial/chat.md", "docs/how-to/run.md", "docs/how-to/slow-consumers.md",
            "docs/reference/limits.md", "docs/reference/metrics.md",
            "docs/reference/conformance.md", "docs/reference/cli.md", "docs/how-to/browsers.md",
            "docs/how-to/restart.md", "docs/how-to/persisted-operations.md",
            "docs/explanation/attack.md",
        ]
        for document in documents {
            let base = repository.appendingPathComponent(document).deletingLastPathComponent()
            let parts = try read(document).components(separatedBy: "](").dropFirst()
            for target in parts.compactMap({ $0.components(separatedBy: ")").first }) {
                let path = target.components(separatedBy: "#")[0]
                guard !path.isEmpty, !path.contains("://") else { continue }
                let isThere = FileManager.default.fileExists(
                    atPath: base.appendingPathComponent(path).path)
                #expect(isThere, "\(document) leads to \(path)")
            }
        }
    }

    @Test func `the reference has every command's help`() throws {
        let text = try read("docs/reference/cli.md")
        let commands = try heliograph("--help").output.components(separatedBy: "\n")
            .drop { $0 != "commands:" }.dropFirst().prefix { $0.hasPrefix("  ") }
            .compactMap { $0.split(separator: " ").first }
        #expect(commands.count >= 4)
        for command in commands { #expect(text.contains("$ heliograph \(command) --help\n")) }
    }
}
