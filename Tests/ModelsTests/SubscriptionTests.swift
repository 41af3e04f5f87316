import Bytes
import GraphQL
import JSON
import Models
import Records
import Testing

@Suite struct SubscriptionTests {
    let run: Run

    init() throws { run = Run(try Example.isolationNation.models()) }

    @Test(arguments: [
        ("onCreateReply", Change.Kind.create), ("onUpdateReply", .update),
        ("onDeleteReply", .delete),
    ])
    func `a subscription names model and kind`(field: String, kind: Change.Kind) throws {
        let target = try run.target("subscription { \(field) { id } }".text)
        #expect(target == SubscriptionTarget(model: try run.id("Reply"), kind: kind, filter: .all))
    }

    @Test func `an argument that is left out is no test, null tests for null`() throws {
        let text: Text = """
            subscription S($thread: ID, $body: String) {
              onCreateMessage(messageThreadId: $thread, body: $body) { id }
            }
            """
        let thread = Filter.FieldPath(slot: try run.slot("Message", "messageThreadId"))
        let body = Filter.FieldPath(slot: try run.slot("Message", "body"))
        #expect(try run.target(text).filter == .all)
        #expect(
            try run.target(text, variables: ["thread": nil]).filter == .test(thread, .equal(nil)))
        let both = Filter.and([.test(body, .equal("b")), .test(thread, .equal("t"))])
        #expect(try run.target(text, variables: ["thread": "t", "body": "b"]).filter == both)
    }

    @Test func `arguments and filter must both pass`() throws {
        let filter = try run.target(
            "subscription { onCreateMessage(body: \"b\", filter: {id: {ne: \"x\"}}) { id } }"
        ).filter
        #expect(
            filter
                == .and([
                    .test(.init(slot: try run.slot("Message", "body")), .equal("b")),
                    .test(.init(slot: try run.slot("Message", "id")), .notEqual("x")),
                ]))
    }

    @Test func `replies can be filtered by the thread of their message`() throws {
        let target = try run.target(
            """
            subscription {
              onCreateReply(filter: {message: {thread: {id: {eq: "t1"}}}}) {
                id body message { id }
              }
            }
            """)
        let reply = run.models.layout.models[target.model]
        let relation = try #require(reply.relations.firstIndex { $0.name == "message" })
        let slot = try run.slot("Message", "messageThreadId")
        #expect(
            target.filter == .test(.init(relations: [relation], slot: slot), .equal("t1")))
        #expect(target.filter.relationPaths == [[relation]])
    }

    @Test func `a filter without meaning is an error of the subscription`() throws {
        let operation = try run.prepare(
            "subscription { onCreateReply(filter: {body: {between: [\"a\"]}}) { id } }")
        let variables = try operation.coerce(variables: [:]).get()
        let root = try operation.subscriptionRoot(variables).get()
        #expect(throws: GraphQLError.self) {
            try run.models.subscription(root.field, root.arguments)
        }
    }

    @Test func `operators on one field can be joined with AND instead`() throws {
        let models = try ModelSchema(
            sdl: try Example.cashFlow.sdl,
            options: ModelOptions(subscriptionOperatorsAreOred: false))
        let text: Text =
            "subscription { onUpdateAccount(filter: {balance: {gt: 1, lt: 2}}) { id } }"
        let path = Filter.FieldPath(slot: 1)
        // Coercion puts the members in the input type's order.
        let tests = [Filter.test(path, .less(2.0)), .test(path, .greater(1.0))]
        #expect(try Run(models).target(text).filter == .and(tests))
        #expect(try Run(try Example.cashFlow.models()).target(text).filter == .or(tests))
    }

    @Test func `an event carries every field of the record`() throws {
        let values: JSONObject = [
            "id": "r1", "body": "yes", "createdAt": Run.now, "updatedAt": Run.now,
            "replyAuthorId": "u1", "replyMessageId": "m1",
        ]
        let change = Change(offset: 1, kind: .create, record: try run.record("Reply", values))
        let operation = try run.prepare(
            """
            subscription { onCreateReply {
              id body createdAt updatedAt replyAuthorId replyMessageId
            } }
            """)
        let variables = try operation.coerce(variables: [:]).get()
        var output = ByteQueue()
        let isDirect = Execution.append(
            event: operation, variables: variables, value: run.models.eventValue(of: change),
            to: &output)
        #expect(isDirect)
        let response = try JSONValue(parsing: String(decoding: output.array, as: UTF8.self))
        #expect(response == ["data": ["onCreateReply": .object(values)]])
    }
}
