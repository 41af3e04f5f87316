import Bytes
import GraphQL
import JSON
import Testing

/// Printed SDL is the schema: read back it is the same in print and in introspection.
struct SchemaRoundTripTests {
    /// A random schema as text: every kind of type, wrappings, defaults, descriptions with
    /// characters that need an escape, deprecation, interfaces of interfaces, roots by any name.
    private struct Author {
        var random: SeededRandom
        let size: Int

        mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        mutating func some(_ texts: [String]) -> String { texts[number(0..<texts.count)] }

        mutating func description() -> String {
            some([
                "", "", "\"plain\" ", "\"a \\\"quote\\\" and \\\\ and \\u00e9 \\u{1F600} \\t\" ",
                "\"\"\"\n  block\n    of lines \\\"\"\"\n  \"\"\" ", "\"\" ",
            ])
        }

        mutating func deprecation() -> String {
            some(["", "", "", " @deprecated", " @deprecated(reason: \"use \\\"x\\\"\\n\")"])
        }

        mutating func wrapped(_ type: String) -> String {
            some(["\(type)", "\(type)!", "[\(type)]", "[\(type)!]!", "[[\(type)]!]"])
        }

        mutating func value() -> String {
            switch number(0..<7) {
            case 0: "\(wrapped("Int")) = null".replacing("!", with: "")
            case 1: "Int = -\(number(0..<9))"
            case 2: "[Float!]! = [1.5, 2, 1e30, -0.25]"
            case 3: "String = \"a \\\"b\\\" \\u0007 \\u{1F600}\""
            case 4: "[E\(number(0..<size))] = V0"
            case 5: "I0 = {a: 7, b: [{a: 1, b: null}], c: V1}"
            default: some(["ID = 12", "ID = \"012\"", "Boolean! = true", "S0 = {a: [1, \"b\"]}"])
            }
        }

        mutating func arguments() -> String {
            let count = number(0..<4)
            if count == 0 { return "" }
            let all = (0..<count).map { "\(description())p\($0): \(value())\(deprecation())" }
            return "(\(all.joined(separator: ", ")))"
        }

        mutating func fields() -> String {
            let count = number(1..<5)
            return (0..<count).map { index in
                let type = some(["Int", "ID", "S0", "E0", "T0", "U0", "N0", "T\(number(0..<size))"])
                return "\(description())f\(index)\(arguments()): \(wrapped(type))\(deprecation())"
            }.joined(separator: "\n  ")
        }

        mutating func text() -> String {
            var parts = [
                "input I0 { a: Int b: [I0!] c: E0 = V0 }",
                "input One @oneOf { a: Int \(description()) b: [One!] }",
                "interface N0 { id: ID! }", "interface N1 implements N0 { id: ID! other: N0 }",
                "\(description())directive @d0\(arguments()) repeatable on FIELD | QUERY",
                "directive @d1 on ENUM_VALUE", "union U0 = T0",
            ]
            for index in 0..<size {
                parts.append(
                    "\(description())scalar S\(index)\(some(["", " @specifiedBy(url: \"u\")"]))")
                parts.append(
                    "\(description())enum E\(index) { V0 \(description()) V1\(deprecation()) V2 }")
                let interfaces = some(["", " implements N0", " implements N0 & N1"])
                let promised = interfaces.isEmpty ? "" : "id: ID! other: N1 "
                parts.append(
                    "\(description())type T\(index)\(interfaces) {\n  \(promised)\(fields())\n}")
                parts.append("union U\(index + 1) = T\(number(0..<size)) | R")
            }
            let root = some(["Query", "Root"])
            parts.append("type R { a: Int } type \(root) { \(fields()) }")
            if root == "Root" {
                parts.append("\(description())schema { query: Root mutation: R }")
                parts.append("type Mutation { a: Int }")
            }
            return parts.shuffled(using: &random).joined(separator: "\n")
        }
    }

    private func build(_ text: String) throws -> Schema {
        var builder = SchemaBuilder()
        builder.add(try Document(parsing: Text(text), limits: .schema))
        return try builder.build()
    }

    private func introspect(_ schema: Schema) throws -> String {
        let operation = try PreparedOperation.prepare(IntrospectionTests.standard, schema: schema)
            .get()
        var execution = Execution(operation, variables: try operation.coerce(variables: [:]).get())
        guard case .done(let bytes) = execution.start() else { return "" }
        return String(decoding: bytes.array, as: UTF8.self)
    }

    @Test(arguments: 1...60)
    func `a random schema survives its print`(seed: Int) throws {
        var author = Author(random: SeededRandom(seed: UInt64(seed)), size: 1 + seed % 5)
        let text = author.text()
        let schema = try build(text)
        let printed = schema.printSDL()
        let again = try build(printed)
        #expect(again.printSDL() == printed, "seed \(seed)")
        #expect(try introspect(again) == introspect(schema), "seed \(seed)")
    }
}
