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

    @Test func `each table has the limits of its file with their defaults`() {
        let tables = tables()
        #expect(tables.count == 6)
        for (path, rows) in tables { #expect(rows == limits(path), "\(path)") }
    }

    @Test func `each file of limits has a table`() {
        let files = Self.repository.files(below: "Sources").filter { path in
            path.hasSuffix("Limits.swift") && text(path).contains("Limits: Sendable, Hashable {")
        }
        #expect(Set(files) == Set(tables().keys))
    }
}
