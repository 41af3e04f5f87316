import Bytes
import GraphQL
import JSON
import Testing

/// Subscriptions: their root, and one response for each event (GraphQL 6.2.3).
struct SubscriptionTests {
    @Test func `the root field is told with its arguments`() throws {
        let chat = try Chat()
        let operation = try chat.prepare(
            "subscription S($t: ID, $b: String) { m: onMessage(threadID: $t, body: $b) { id } }"
        ).get()
        #expect(operation.kind == .subscription)
        #expect(operation.name == "S")
        let variables = try operation.coerce(variables: ["t": 5]).get()
        let root = try operation.subscriptionRoot(variables).get()
        #expect(chat.schema.fields[root.field].name == "onMessage")
        #expect(root.arguments == ["threadID": "5"])
        let explicit = try operation.coerce(variables: ["t": "x", "b": nil]).get()
        #expect(
            try operation.subscriptionRoot(explicit).get().arguments
                == ["threadID": "x", "body": nil])
    }

    @Test func `an event is written at once if nothing is asked`() throws {
        let chat = try Chat()
        let operation = try chat.prepare(
            "subscription { m: onMessage { id body t: threadID likes __typename } }"
        ).get()
        let variables = try operation.coerce(variables: [:]).get()
        var output = ByteQueue("head:".utf8)
        let isDone = Execution.append(
            event: operation, variables: variables, value: chat.message(3), to: &output)
        #expect(isDone)
        let data =
            #"{"data":{"m":{"id":"m3","body":"hi","t":"t1","likes":3,"__typename":"Message"}}}"#
        #expect(output == ByteQueue("head:\(data)".utf8))
        var execution = Execution(event: operation, variables: variables, value: chat.message(3))
        guard case .done(let bytes) = execution.start() else {
            Issue.record("it asked")
            return
        }
        #expect(bytes == ByteQueue(data.utf8))
    }

    @Test func `an event may ask for what its record does not hold`() throws {
        var chat = try Chat()
        let text: Text =
            "subscription { onMessage { id author { name friend { id } } replies { text } } }"
        #expect(
            try chat.event(text, chat.message(1))
                == #"{"data":{"onMessage":{"id":"m1","author":{"name":"user 1","friend":{"id":"u1"}},"#
                + #""replies":[{"text":"one"},{"text":"two"}]}}}"#)
        #expect(chat.log == ["Message.author*1", "Message.replies*1", "User.friend*1"])
        let operation = try chat.prepare(text).get()
        var output = ByteQueue()
        let isDone = Execution.append(
            event: operation, variables: try operation.coerce(variables: [:]).get(),
            value: chat.message(1), to: &output)
        #expect(!isDone && output.isEmpty)
    }

    @Test func `an error of an event stays within the event`() throws {
        var chat = try Chat()
        let record = Resolved.record(
            type: chat.type("Message"), slots: [.null, "b", "t", 99_999_999_999])
        #expect(
            try chat.event("subscription { onMessage { likes body } }", record)
                == #"{"data":{"onMessage":{"likes":null,"body":"b"}},"errors":[{"message":"#
                + #""Int cannot represent an integer beyond 32 bits","locations":[{"line":1,"column":28}],"#
                + #""path":["onMessage","likes"]}]}"#)
        #expect(
            try chat.event("subscription { onMessage { id } }", record)
                .hasPrefix(#"{"data":{"onMessage":null},"errors""#))
        #expect(
            try chat.event("subscription { onStrict { body id } }", record)
                .hasPrefix(#"{"data":null,"errors":[{"message":"Cannot return null"#))
        #expect(
            try chat.event("subscription { onStrict { id } }", .failure(GraphQLError("x")))
                .hasPrefix(#"{"data":null,"errors":[{"message":"x""#))
        #expect(
            try chat.event("subscription { onMessage { id } }", .null)
                == #"{"data":{"onMessage":null}}"#)
    }

    @Test func `appending an event that falls keeps what stood before it`() throws {
        let chat = try Chat()
        let operation = try chat.prepare("subscription { onStrict { id } }").get()
        var output = ByteQueue("before".utf8)
        _ = Execution.append(
            event: operation, variables: try operation.coerce(variables: [:]).get(),
            value: .null, to: &output)
        #expect(String(decoding: output.array, as: UTF8.self).hasPrefix(#"before{"data":null,"#))
    }

    @Test func `conditions below the root follow the variables`() throws {
        var chat = try Chat()
        let text: Text =
            "subscription S($all: Boolean!) { onMessage { id body @include(if: $all) } }"
        #expect(
            try chat.event(text, chat.message(1), ["all": false])
                == #"{"data":{"onMessage":{"id":"m1"}}}"#)
        #expect(
            try chat.event(text, chat.message(1), ["all": true])
                == #"{"data":{"onMessage":{"id":"m1","body":"hi"}}}"#)
    }

    @Test func `two root fields are refused`() throws {
        let chat = try Chat()
        switch chat.prepare("subscription { onMessage { id } onStrict { id } }") {
        case .failure(let failure): #expect(failure.stage == .validation)
        case .success(let operation):
            let variables = try operation.coerce(variables: [:]).get()
            guard case .failure = operation.subscriptionRoot(variables) else {
                Issue.record("two root fields were taken")
                return
            }
        }
    }
}
