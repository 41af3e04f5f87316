import Bytes
import GraphQL
import JSON
import Models
import Records
import Testing

/// Runs operations against a schema, with the test as the store: it is given every batch of
/// requests and says the answers.
struct Run {
    let models: ModelSchema
    /// 2026-01-02T03:04:05.678Z.
    var context = RequestContext(
        nowMilliseconds: 1_767_323_045_678, random: SeededRandom(seed: 1))

    static let now: JSONValue = "2026-01-02T03:04:05.678Z"

    init(_ models: ModelSchema) { self.models = models }

    func prepare(_ text: Text) throws -> PreparedOperation {
        try PreparedOperation.prepare(
            text, operationName: nil, schema: models.schema, limits: DocumentLimits()
        ).get()
    }

    /// The response to a query or mutation.
    mutating func response(
        _ text: Text, variables: JSONObject = [:],
        answer: ([StoreRequest]) throws -> [StoreAnswer] = { _ in [] }
    ) throws -> JSONValue {
        let operation = try prepare(text)
        var execution = Execution(
            operation, variables: try operation.coerce(variables: variables).get())
        var step = execution.start()
        while case .pending(let batches) = step {
            var values: [[Resolved]] = []
            for batch in batches {
                switch models.plan(batch, context: &context) {
                case .values(let ready): values.append(ready)
                case .ask(let requests, let reading):
                    let answers = try answer(requests)
                    try #require(answers.count == requests.count)
                    values.append(models.values(reading, answers))
                }
            }
            step = execution.resume(values)
        }
        guard case .done(let bytes) = step else { return nil }
        return try JSONValue(parsing: String(decoding: bytes.array, as: UTF8.self))
    }

    /// The first requests of an operation, which is then answered with a failure.
    mutating func requests(
        _ text: Text, variables: JSONObject = [:]
    ) throws -> [StoreRequest] {
        var seen: [StoreRequest] = []
        _ = try response(text, variables: variables) { requests in
            if seen.isEmpty { seen = requests }
            return requests.map { _ in .failed(StoreFailure(message: "stopped")) }
        }
        return seen
    }

    /// The message of the operation's only error.
    mutating func message(
        _ text: Text, variables: JSONObject = [:],
        answer: ([StoreRequest]) throws -> [StoreAnswer] = { _ in [] }
    ) throws -> Text? {
        let response = try response(text, variables: variables, answer: answer)
        let errors = response["errors"]?.items ?? []
        #expect(errors.count <= 1)
        return errors.first?["message"]?.text
    }

    /// The target of a subscription.
    func target(_ text: Text, variables: JSONObject = [:]) throws -> SubscriptionTarget {
        let operation = try prepare(text)
        let variables = try operation.coerce(variables: variables).get()
        let root = try operation.subscriptionRoot(variables).get()
        return try models.subscription(root.field, root.arguments)
    }

    /// A record with values by name; the others are null.
    func record(_ model: Text, _ values: JSONObject, sequence: Int64 = 1) throws -> Record {
        let id = try #require(models.layout.modelID(named: model))
        return Record(
            model: id, sequence: sequence,
            values: models.layout.models[id].fields.map { values[$0.name] ?? .null })
    }

    func slot(_ model: Text, _ field: Text) throws -> Int {
        let id = try #require(models.layout.modelID(named: model))
        return try #require(models.layout.models[id].slot(of: field))
    }

    func id(_ model: Text) throws -> ModelID {
        try #require(models.layout.modelID(named: model))
    }
}
