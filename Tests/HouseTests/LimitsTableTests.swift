import Foundation
import Testing

/// The table of limits in the reference says what the source says.
@Suite struct LimitsTableTests {
    private static let repository = Repository()

    private func text(_ path: String) -> String {
        String(decoding: Self.repository.bytes(of: path) ?? [], as: UTF8.self)
    }

    /// Names and defaults of a table's rows, by the source file in the heading above it.
    private func tables() -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        var path = ""
        for line in text("docs/reference/limits.md").components(separatedBy: "\n") {
            if line.hasPrefix("## ") {
                path = line.components(separatedBy: "`").dropFirst().first ?? ""
            }
            let cells = line.components(separatedBy: " | ")
            guard line.hasPrefix("| `"), cells.count == 4 else { continue }
            let name = cells[0].components(separatedBy: "`")[1]
            tables[path, default: [:]][name] = cells[2].replacing(",", with: "")
        }
        return tables
    }

    /// Names and defaults of the public variables of a file's first struct.
    private func limits(_ path: String) -> [String: String] {
        let body = text(path).components(separatedBy: "\npublic struct ").prefix(2).last ?? ""
        let value = "([0-9_]+(?: (?:\\*|<<) [0-9_]+)*)"
        var found: [String: String] = [:]
        for line in body.components(separatedBy: "\n") where line.hasPrefix("    public var ") {
            let name = line.dropFirst(15).prefix { $0.isLetter || $0.isNumber }
            found[String(name)] = "–"
        }
        for name in found.keys {
            let pattern = "\\b\(name)(: [A-Za-z0-9?]+)? = \(value)"
            guard let match = body.range(of: pattern, options: .regularExpression) else { continue }
            let expression = body[match].components(separatedBy: " = ")[1]
            found[name] = String(Self.number(expression))
        }
        return found
    }

    /// The value of a number, a product or a shift.
    private static func number(_ expression: String) -> Int {
        let parts = expression.replacing("_", with: "").components(separatedBy: " ")
        var value = Int(parts[0]) ?? 0
        for (sign, operand) in zip(parts.dropFirst(), parts.dropFirst(2)) {
            let operand = Int(operand) ?? 0
            if sign == "*" { value *= operand }
            if sign == "<<" { value <<= operand }
        }
        return value
    }

    private static let keyPath = "Sources/Hub/LimitKey.swift"

    @Test func `each table has the limits of its file with their defaults`() {
        let tables = tables().filter { $0.key != Self.keyPath }
        #expect(tables.count == 2)
        for (path, rows) in tables { #expect(rows == limits(path), "\(path)") }
    }

    @Test func `each file of limits has a table, or gets what the operator sets`() {
        let derived = ["HTTP1/HTTPLimits", "WebSocket/WebSocketLimits", "Hub/Limits"]
        let files = Self.repository.files(below: "Sources").filter { path in
            path.hasSuffix("Limits.swift") && text(path).contains("Limits: Sendable, Hashable {")
        }
        let others = derived + ["GraphQL/Language/DocumentLimits"]
        #expect(
            Set(files)
                == Set(tables().keys).subtracting([Self.keyPath])
                .union(others.map { "Sources/\($0).swift" }))
    }

    /// The operator's limits: name, default, range and unit as the reference has them.
    @Test func `the operator's table has name, default, range and unit of each limit`() throws {
        let own = limits("Sources/Hub/Limits.swift")
        let documents = limits("Sources/GraphQL/Language/DocumentLimits.swift")
        let pattern =
            #"LimitKey\(\s*"([a-z-]+)",\s*\\\.([A-Za-z.]+),\s*"([^"]+)",\s*"#
            + #"([0-9_]+)\.\.\.([0-9_]+)\)"#
        let source = text(Self.keyPath)
        let regex = try NSRegularExpression(pattern: pattern)
        var rows: [[String]] = []
        var paths: Set<String> = []
        for match in regex.matches(in: source, range: NSRange(source.startIndex..., in: source)) {
            let parts = (1...5).compactMap { group in
                Range(match.range(at: group), in: source).map { String(source[$0]) }
            }
            paths.insert(parts[1])
            let isOfDocument = parts[1].hasPrefix("document.")
            let value =
                isOfDocument ? documents[String(parts[1].dropFirst(9))] : own[parts[1]]
            let range = "\(parts[3]) to \(parts[4])".replacing("_", with: "")
            rows.append(["`\(parts[0])`", value ?? "none", range, parts[2]])
        }
        let table = text("docs/reference/limits.md").components(separatedBy: "\n")
            .filter { $0.hasPrefix("| `") }
            .map { $0.dropFirst(2).components(separatedBy: " | ") }
            .filter { $0.count == 5 }
            .map { [$0[0], $0[1].replacing(",", with: ""), $0[2].replacing(",", with: ""), $0[3]] }
        #expect(table == rows)
        let all = own.keys.filter { $0 != "document" } + documents.keys.map { "document.\($0)" }
        #expect(paths == Set(all))
    }
}
