import Bytes
import GraphQL
import JSON
import Models
import Records
import Testing

/// Mutations, from their text to the write and from its outcome to the response.
@Suite struct WritePlanTests {
    var run: Run

    init() throws { run = Run(try Example.isolationNation.models()) }

    mutating func write(_ text: Text, _ variables: JSONObject = [:]) throws -> RecordWrite {
        let requests = try run.requests(text, variables: variables)
        guard requests.count == 1, case .write(let write) = requests[0] else {
            throw OperationErrors(stage: .operation, errors: [])
        }
        return write
    }

    static let create: Text = """
        mutation C($input: CreateMessageInput!) { createMessage(input: $input) { id } }
        """
    static let update: Text = """
        mutation U($input: UpdateMessageInput!, $condition: ModelMessageConditionInput) {
          updateMessage(input: $input, condition: $condition) { id }
        }
        """

    @Test mutating func `a creation fills in id and times`() throws {
        let write = try write(
            Self.create,
            ["input": ["body": "hi", "messageAuthorId": "u1", "messageThreadId": "t1"]])
        guard case .create(let values) = write.action else {
            Issue.record("no creation")
            return
        }
        let id = try #require(values[0].text)
        #expect(id.byteCount == 36)
        #expect(values == [.string(id), "hi", Run.now, Run.now, "u1", "t1"])
        #expect(write.key == RecordKey(model: try run.id("Message"), id: id))
        #expect(write.condition == .all)
    }

    @Test mutating func `what the client gives wins, null counts as left out`() throws {
        let write = try write(
            Self.create,
            [
                "input": [
                    "id": "m1", "body": "", "messageAuthorId": "u1",
                    "createdAt": "1970-01-01T00:00Z",
                    "messageThreadId": nil,
                ]
            ])
        #expect(
            write.action
                == .create(["m1", "", "1970-01-01T00:00Z", Run.now, "u1", nil]))
        let other = try self.write(
            Self.create,
            ["input": ["id": nil, "createdAt": nil, "body": "", "messageAuthorId": "u"]])
        guard case .create(let values) = other.action else { return }
        #expect(values[0].text?.byteCount == 36)
        #expect(values[2] == Run.now)
    }

    @Test mutating func `two creations have two ids`() throws {
        let input: JSONObject = ["input": ["body": "", "messageAuthorId": "u"]]
        #expect(try write(Self.create, input).key != (try write(Self.create, input).key))
    }

    @Test mutating func `an update sets what is given and the time`() throws {
        let slots = try ["body", "updatedAt", "messageThreadId"].map {
            try run.slot("Message", Text($0))
        }
        let write = try write(
            Self.update, ["input": ["id": "m1", "body": "new", "messageThreadId": nil]])
        #expect(write.key == RecordKey(model: try run.id("Message"), id: "m1"))
        #expect(
            write.action
                == .update([
                    .init(slot: slots[0], value: "new"), .init(slot: slots[1], value: Run.now),
                    .init(slot: slots[2], value: nil),
                ]))
    }

    @Test mutating func `a non-null field cannot be set to null`() throws {
        let message = try run.message(
            Self.update, variables: ["input": ["id": "m1", "messageAuthorId": nil]])
        let field = "Message.messageAuthorId"
        #expect(
            message?.string
                == "input.messageAuthorId cannot be null, because \(field) is non-null")
    }

    @Test mutating func `an empty key is refused`() throws {
        #expect(
            try run.message(Self.update, variables: ["input": ["id": ""]])
                == "input.id is a key and cannot be empty")
    }

    @Test mutating func `a deletion names the key and its condition`() throws {
        let write = try write(
            "mutation { deleteMessage(input: {id: \"m1\"}, condition: {body: {eq: \"a\"}}) { id } }"
        )
        #expect(write.action == .delete)
        #expect(
            write.condition == .test(.init(slot: try run.slot("Message", "body")), .equal("a")))
    }

    @Test mutating func `the written record is the value`() throws {
        let record = try run.record("Message", ["id": "m1", "body": "hi"])
        let response = try run.response(
            Self.update, variables: ["input": ["id": "m1"]]
        ) { _ in [.written(record, offset: 1)] }
        #expect(response == ["data": ["updateMessage": ["id": "m1"]]])
    }

    @Test(arguments: [
        (
            WriteRefusal.exists,
            "a Message with this id exists already: update it, or choose another"
        ),
        (.missing, "no Message has this id: check it, or create one first"),
        (.conditionFailed, "the Message does not pass the condition"),
    ])
    func `a refusal is AppSync's conditional error and tells no data`(
        refusal: WriteRefusal, why: String
    ) throws {
        var run = run
        let response = try run.response(
            Self.update, variables: ["input": ["id": "secret-id", "body": "secret"]]
        ) { _ in [.refused(refusal)] }
        #expect(response["data"] == ["updateMessage": nil])
        let error = try #require(response["errors"]?.items?.first)
        #expect(error["errorType"] == "ConditionalCheckFailedException")
        #expect(
            error["message"]
                == .string(Text("the conditional request of updateMessage failed: \(why)")))
        #expect(!response.jsonText.contains("secret"))
    }

    @Test mutating func `the mutations of one operation are written one after the other`() throws {
        let record = try run.record("User", ["id": "u"])
        var rounds = 0
        _ = try run.response(
            """
            mutation {
              a: createUser(input: {username: "a"}) { id }
              b: createUser(input: {username: "b"}) { id }
            }
            """
        ) { requests in
            rounds += 1
            #expect(requests.count == 1)
            return [.written(record, offset: UInt64(rounds))]
        }
        #expect(rounds == 2)
    }

    @Test func `defaults, doubles, embedded objects and lists are stored in one form`() throws {
        var run = Run(
            try ModelSchema(
                sdl: """
                    type A @model(timestamps: null) {
                      id: ID! f: Float fs: [Float] kind: Kind! @default(value: "X")
                      n: Int! @default(value: "7") b: Boolean @default(value: "true")
                      at: Point json: AWSJSON t: AWSTimestamp
                    }
                    type Point { x: Float! }
                    enum Kind { X Y }
                    """))
        let requests = try run.requests(
            """
            mutation { createA(input: {
              id: "a", f: 1, fs: [1, 2.5], at: {x: 3}, json: "{\\"k\\":1}", t: 1700000000, b: null
            }) { id } }
            """)
        let values: [JSONValue] = [
            "a", 1.0, [1.0, 2.5], "X", 7, nil, ["x": 3.0], "{\"k\":1}", 1_700_000_000,
        ]
        #expect(
            requests == [
                .write(RecordWrite(key: RecordKey(model: 0, id: "a"), action: .create(values)))
            ])
        #expect(
            try run.message("mutation { createA(input: {n: null}) { id } }")
                == "input.n cannot be null, because A.n is non-null")
    }

    @Test(
        arguments: [
            ["at": "2026-01-01"], ["mail": "nobody"], ["json": "{"], ["json": ["a": 1]],
            ["kind": "Z"],
            ["at": 5], ["t": "1"], ["id": 1.5], ["unknown": 1],
        ] as [JSONValue])
    func `a value that its type refuses never gets to the store`(input: JSONValue) throws {
        let run = Run(
            try ModelSchema(
                sdl: """
                    type A @model {
                      id: ID! at: AWSDateTime mail: AWSEmail json: AWSJSON kind: Kind
                      t: AWSTimestamp
                    }
                    enum Kind { X }
                    """))
        let operation = try run.prepare(
            "mutation M($input: CreateAInput!) { createA(input: $input) { id } }")
        guard case .failure(let errors) = operation.coerce(variables: ["input": input]) else {
            Issue.record("no error")
            return
        }
        #expect(errors.stage == .variables)
        #expect(errors.errors.count == 1)
    }

    @Test func `an update of a model without times sets none`() throws {
        var run = Run(try ModelSchema(sdl: "type A @model(timestamps: null) { id: ID! n: Int }"))
        let requests = try run.requests("mutation { updateA(input: {id: \"a\"}) { id } }")
        #expect(
            requests == [
                .write(RecordWrite(key: RecordKey(model: 0, id: "a"), action: .update([])))
            ])
    }
}
