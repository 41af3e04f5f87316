import Foundation
import Testing

/// The reference's page of metrics says what the source says.
@Suite struct MetricsTableTests {
    private static let repository = Repository()

    private func text(_ path: String) -> String {
        String(decoding: Self.repository.bytes(of: path) ?? [], as: UTF8.self)
    }

    /// What the group of the pattern is at each of its places.
    private func names(_ text: String, _ pattern: String) throws -> [String] {
        let regex = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        let all = NSRange(text.startIndex..., in: text)
        return regex.matches(in: text, range: all).compactMap {
            Range($0.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    @Test func `the reference has each metric once, and no other`() throws {
        let source = text("Sources/Hub/MetricsPage.swift")
        let inSource = try names(source, "\"((?:heliograph|process)_[a-z_]+)\"")
        let inTable = try names(
            text("docs/reference/metrics.md"), "^\\| `([a-z_]+)(?:\\{.*\\})?` \\|")
        #expect(inSource.count > 20)
        #expect(inSource.sorted() == inTable.sorted())
    }
}
