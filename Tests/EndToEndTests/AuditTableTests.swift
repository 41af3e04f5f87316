import Foundation
import TestKit
import Testing

/// The published audits of GraphQL over HTTP against the built hub, and the table of their results
/// in the reference. `HELIOGRAPH_WRITE_AUDITS=1` (`make audits UPDATE=1`) writes that anew.
@Suite struct AuditTableTests {
    private static let path = "docs/reference/conformance.md"
    private static let begin = "<!-- audits: written by make audits UPDATE=1 -->\n"
    private static let end = "<!-- audits end -->\n"

    /// The audits that each of the two profiles misses.
    private func missed(_ profile: String) throws -> Set<String> {
        let hub = try RunningHub([
            "--memory", "--no-auth", "--host-name", "hub", "--http-status", profile,
        ])
        var missed: Set<String> = []
        for audit in HTTPAudit.all {
            let connection = try RawConnection(port: hub.port)
            try connection.send(
                audit.request.replacing(
                    "\r\nHost: hub\r\n", with: "\r\nHost: hub\r\nConnection: close\r\n"))
            if !audit.isPassed(by: try connection.takeAll()) { missed.insert(audit.id) }
        }
        try hub.stop()
        return missed
    }

    private func count(_ missed: Set<String>) -> String {
        let levels = HTTPAudit.all.filter { missed.contains($0.id) }.map(\.level)
        let parts = [HTTPAudit.Level.must, .should, .may].map { level in
            let count = levels.count { $0 == level }
            return "\(count) \(level.outcome)\(count == 1 ? "" : "s")"
        }
        return "\(HTTPAudit.all.count - missed.count) OK, \(parts.joined(separator: ", "))"
    }

    private func table(_ audits: Set<String>, _ draft: Set<String>) -> String {
        var lines = [
            "| audit | level | `audits` | `draft` |", "| --- | --- | --- | --- |",
            "| all \(HTTPAudit.all.count) | | \(count(audits)) | \(count(draft)) |",
        ]
        for audit in HTTPAudit.all.sorted(by: { $0.id < $1.id }) {
            let results = [audits, draft].map { missed in
                missed.contains(audit.id) ? audit.level.outcome : "OK"
            }
            lines.append(
                "| \(audit.id) | \(audit.level.rawValue) | \(results[0]) | \(results[1]) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func `all 61 audits pass, and the reference tells what the built hub does`() throws {
        let audits = try missed("audits")
        #expect(audits.isEmpty)
        let table = table(audits, try missed("draft"))
        let file = repository.appendingPathComponent(Self.path)
        let text = try String(contentsOf: file, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin)?.upperBound)
        let end = try #require(text.range(of: Self.end)?.lowerBound)
        if ProcessInfo.processInfo.environment["HELIOGRAPH_WRITE_AUDITS"] == "1" {
            try (text[..<begin] + table + text[end...]).write(
                to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(text[begin..<end] == table, "make audits UPDATE=1 writes the table anew")
        }
        print(table.split(separator: "\n")[2])
    }
}

extension HTTPAudit.Level {
    /// What it is called to miss an audit of this level.
    fileprivate var outcome: String {
        switch self {
        case .must: "error"
        case .should: "warning"
        case .may: "notice"
        }
    }
}
