import Bytes
import GraphQL
import JSON
import Testing

/// Each limit of a document: at it the document passes, beyond it the error names the limit, its
/// value, the way out and, where one field is too many, that field's place.
struct DocumentLimitTests {
    private func run(_ text: Text, _ limits: DocumentLimits) throws -> OperationErrors? {
        let chat = try Chat()
        switch chat.prepare(text, limits: limits) {
        case .success: return nil
        case .failure(let errors): return errors
        }
    }

    private func expect(
        _ limit: DocumentLimit, _ limits: DocumentLimits, passes: Text, fails: Text,
        at column: Int, _ message: String
    ) throws {
        #expect(try run(passes, limits) == nil)
        let errors = try #require(try run(fails, limits)).errors
        #expect(errors.map(\.limit) == [limit])
        #expect(errors[0].message.contains(message))
        #expect(errors[0].message.contains(" (\(limit.rawValue)): "))
        #expect(errors[0].locations == [GraphQL.SourceLocation(line: 1, column: column)])
    }

    @Test func `aliases`() throws {
        try expect(
            .aliases, DocumentLimits(aliasesMax: 2), passes: "{ a: hello b: hello hello }",
            fails: "{ a: hello b: hello c: hello }", at: 21, "more than 2 aliases")
    }

    @Test func `spreads of fragments, wherever they stand`() throws {
        let fragment: Text = "fragment F on Query { hello }"
        try expect(
            .spreads, DocumentLimits(spreadsMax: 2),
            passes: Text("{ ...F ... { ...F } } \(fragment)"),
            fails: Text("{ ...F ... { ...F } ...F } \(fragment)"), at: 21, "more than 2 times")
    }

    @Test func `directives of a document`() throws {
        try expect(
            .directives, DocumentLimits(directivesMax: 1),
            passes: "{ hello @skip(if: false) }",
            fails: "{ hello @skip(if: false) a: hello @skip(if: false) }", at: 35,
            "more than 1 directives")
    }

    @Test func `directives at one place`() throws {
        try expect(
            .directivesPerPlace, DocumentLimits(directivesPerPlaceMax: 1),
            passes: "{ hello @skip(if: false) a: hello @skip(if: false) }",
            fails: "{ hello @skip(if: false) @include(if: true) }", at: 26,
            "more than 1 directives stand at one place")
    }

    @Test func `root fields, also those of fragments, each response name once`() throws {
        try expect(
            .rootFields, DocumentLimits(rootFieldsMax: 2),
            passes: "{ a: hello b: hello ... { a: hello } }",
            fails: "{ a: hello ...F } fragment F on Query { b: hello c: hello }", at: 50,
            "more than 2 fields of its root")
    }

    @Test func `fields that conditions may let in count, whatever the variables`() throws {
        let chat = try Chat()
        let text: Text = "query ($s: Boolean!) { a: hello b: hello @skip(if: $s) }"
        let limits = DocumentLimits(rootFieldsMax: 1)
        #expect(throws: OperationErrors.self) { try chat.prepare(text, limits: limits).get() }
    }

    @Test func `steps of validation`() throws {
        let fields = String(repeating: "hello ", count: 1_100)
        let errors = try #require(
            try run(Text("{ \(fields) }"), DocumentLimits(stepsMax: 1_000))
        ).errors
        #expect(errors.map(\.limit) == [.steps])
        #expect(errors[0].message.contains("1000 steps (document-steps-max)"))
    }

    @Test func `an operator's schema may have directives as it likes`() throws {
        let many = String(repeating: "@d ", count: 2_000)
        let sdl = "directive @d repeatable on OBJECT type T \(many) { a: Int }"
        #expect(try Document(parsing: Text(sdl), limits: .schema).definitions.count == 2)
    }

    @Test func `wrong variables are told up to the limit of errors, each with its place`() throws {
        let chat = try Chat()
        let declared = (0..<3_000).map { "$v\($0): Int!" }.joined(separator: "\n")
        let uses = (0..<3_000).map { "[$v\($0)]" }.joined(separator: " ")
        let operation = try chat.prepare(
            Text("query (\(declared)) { echo(list: [\(uses)]) }"), limits: .lifted
        ).get()
        guard case .failure(let errors) = operation.coerce(variables: [:]) else {
            Issue.record("it was taken")
            return
        }
        #expect(errors.errors.count == 100)
        #expect(errors.errors[0].locations == [GraphQL.SourceLocation(line: 1, column: 8)])
        #expect(errors.errors[99].locations == [GraphQL.SourceLocation(line: 100, column: 1)])
    }

    @Test func `many variables are found by name, and of equal members the last counts`() throws {
        let chat = try Chat()
        let declared = (0..<20).map { "$v\($0): Int" }.joined(separator: " ")
        let uses = (0..<20).map { "$v\($0)" }.joined(separator: " ")
        let operation = try chat.prepare(
            Text("query (\(declared)) { echo(list: [[\(uses)]]) }")
        ).get()
        var given = JSONObject()
        for number in 0..<20 { given.append(Text("v\(number)"), .int(Int64(number))) }
        given.append("v7", 70)
        let variables = try operation.coerce(variables: given).get()
        #expect(variables["v7"] == 70)
        #expect(variables["v19"] == 19)
        #expect(variables["nope"] == nil)
    }
}
