import Bytes
import GraphQL
import JSON
import Models

/// Executable documents against the API of a schema: parsed, validated, planned, coerced and
/// executed on canned values; the response is JSON and stays within the limits.
enum GraphQLFuzz {
    static let models: ModelSchema = {
        guard let models = try? ModelSchema(sdl: chatSchema) else {
            fatalError("the schema is not one")
        }
        return models
    }()
    private static let limits: DocumentLimits = {
        var limits = DocumentLimits()
        limits.planFieldsMax = 2_000
        limits.resultNodesMax = 2_000
        limits.responseBytesMax = 100_000
        return limits
    }()

    static func take(_ input: inout Input) {
        let seed = input.decision()
        guard let text = text(input.rest) else { return }
        let (document, variables) = split(text)
        let prepared = PreparedOperation.prepare(document, schema: models.schema, limits: limits)
        guard case .success(let operation) = prepared else {
            if case .failure(let errors) = prepared { check(errors.errors) }
            return
        }
        switch operation.coerce(variables: variables) {
        case .failure(let errors): check(errors.errors)
        case .success(let variables): run(operation, variables, seed)
        }
    }

    static func text(_ bytes: UnsafeRawBufferPointer) -> Text? {
        UTF8Check.isValid(bytes) ? Text(utf8: bytes) : nil
    }

    /// What stands behind a line `---` are the variables.
    private static func split(_ text: Text) -> (Text, JSONObject) {
        let parts = text.string.split(separator: "\n---\n", maxSplits: 1)
        guard parts.count == 2, let value = try? JSONValue(parsing: String(parts[1])),
            let object = value.object
        else { return (text, [:]) }
        return (Text(String(parts[0])), object)
    }

    private static func check(_ errors: [GraphQLError]) {
        demand(!errors.isEmpty, "a failure without an error")
        var bytes = ByteQueue()
        for error in errors {
            bytes.removeAll()
            error.append(json: &bytes)
            demand((try? JSONValue(parsing: bytes.bytes)) != nil, "an error is no JSON")
        }
    }

    private static func run(
        _ operation: PreparedOperation, _ variables: Variables, _ seed: UInt8
    ) {
        if operation.kind == .subscription {
            guard case .success(let root) = operation.subscriptionRoot(variables) else { return }
            _ = try? models.subscription(root.field, root.arguments)
            var value = CannedValues(models.schema, seed: seed)
            var execution = Execution(
                event: operation, variables: variables, value: value.value(of: root.field))
            finish(&execution, &value)
            return
        }
        var value = CannedValues(models.schema, seed: seed)
        var execution = Execution(operation, variables: variables)
        finish(&execution, &value)
    }

    private static func finish(_ execution: inout Execution, _ canned: inout CannedValues) {
        var step = execution.start()
        for _ in 0..<300 {
            switch step {
            case .done(let bytes):
                let response = try? JSONValue(parsing: bytes.bytes, depthMax: 500)
                demand(response?.object != nil, "a response is no JSON object")
                demand(bytes.count <= 200_000, "a response goes beyond its limit")
                return
            case .pending(let batches):
                demand(!batches.isEmpty, "nothing is asked and nothing done")
                step = execution.resume(
                    batches.map { batch in batch.asks.map { _ in canned.value(of: batch.field) } })
            }
        }
    }
}

/// Values for any field of a schema, some of them wrong: null, of another kind, or an error.
struct CannedValues {
    private let schema: Schema
    private var random: SeededRandom
    private var budget = 500

    init(_ schema: Schema, seed: UInt8) {
        self.schema = schema
        random = SeededRandom(seed: UInt64(seed))
    }

    mutating func value(of field: FieldID) -> Resolved {
        value(of: schema.fields[field].type, depth: 0)
    }

    private mutating func value(of type: TypeUse, depth: Int) -> Resolved {
        budget -= 1
        switch random.next() % 16 {
        case 0: return .null
        case 1: return .failure(GraphQLError("canned"))
        case 2: return .value(leaf())
        case 3: return .list([.value(leaf()), .null])
        default: break
        }
        if budget < 0 || depth > 4 { return .null }
        if type.isList {
            return .list((0..<Int(random.next() % 4)).map { _ in object(type, depth: depth) })
        }
        return object(type, depth: depth)
    }

    private mutating func object(_ type: TypeUse, depth: Int) -> Resolved {
        let named = schema.types[type.named]
        guard named.kind == .object else { return .value(leaf()) }
        if random.next() % 2 == 0 {
            return .record(type: type.named, slots: named.fields.map { _ in leaf() })
        }
        return .object(
            type: type.named,
            slots: named.fields.map { value(of: schema.fields[$0].type, depth: depth + 1) })
    }

    private mutating func leaf() -> JSONValue {
        switch random.next() % 8 {
        case 0: .null
        case 1: .int(Int64(bitPattern: random.next()))
        case 2: .double(1.5)
        case 3: .bool(true)
        case 4: .string("2024-02-29T12:00:00Z")
        case 5: .array([.string("a"), .null])
        case 6: .object(["a": .int(1)])
        default: .string("id-\u{1F600}\"\\\n")
        }
    }
}

/// The schema of the neighbourhood chat, with one of each thing more.
let chatSchema: Text = """
    enum Mood { GOOD BAD }
    type Place { street: String! number: Int }
    type User @model {
      id: ID!
      username: String!
      mood: Mood
      place: Place
      tags: [String!]
      score: Float
      isKnown: Boolean
      messages: [Message] @connection(name: "UserMessages")
    }
    type Thread @model
      @key(fields: ["location"], name: "byLocation", queryField: "ThreadByLocation") {
      id: ID!
      name: String!
      location: String!
      messages: [Message] @connection(name: "ThreadMessages", sortField: "createdAt")
      createdAt: AWSDateTime!
    }
    type Message @model {
      id: ID!
      author: User @connection(name: "UserMessages")
      body: String!
      thread: Thread @connection(name: "ThreadMessages")
      createdAt: AWSDateTime!
    }
    """
