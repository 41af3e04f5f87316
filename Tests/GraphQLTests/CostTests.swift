import Bytes
import GraphQL
import JSON
import Testing

/// The estimate of an operation's cost, before it is executed.
struct CostTests {
    private static let sdl: Text = """
        type Query { threads(limit: Int, search: Search): Threads thread: Thread flat(limit: Int): [Thread]
          any(limit: Int): [Any] }
        type Threads { items: [Thread]! nextToken: String }
        type Thread { id: ID! messages(limit: Int): Messages tags: [Tag] words: [String] }
        type Messages { items: [Message]! nextToken: String }
        type Message { id: ID! body: String thread: Thread }
        type Tag { name: String }
        union Any = Thread | Tag
        input Search { text: String }
        """

    private static let schema: Schema = {
        var builder = SchemaBuilder()
        let page = PageSize(argument: "limit", usual: 100, max: 1_000)
        do {
            builder.add(try Document(parsing: sdl, limits: .schema))
            for (type, field) in [
                ("Query", "threads"), ("Query", "flat"), ("Query", "any"), ("Thread", "messages"),
            ] {
                builder.setPage(page, of: Text(field), on: Text(type))
            }
            builder.setSource(.ask, of: "messages", on: "Thread")
            builder.setSource(.ask, of: "thread", on: "Message")
            return try builder.build()
        } catch {
            preconditionFailure("the schema of the costs is none: \(error)")
        }
    }()

    private func cost(
        _ text: Text, _ variables: JSONObject = [:], max: Int = .max
    ) throws(OperationErrors) -> Int {
        let limits = DocumentLimits(costMax: max)
        let operation = try PreparedOperation.prepare(
            text, schema: Self.schema, limits: limits
        ).get()
        return try operation.coerce(variables: variables).get().cost
    }

    static let costs: [(Text, Int)] = [
        // A field is 1, one that is asked for 10 more.
        ("{ __typename }", 1), ("{ thread { id words } }", 13),
        // What is below a page's items counts as often as there may be items; its token once.
        ("{ threads { nextToken } }", 12),
        ("{ threads(limit: 7) { nextToken items { id } } }", 20),
        ("{ threads { items { id } } }", 112),
        ("{ threads(limit: null) { items { id } } }", 112),
        ("{ threads(limit: 2000000000) { items { id } } }", 1_012),
        ("{ threads(limit: -5) { items { id } } }", 12),
        // Pages within pages multiply.
        (
            "{ threads(limit: 10) { items { messages(limit: 20) { items { id thread {id}}}}}}",
            2_732
        ),
        // A list that is the field's own value; one that no argument bounds has ten items.
        ("{ flat(limit: 3) { id tags { name } } }", 47),
        ("{ thread { tags { name } } }", 22),
        // Of the types that a value may have the dearest counts, whole names merged.
        (
            "{ any(limit: 2) { ...on Tag {name} ...on Thread {id words} ...on Thread {id}}}",
            15
        ),
    ]

    @Test(arguments: costs)
    func `fields, questions and pages`(_ text: Text, _ expected: Int) throws {
        #expect(try cost(text) == expected)
    }

    @Test func `a page's size may come from a variable, its default, or nowhere`() throws {
        let text: Text = "query ($n: Int = 4, $m: Int) { threads(limit: $n) { items { id } } }"
        #expect(try cost(text.replacingUse) == 12 + 4)
        #expect(try cost(text.replacingUse, ["n": 9]) == 12 + 9)
        #expect(try cost(text.replacingUse, ["n": .null]) == 12 + 100)
        let open: Text = "query ($m: Int) { threads(limit: $m) { items { id } } }"
        #expect(try cost(open) == 12 + 100)
        #expect(try cost(open, ["m": 1_000_000]) == 12 + 1_000)
    }

    @Test func `what a condition leaves out costs nothing`() throws {
        let text: Text =
            "query ($s: Boolean!) { threads @skip(if: $s) { items { id } } __typename }"
        #expect(try cost(text, ["s": true]) == 1)
        #expect(try cost(text, ["s": false]) == 12 + 100 + 1)
    }

    @Test func `a cost over the limit is refused with the limit and a way out`() throws {
        let text: Text = "{ threads(limit: 10) { items { id } } }"
        #expect(try cost(text, max: 22) == 22)
        do throws(OperationErrors) {
            _ = try cost(text, max: 21)
            Issue.record("it was taken")
        } catch {
            #expect(error.stage == .operation)
            #expect(
                error.errors[0].message == """
                    the operation costs 22 by estimate, over the limit of 21 (cost-max): give lists \
                    a smaller limit, or nest fewer in each other
                    """)
            #expect(error.errors[0].limit == .cost)
            #expect(error.errors[0].locations == [GraphQL.SourceLocation(line: 1, column: 1)])
        }
    }

    @Test func `fragments that multiply beyond all numbers stop at the largest`() throws {
        var text = "{ thread { ...F0 } }"
        for level in 0..<30 {
            text += " fragment F\(level) on Thread { messages(limit: 1000) { items { thread {"
            text += " ...F\(level + 1) } } } }"
        }
        text += " fragment F30 on Thread { id }"
        #expect(try cost(Text(text)) == .max)
    }
}

extension Text {
    /// The same query without the variable that it does not use.
    fileprivate var replacingUse: Text { Text(string.replacing(", $m: Int", with: "")) }
}
