import Bytes
import GraphQL
import JSON
import Testing

/// Null and errors in every combination of list and non-null (GraphQL 6.4.4): where the null
/// ends, and one error with the original position, aliases and places in lists included.
struct NullPropagationTests {
    private static let types = [
        "Int", "Int!", "[Int]", "[Int]!", "[Int!]", "[Int!]!", "[[Int!]]", "[[Int!]!]",
        "[[Int!]!]!",
    ]

    private static let schema: Schema = {
        let fields = types.enumerated().map { "f\($0): \($1)" }.joined(separator: " ")
        let text =
            "type Query { \(fields) box: Box must: Box! } "
            + "type Box { \(fields) must: Box! list: [Box!] }"
        var builder = SchemaBuilder()
        guard let document = try? Document(parsing: Text(text), limits: .schema) else {
            preconditionFailure("the test's schema is not GraphQL")
        }
        builder.add(document)
        guard let schema = try? builder.build() else { preconditionFailure("it is no schema") }
        return schema
    }()

    private func run(_ document: String, _ answer: Resolved) throws -> JSONValue {
        let operation = try PreparedOperation.prepare(Text(document), schema: Self.schema).get()
        var execution = Execution(operation, variables: try operation.coerce(variables: [:]).get())
        var step = execution.start()
        while case .pending(let batches) = step {
            step = execution.resume(batches.map { $0.asks.map { _ in answer } })
        }
        guard case .done(let bytes) = step else { return .null }
        return try JSONValue(parsing: String(decoding: bytes.array, as: UTF8.self))
    }

    /// A type's number, a value for it, the field's result (nil: the null goes on to the parent),
    /// and the places of its error within it (nil: no error).
    static let table: [(type: Int, value: JSONValue, result: JSONValue?, error: [JSONValue]?)] = [
        (0, nil, .null, nil), (0, "x", .null, []), (1, nil, nil, []), (1, "x", nil, []),
        (2, nil, .null, nil), (2, [1, nil], [1, nil], nil), (2, [1, "x"], [1, nil], [1]),
        (2, 5, .null, []), (2, [], [], nil),
        (3, nil, nil, []), (3, [nil, 1], [nil, 1], nil), (3, ["x", 1], [nil, 1], [0]),
        (3, 5, nil, []),
        (4, nil, .null, nil), (4, [1, nil], .null, [1]), (4, [1, "x"], .null, [1]),
        (5, nil, nil, []), (5, [1, nil], nil, [1]), (5, ["x"], nil, [0]),
        (5, [1, 2], [1, 2], nil),
        (6, nil, .null, nil), (6, [[1], nil], [[1], nil], nil),
        (6, [[1], [2, nil]], [[1], nil], [1, 1]), (6, [[1], 5], [[1], nil], [1]),
        (7, [[1], nil], .null, [1]), (7, [[1], ["x"]], .null, [1, 0]), (7, nil, .null, nil),
        (8, [[1], [nil]], nil, [1, 0]), (8, nil, nil, []), (8, [[], [1]], [[], [1]], nil),
    ]

    private func expectError(_ response: JSONValue, at path: [JSONValue]?) {
        let errors = response["errors"]?.items ?? []
        #expect(errors.map { $0["path"] ?? .null } == (path.map { [.array($0)] } ?? []))
    }

    @Test(arguments: table.indices)
    func `a null ends at the next position that may be null`(_ index: Int) throws {
        let row = Self.table[index]
        let place = row.error.map { ["a"] + $0 }
        let field = "a: f\(row.type)"
        let slot = Text("f\(row.type)")

        // At the root: what a data source gave, as one value.
        let root = try run("{ \(field) }", .value(row.value))
        #expect(root["data"] == .some(row.result.map { ["a": $0] } ?? .null))
        expectError(root, at: place)

        // In an embedded object that may be null, by an alias.
        let inner = try run("{ b: box { \(field) } }", .value([slot: row.value]))
        #expect(inner["data"] == ["b": row.result.map { ["a": $0] } ?? .null])
        expectError(inner, at: place.map { ["b"] + $0 })

        // Through two objects that may not be null, to the root.
        let box: JSONValue = ["must": [slot: row.value]]
        let outer = try run("{ must { must { \(field) } } }", .value(box))
        #expect(
            outer["data"] == .some(row.result.map { ["must": ["must": ["a": $0]]] } ?? .null))
        expectError(outer, at: place.map { ["must", "must"] + $0 })

        // From an object in a list whose items may not be null: the list is null.
        let list: JSONValue = ["list": [[slot: row.value]]]
        let whole = try run("{ box { list { \(field) } } }", .value(list))
        #expect(whole["data"] == ["box": ["list": row.result.map { [["a": $0]] } ?? .null]])
        expectError(whole, at: place.map { ["box", "list", 0] + $0 })
    }

    @Test(arguments: types.indices)
    func `a failure of a data source is a null with its error`(_ index: Int) throws {
        let type = Self.types[index]
        let response = try run("{ a: f\(index) }", .failure(GraphQLError("no")))
        #expect(response["data"] == .some(type.hasSuffix("!") ? .null : ["a": nil]))
        expectError(response, at: ["a"])
        guard type.hasPrefix("[I") else { return }
        let items = try run("{ a: f\(index) }", .list([.value(1), .failure(GraphQLError("no"))]))
        let isItemNonNull = type.hasPrefix("[Int!")
        let expected: JSONValue =
            !isItemNonNull ? ["a": [1, nil]] : type.hasSuffix("!") ? .null : ["a": nil]
        #expect(items["data"] == .some(expected))
        expectError(items, at: ["a", 1])
    }
}
