import Bytes
import GraphQL
import Testing

/// Documents that are cheap to send and were dear to validate elsewhere (CVE-2022-37734,
/// CVE-2023-26144, CVE-2023-49559 and others). The allowance of steps stands in for time.
struct HostileValidationTests {
    private func errors(_ source: String, steps: Int = 2_000_000) throws -> [GraphQLError] {
        let limits = DocumentLimits.lifted
        let document = try Document(parsing: Text(source), limits: limits)
        return validate(
            document, schema: Zoo.schema, limits: limits,
            options: ValidationOptions(stepsMax: steps))
    }

    private func repeated(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: " ")
    }

    private func answerBytes(_ errors: [GraphQLError]) -> Int {
        var answer = ByteQueue()
        answer.append(json: errors)
        return answer.count
    }

    // MARK: Merging

    @Test func `3,000 repeated fields are compared once each`() throws {
        let fields = repeated(3_000) { _ in "__typename" }
        #expect(try errors("{ \(fields) }", steps: 12_000).isEmpty)
    }

    @Test func `3,000 repeated fields with selections are compared once each`() throws {
        let fields = repeated(3_000) { _ in "dog { mother { name } }" }
        #expect(try errors("{ \(fields) }", steps: 36_000).isEmpty)
    }

    @Test func `3,000 inline fragments are compared once each`() throws {
        let fragments = repeated(3_000) { _ in "... on Query { dog { name } }" }
        #expect(try errors("{ \(fragments) }", steps: 30_000).isEmpty)
    }

    @Test func `500 fields with long arguments are compared once each`() throws {
        let list = repeated(50) { "\"\($0)\"" }
        let fields = repeated(500) { _ in "list(l: [\(list)])" }
        #expect(try errors("{ arguments { \(fields) } }", steps: 4_000).isEmpty)
    }

    @Test func `3,000 different fields of one name stop at the limit of errors`() throws {
        let fields = repeated(3_000) { "x: list(l: \"\($0)\")" }
        let found = try errors("{ arguments { \(fields) } }", steps: 40_000)
        #expect(found.count == 100)
        #expect(answerBytes(found) < 100_000)
    }

    @Test func `nested fields of one name stop at the limit of steps or errors`() throws {
        let deep =
            repeated(60) { _ in "mother {" }
            + repeated(60) { _ in "}" }
            .replacing("}", with: "x: name x: nickname }")
        let found = try errors("{ dog { \(deep) \(deep) } }")
        #expect(!found.isEmpty && found.count <= 100)
        #expect(answerBytes(found) < 300_000)
    }

    @Test func `fields meet in linear time through shared fragments`() throws {
        let fragments = repeated(40) {
            "fragment F\($0) on Dog { a: mother { ...F\($0 + 1) } b: mother { ...F\($0 + 1) } }"
        }
        let source = "{ dog { ...F0 } } \(fragments) fragment F40 on Dog { name }"
        #expect(try errors(source, steps: 1_000).isEmpty)
    }

    @Test func `combinations of fragments without end are refused`() throws {
        // What meets at a position is told by the levels at which "a" was chosen: 2^14 sets.
        let levels = 14
        var fragments = "fragment A\(levels) on Dog { id }"
        for level in 0..<levels {
            let next = level + 1
            fragments += """
                fragment A\(level) on Dog {
                    a: mother { ...A\(next) ...B\(next)x1 } b: mother { ...A\(next) }
                }
                """
            for age in 1...level + 1 {
                let older = next < levels ? "...B\(next + 1)x\(age + 1)" : "id"
                fragments += """
                    fragment B\(next)x\(age) on Dog {
                        a: mother { \(older) } b: mother { \(older) }
                    }
                    """
            }
        }
        let found = try errors("{ dog { ...A0 } } \(fragments)", steps: 50_000)
        try #require(found.count == 1)
        #expect(found[0].message.hasPrefix("The document is too complex to validate"))
    }

    // MARK: Fragments

    @Test func `10,000 fragments in a chain pass`() throws {
        let fragments = repeated(10_000) { "fragment F\($0) on Query { ...F\($0 + 1) }" }
        let source = "{ ...F0 } \(fragments) fragment F10000 on Query { dog { name } }"
        #expect(try errors(source, steps: 60_000).isEmpty)
    }

    @Test func `10,000 fragments in a chain of fields and variables pass`() throws {
        let fragments = repeated(10_000) { "fragment F\($0) on Dog { mother { ...F\($0 + 1) } }" }
        let source = """
            query ($s: Boolean) { dog { ...F0 } } \(fragments)
            fragment F10000 on Dog { name(surname: $s) }
            """
        #expect(try errors(source, steps: 120_000).isEmpty)
    }

    @Test func `40 fragments that spread the next twice pass`() throws {
        let fragments = repeated(40) { "fragment F\($0) on Query { ...F\($0 + 1) ...F\($0 + 1) }" }
        let source = "{ ...F0 } \(fragments) fragment F40 on Query { dog { name } }"
        #expect(try errors(source, steps: 500).isEmpty)
    }

    @Test func `25 fragments that spread the next in inline fragments pass`() throws {
        let fragments = repeated(25) {
            "fragment F\($0) on Query { ... { ...F\($0 + 1) } ... on Query { ...F\($0 + 1) } }"
        }
        let source = "{ ...F0 } \(fragments) fragment F25 on Query { dog { name } }"
        #expect(try errors(source, steps: 500).isEmpty)
    }

    @Test func `a cycle of 10,000 fragments is one error`() throws {
        let fragments = repeated(10_000) {
            "fragment F\($0) on Query { ...F\(($0 + 1) % 10_000) }"
        }
        let found = try errors("{ ...F0 } \(fragments)")
        #expect(found.count == 1)
        #expect(answerBytes(found) < 3_000)
    }

    @Test func `20 levels of introspection in each other are refused`() throws {
        let open = repeated(20) { _ in "fields { type {" }
        let close = repeated(40) { _ in "}" }
        let found = try errors("{ __schema { types { \(open) name \(close) } } }")
        #expect(found.map(\.message) == ["Maximum introspection depth exceeded"])
    }

    @Test func `introspection through fragments that spread the next twice is measured`() throws {
        let fragments = repeated(40) {
            "fragment F\($0) on __Type { ...F\($0 + 1) a\($0): ofType { ...F\($0 + 1) } }"
        }
        let source = """
            { __type(name: "Dog") { ...F0 } } \(fragments)
            fragment F40 on __Type { fields { type { fields { type { fields { name } } } } } }
            """
        let found = try errors(source, steps: 20_000)
        #expect(found.contains { $0.message == "Maximum introspection depth exceeded" })
    }

    // MARK: Answers

    @Test func `10,000 equal unknown directives make a short answer`() throws {
        let found = try errors("{ __typename \(repeated(10_000) { _ in "@nope" }) }")
        #expect(found.count == 100)
        #expect(answerBytes(found) < 20_000)
    }

    @Test func `10,000 different unknown directives make a short answer`() throws {
        let found = try errors("{ __typename \(repeated(10_000) { "@nope\($0)" }) }")
        #expect(found.count == 100)
        #expect(answerBytes(found) < 20_000)
    }

    @Test func `a directive given 10,000 times makes a short answer`() throws {
        let found = try errors("{ dog @note \(repeated(10_000) { _ in "@note" }) { id } }")
        #expect(found.count == 100)
        #expect(answerBytes(found) < 20_000)
    }

    @Test func `5,000 unknown fields make a short answer and the last says so`() throws {
        let found = try errors("{ \(repeated(5_000) { "nope\($0)" }) }")
        try #require(found.count == 100)
        #expect(found[99].message.hasPrefix("Too many validation errors"))
        #expect(answerBytes(found) < 20_000)
    }

    @Test func `a name without end does not come back whole`() throws {
        let name = String(repeating: "x", count: 200_000)
        let found = try errors("{ \(name) dog(\(name): 1) { \(name): id \(name): name } }")
        #expect(found.count == 3)
        #expect(answerBytes(found) < 10_000)
    }

    @Test func `5,000 wrong values of one list stop at the limit of errors`() throws {
        let found = try errors("{ arguments { list(l: [\(repeated(5_000) { "\($0)" })]) } }")
        #expect(found.count == 100)
    }

    @Test func `2,000 names in another order are the same value`() throws {
        let one = repeated(2_000) { "a\($0): 1" }
        let other = repeated(2_000) { "a\(1_999 - $0): 1" }
        let source = "{ arguments { moment(m: {\(one)}) moment(m: {\(other)}) } }"
        #expect(try errors(source, steps: 10).isEmpty)
    }

    // MARK: Operations

    @Test func `2,000 operations over 2,000 fragments without variables pass`() throws {
        let fragments = repeated(2_000) { "fragment F\($0) on Dog { ...F\($0 + 1) }" }
        let operations = repeated(2_000) { "query Q\($0) { box { text } }" }
        let source = """
            \(operations) { dog { ...F0 } } \(fragments) fragment F2000 on Dog { name }
            """
        let found = try errors(source, steps: 60_000)
        #expect(found.count == 1)
    }

    @Test func `operations that each follow all fragments are bounded`() throws {
        let fragments = repeated(2_000) {
            "fragment F\($0) on Query { ...F\($0 + 1) dog { name(surname: $s) } }"
        }
        let operations = repeated(2_000) { "query Q\($0)($s: Boolean) { ...F0 }" }
        let source = "\(operations) \(fragments) fragment F2000 on Query { dog { id } }"
        let found = try errors(source, steps: 100_000)
        try #require(found.count == 1)
        #expect(found[0].message.hasPrefix("The document is too complex to validate"))
    }

    // MARK: Anything

    @Test func `no document of random tokens crashes`() {
        var random = SeededRandom(seed: 9)
        let tokens = [
            "{", "{", "}", "}", "dog", "pet", "name", "x:", "...", "on", "Dog", "Cat", "F", "G",
            "fragment", "query", "subscription", "(", ")", "$a", ":", "Int", "!", "[", "]", "=",
            "1", "null", "\"s\"", "@skip", "if", "true", "search", "by", "mother", "arguments",
        ]
        for _ in 0..<3_000 {
            let count = Int(random.next() % 30) + 1
            let text = (0..<count).map { _ in tokens[Int(random.next() % UInt64(tokens.count))] }
            guard let document = try? Document(parsing: Text(text.joined(separator: " "))) else {
                continue  // Most are no documents, which is the parser's to say.
            }
            #expect(validate(document, schema: Zoo.schema).count <= 100)
        }
    }
}
