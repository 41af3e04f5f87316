import Bytes
import GraphQL
import JSON
import Testing

/// A server that answers no introspection tells nothing of its schema in any other way: no
/// message of any stage names what the request does not name itself.
struct ClosedSchemaTests {
    private static let sdl: Text = """
        directive @qdirective(qfirst: Int!) on FIELD
        type Query {
          qroot(qneeded: Qenum!, qinput: Qinput, qlist: [Qinput!], qpick: Qpick, qday: Qday,
            qint: Int): Qthing
          qunion: Qunion qnumber: Int! qnode: Qnode qthings: [Qthing!]!
        }
        type Mutation { qwrite(qinput: Qinput!): Qthing! }
        interface Qnode { qid: ID! }
        type Qthing implements Qnode { qid: ID! qname: String qother: Qother qkind: Qenum qtime: Qday }
        type Qother { qid: Int! qmore: [String!] }
        union Qunion = Qthing | Qother
        enum Qenum { QONE QTWO }
        input Qinput { qa: Int! qb: Qenum qc: [Qinput!] qd: Qday qe: Boolean }
        input Qpick @oneOf { qx: Int qy: Qinput }
        scalar Qday
        """

    private static let schema: Schema = {
        var builder = SchemaBuilder()
        guard let document = try? Document(parsing: sdl, limits: .schema) else {
            preconditionFailure("the test's schema is not GraphQL")
        }
        builder.add(document)
        let secret = ScalarCoercion(
            input: { _ in .failure(CoercionError("Qday wants a day such as 2026-03-01")) },
            output: { _ in .failure(CoercionError("Qday wants a day such as 2026-03-01")) })
        builder.setCoercion(secret, of: "Qday")
        guard let schema = try? builder.build() else { preconditionFailure("it is no schema") }
        return schema
    }()

    /// All names that only the schema knows begin with q, as no English word here does.
    private func expectSilence(_ message: String, about request: String) {
        let asked = words(of: request)
        for word in words(of: message) where word.first == "q" || word.first == "Q" {
            #expect(asked.contains(word), "\(word) is told by: \(message)")
        }
    }

    private func words(of text: String) -> Set<String> {
        Set(
            text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
                .filter { $0 != "query" })
    }

    private func prepare(_ text: String) -> Result<PreparedOperation, OperationErrors> {
        PreparedOperation.prepare(
            Text(text), schema: Self.schema,
            options: ValidationOptions(suggestsNames: false, allowsIntrospection: false))
    }

    static let refused = [
        "{ qrot { qid } }", "{ qroot }", "{ qnumber { a } }", "{ qunion { qid } }",
        "{ qnode { qname } }", "{ qroot(qneeded: QONE) { qnam qother } }",
        "{ qroot { qid } }", "{ qroot(qneedd: 1) { qid } }", "{ qroot(qneeded: QONEE) { qid } }",
        "{ qroot(qneeded: \"QONE\") { qid } }", "{ qroot(qneeded: null) { qid } }",
        "{ qroot(qneeded: QONE, qinput: 5) { qid } }",
        "{ qroot(qneeded: QONE, qinput: {}) { qid } }",
        "{ qroot(qneeded: QONE, qinput: {qa: 1, qbb: 2}) { qid } }",
        "{ qroot(qneeded: QONE, qinput: {qa: \"x\"}) { qid } }",
        "{ qroot(qneeded: QONE, qlist: [{qa: 1.5}, null]) { qid } }",
        "{ qroot(qneeded: QONE, qpick: {}) { qid } }",
        "{ qroot(qneeded: QONE, qpick: {qx: null}) { qid } }",
        "{ qroot(qneeded: QONE, qday: \"x\") { qid } }",
        "{ qroot(qneeded: QONE, qint: 99999999999) { qid } }",
        "query ($v: Strin) { qroot(qneeded: $v) { qid } }",
        "query ($v: String) { qroot(qneeded: $v) { qid } }",
        "query ($v: Int) { qroot(qneeded: QONE, qpick: {qx: $v}) { qid } }",
        "query ($v: [Int]) { qroot(qneeded: QONE, qinput: {qa: $v}) { qid } }",
        "query ($v: Qthing) { qroot(qneeded: QONE) { qid } }",
        "{ qnumber @qdirectve }", "{ qnumber @qdirective }", "{ ... on Qthin { qid } }",
        "{ qnode { ... on Qother { qid } } }",
        "{ qunion { ... F } } fragment F on Query { qnumber }",
        "{ ... on Int { qid } }", "{ a: qnumber a: qunion { __typename } }",
        "{ qunion { ... on Qthing { a: qid } ... on Qother { a: qid } } }",
        "{ qunion { ... on Qthing { a: qname } ... on Qother { a: qmore } } }",
        "subscription { qnew }", "{ __schema { types { name } } }",
        "{ __type(name: \"A\") { name } }",
    ]

    @Test(arguments: refused) func `no rule tells of the schema`(document: String) {
        switch prepare(document) {
        case .success: Issue.record("it is no broken document")
        case .failure(let failure):
            for error in failure.errors { expectSilence(error.message, about: document) }
        }
    }

    static let variables: [(type: String, value: JSONValue)] = [
        ("Int!", nil), ("Int", "x"), ("Qenum", "QONEE"), ("Qenum", 1), ("[Qenum!]", ["QONE", nil]),
        ("Qinput", 5), ("Qinput", [:]), ("Qinput", ["qa": "x"]), ("Qinput", ["qa": nil]),
        ("Qinput", ["qa": 1, "qbb": 1]), ("Qinput", ["qa": 1, "qc": [["qa": 1], [:]]]),
        ("Qinput", ["qa": 1, "qd": "x"]), ("Qpick", [:]), ("Qpick", ["qx": nil]),
        ("Qpick", ["qx": 1, "qy": nil]), ("Qday", "x"), ("ID", 1.5), ("Boolean", 1),
        ("Float", true),
    ]

    @Test(arguments: variables.indices)
    func `no variable's coercion tells of the schema`(_ index: Int) throws {
        let (type, value) = Self.variables[index]
        let document = "query ($v: \(type)) { qnumber @include(if: true) a: qroot(qneeded: QONE, "
        // The variable is used where its type fits, so that nothing else is wrong.
        let use =
            switch type {
            case "Int!", "Int": "qint: $v"
            case "Qinput": "qinput: $v"
            case "Qpick": "qpick: $v"
            case "Qday": "qday: $v"
            default: ""
            }
        let text = document + use + ") { qid } }"
        guard case .success(let operation) = prepare(text) else {
            // An unused variable is an error too; those types are tested by a schema of their own.
            #expect(use.isEmpty)
            return
        }
        guard case .failure(let failure) = operation.coerce(variables: ["v": value]) else {
            Issue.record("it is no broken variable")
            return
        }
        for error in failure.errors { expectSilence(error.message, about: text + value.jsonText) }
    }

    private func run(_ text: String, _ answer: (Text) -> Resolved) throws -> String {
        let operation = try prepare(text).get()
        var execution = Execution(operation, variables: try operation.coerce(variables: [:]).get())
        var step = execution.start()
        while case .pending(let batches) = step {
            step = execution.resume(
                batches.map { batch in
                    batch.asks.map { _ in answer(Self.schema.fields[batch.field].name) }
                })
        }
        guard case .done(let bytes) = step else { return "" }
        return String(decoding: bytes.array, as: UTF8.self)
    }

    static let executions: [(document: String, value: JSONValue)] = [
        ("{ qnumber }", .null), ("{ qnumber }", "x"), ("{ qnumber }", 99_999_999_999),
        ("{ qthings { qid } }", .null), ("{ qthings { qid } }", 5),
        ("{ qthings { qid } }", [["qid": nil]]), ("{ qunion { __typename } }", ["__typename": "X"]),
        ("{ qroot(qneeded: QONE) { qkind } }", ["qkind": "QTHREE"]),
        ("{ qroot(qneeded: QONE) { qtime } }", ["qtime": "x"]),
        ("{ qroot(qneeded: QONE) { qname } }", ["qname": [1]]),
        ("mutation { qwrite(qinput: {qa: 1}) { qid } }", ["qid": true]),
    ]

    @Test(arguments: executions.indices)
    func `no result tells of the schema but by its type names`(_ index: Int) throws {
        let (document, value) = Self.executions[index]
        let response = try run(document) { _ in .value(value) }
        let errors = try #require(try JSONValue(parsing: response)["errors"]?.items)
        for error in errors {
            expectSilence(error["message"]?.text?.string ?? "", about: document + value.jsonText)
        }
    }

    @Test func `type names are still answered`() throws {
        let response = try run("{ __typename qunion { __typename } }") { _ in
            .value(["__typename": "Qother"])
        }
        #expect(response == #"{"data":{"__typename":"Query","qunion":{"__typename":"Qother"}}}"#)
    }
}
