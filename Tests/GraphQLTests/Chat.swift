import Bytes
import GraphQL
import JSON
import Testing

/// A small chat service over the engine: the fixture of most tests.
struct Chat {
    static let sdl: Text = """
        "A chat."
        type Query {
          hello(name: String = "you"): String
          message(id: ID!): Message
          messages(limit: Int, filter: Filter): [Message!]
          page: Page
          node(id: ID): Node
          found: [Found]
          strict: Message!
          echo(input: Echo, list: [[Int]], one: One, any: Any, color: Color = RED, need: Int! = 3): String
          odd: Odd
          embedded: Embedded
        }
        type Mutation { add(body: String!): Message addStrict(body: String!): Message! }
        type Subscription { onMessage(threadID: ID, body: String): Message onStrict: Message! }
        interface Node { id: ID! }
        type Message implements Node {
          id: ID!
          body: String
          threadID: ID
          author: User
          replies: [Reply!]
          must: User!
          likes: Int
        }
        type Reply { text: String! author: User }
        type User implements Node { id: ID! name: String! friend: User messages: [Message!]! }
        union Found = Message | User
        type Page { items: [Message]! nextToken: String }
        type Odd { int: Int float: Float string: String boolean: Boolean id: ID color: Color
          time: Timestamp ints: [Int!] grid: [[Int!]] any: Any }
        type Embedded { title: String! inner: Embedded list: [Embedded!] node: Node }
        enum Color { RED GREEN @deprecated BLUE @deprecated(reason: "too cold") }
        input Filter { body: String ids: [ID!] nested: Filter color: Color }
        input Echo { a: Int! b: String = "b" c: Color d: [Float!] e: Echo f: Boolean id: ID }
        input One @oneOf { a: Int b: String }
        scalar Timestamp @specifiedBy(url: "https://example.org/timestamp")
        scalar Any
        """

    let schema: Schema
    /// The batches that were asked, such as `User.friend*3`.
    private(set) var log: [String] = []
    /// What a field gives, by `Type.field`; beyond these the fixture's own data.
    var given: [String: (Ask) -> Resolved] = [:]

    init() throws {
        var builder = SchemaBuilder()
        builder.add(try Document(parsing: Self.sdl, limits: .schema))
        for (type, fields) in [
            ("Message", ["id", "body", "threadID", "likes"]), ("User", ["id", "name"]),
            (
                "Odd",
                ["int", "float", "string", "boolean", "id", "color", "time", "ints", "grid", "any"]
            ),
            ("Page", ["items", "nextToken"]), ("Reply", ["text"]),
        ] {
            for (slot, field) in fields.enumerated() {
                builder.setSource(.slot(slot), of: Text(field), on: Text(type))
            }
        }
        for (type, field) in [
            ("Message", "author"), ("Message", "replies"), ("Message", "must"),
            ("User", "friend"), ("User", "messages"), ("Reply", "author"),
        ] {
            builder.setSource(.ask, of: Text(field), on: Text(type))
        }
        let timestamp = ScalarCoercion(
            input: { value in
                if case .int(let number) = value, number >= 0 { return .success(value) }
                return .failure(CoercionError("Timestamp cannot represent \(value.kindName)"))
            },
            output: { value in
                guard case .int = value else {
                    return .failure(CoercionError("Timestamp cannot represent \(value.kindName)"))
                }
                return .success(value)
            })
        builder.setCoercion(timestamp, of: "Timestamp")
        do throws(SchemaProblems) {
            schema = try builder.build()
        } catch {
            for problem in error.errors { Issue.record("\(problem)") }
            throw error
        }
    }

    func type(_ name: Text) -> TypeID { schema.typeID(name) ?? -1 }

    func message(_ id: Int, body: JSONValue = "hi") -> Resolved {
        .record(
            type: type("Message"),
            slots: [.string(Text("m\(id)")), body, .string("t1"), .int(Int64(id))])
    }

    func user(_ id: Int, name: JSONValue? = nil) -> Resolved {
        .record(
            type: type("User"),
            slots: [.string(Text("u\(id)")), name ?? .string(Text("user \(id)"))])
    }

    /// Answers one ask with the fixture's data.
    private func answer(_ field: String, _ ask: Ask) -> Resolved {
        if let given = given[field] { return given(ask) }
        switch field {
        case "Query.hello":
            return .value(.string(Text("hello \(ask.arguments["name"]?.text ?? "nobody")")))
        case "Query.message", "Query.strict", "Subscription.onMessage": return message(1)
        case "Query.messages": return .list((1...3).map { message($0) })
        case "Query.echo": return .value(.string(Text(JSONValue.object(ask.arguments).jsonText)))
        case "Query.page":
            return .object(
                type: type("Page"), slots: [.list([message(1), .null]), .value("next")])
        case "Query.node": return user(1)
        case "Query.found": return .list([message(1), user(2)])
        case "Mutation.add", "Mutation.addStrict":
            return message(9, body: ask.arguments["body"] ?? .null)
        case "Message.author", "User.friend", "Message.must", "Reply.author":
            return user(1)
        case "Message.replies":
            return .list([
                .record(type: type("Reply"), slots: ["one"]),
                .record(type: type("Reply"), slots: ["two"]),
            ])
        case "User.messages": return .list([message(4), message(5)])
        default: return .null
        }
    }

    private func name(of field: FieldID) -> String {
        let field = schema.fields[field]
        return "\(schema.types[field.parent].name).\(field.name)"
    }

    /// Drives an execution to its end.
    mutating func finish(_ execution: inout Execution) -> String {
        var step = execution.start()
        while case .pending(let batches) = step {
            var values: [[Resolved]] = []
            for batch in batches {
                let name = name(of: batch.field)
                log.append("\(name)*\(batch.asks.count)")
                values.append(batch.asks.map { answer(name, $0) })
            }
            step = execution.resume(values)
        }
        guard case .done(let bytes) = step else { return "" }
        return String(decoding: bytes.array, as: UTF8.self)
    }

    func prepare(
        _ text: Text, _ name: Text? = nil, limits: DocumentLimits = DocumentLimits()
    ) -> Result<PreparedOperation, OperationErrors> {
        PreparedOperation.prepare(text, operationName: name, schema: schema, limits: limits)
    }

    /// The response to a query or mutation; request errors as a response too.
    mutating func run(
        _ text: Text, _ variables: JSONObject = [:], name: Text? = nil,
        limits: DocumentLimits = DocumentLimits()
    ) -> String {
        do throws(OperationErrors) {
            let operation = try prepare(text, name, limits: limits).get()
            let variables = try operation.coerce(variables: variables).get()
            var execution = Execution(operation, variables: variables)
            return finish(&execution)
        } catch {
            return "\(error.stage): \(error.errors.map(\.message).joined(separator: "; "))"
        }
    }

    /// The response to one event of a subscription.
    mutating func event(_ text: Text, _ value: Resolved, _ variables: JSONObject = [:]) throws
        -> String
    {
        let operation = try prepare(text).get()
        let variables = try operation.coerce(variables: variables).get()
        var execution = Execution(event: operation, variables: variables, value: value)
        return finish(&execution)
    }
}
