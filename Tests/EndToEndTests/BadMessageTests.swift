import Bytes
import Foundation
import JSON
import Testing

/// What a running hub says to bad requests, frames, queries, variables and ids; all are told on
/// one hub, which must still work afterwards.
@Suite(.serialized) struct BadMessageTests {
    private func withHub(_ body: (RunningHub) throws -> Void) throws {
        let hub = try RunningHub(["--memory", "--api-key", testKey])
        try hub.createUser("before")
        try body(hub)
        try hub.createUser("after")
        #expect(try hub.userIDs() == ["after", "before"])
        try hub.stop()
    }

    /// Operations with variables, and the message of the first error.
    private static let operations: [(query: String, variables: JSONObject, says: String)] = [
        (
            "{ getUser(id: \"u\") { usrname } }", [:],
            "Cannot query field \"usrname\" on type \"User\". Did you mean \"username\"?"
        ),
        (
            "{ getUser(id: \"u\") { id ", [:],
            "Syntax Error: expected a name, found the end of the document"
        ),
        (
            "query($i: ID!) { getUser(id: $i) { id } }", [:],
            "Variable \"$i\" of required type \"ID!\" was not provided."
        ),
        (
            "query($i: ID!) { getUser(id: $i) { id } }", ["i": ["a": 1]],
            "Variable \"$i\" got an invalid value: ID cannot represent an object"
        ),
        (
            "mutation($i: CreateUserInput!) { createUser(input: $i) { id } }",
            ["i": ["username": "x", "createdat": "2026-03-01T12:30:24.500Z"]],
            "Variable \"$i\" got an invalid value: field \"createdat\" is not defined by the type "
                + "CreateUserInput. Did you mean \"createdAt\"?"
        ),
        (
            "mutation($i: CreateUserInput!) { createUser(input: $i) { id } }",
            ["i": ["username": "x", "createdAt": "yesterday"]],
            "Variable \"$i\" got an invalid value at \"i.createdAt\": AWSDateTime wants a date and "
                + "time with an offset, such as 2026-03-01T12:30:24.500Z or with +05:30, not such "
                + "a string"
        ),
        (
            "mutation { updateUser(input: {id: \"nobody\", username: \"x\"}) { id } }", [:],
            "the conditional request of updateUser failed: no User has this id: check it, or "
                + "create one first"
        ),
        (
            "mutation { deleteUser(input: {id: \"nobody\"}) { id } }", [:],
            "the conditional request of deleteUser failed: no User has this id: check it, or "
                + "create one first"
        ),
        (
            "mutation { createUser(input: {id: \"before\", username: \"x\"}) { id } }", [:],
            "the conditional request of createUser failed: a User with this id exists already: "
                + "update it, or choose another"
        ),
        (
            "{ listUsers(limit: 1001) { items { id } } }", [:],
            "limit of 1001 is outside of 1 to 1000; read further pages with nextToken"
        ),
        (
            "{ listUsers(nextToken: \"bad\") { items { id } } }", [:],
            "nextToken is not a token of this API; leave it out to read from the start"
        ),
        (
            "subscription { onCreateUser { id } }", [:],
            "subscriptions are served over WebSocket, with the subprotocol graphql-transport-ws or "
                + "graphql-ws, and as a stream: send the header Accept: text/event-stream"
        ),
    ]

    @Test func `a bad query, variable or id gets a message that helps`() throws {
        try withHub { hub in
            for (query, variables, says) in Self.operations {
                let answer = try hub.run(query, variables)
                #expect(try answer.firstError() == says)
            }
            // To ask for what is not there is no mistake.
            #expect(
                try hub.run("{ getUser(id: \"nobody\") { id } }").body
                    == "{\"data\":{\"getUser\":null}}")
        }
    }

    @Test func `a bad request gets a status and a message that helps`() throws {
        try withHub { hub in
            let key = "x-api-key: \(testKey)"
            let bodies: [(body: String, says: String)] = [
                (
                    "{\"query\":",
                    "the request's body is not JSON: the JSON text ends inside a value"
                ),
                ("[]", "a list, not a JSON object: batches are not taken; send each operation as"),
                ("{}", "the request has no 'query'"),
                ("{\"query\":1}", "'query' is a number, not a string"),
                ("{\"query\":\"{a}\",\"variables\":[]}", "'variables' is a list, not an object"),
            ]
            for (body, says) in bodies {
                let answer = try hub.post(body)
                #expect(answer.status == 400)
                #expect(try answer.firstError().contains(says))
            }
            let long = try hub.post(String(repeating: " ", count: 1_048_577))
            #expect(long.status == 413)
            #expect(
                try long.firstError()
                    == "body of 1048577 bytes is over the limit of 1048576: send less at a time, "
                    + "or raise the hub's --message-bytes-max")
            let wide = try hub.request(
                "GET /graphql", fields: ["x-wide: " + String(repeating: "a", count: 20_000)])
            #expect(wide.status == 431)
            #expect(
                try wide.firstError()
                    == "header section is over the limit of 16384 bytes: send fewer or shorter "
                    + "header fields")
            let target = String(repeating: "a", count: 9_000)
            let far = try hub.request("GET /graphql?query=\(target)", fields: [key])
            #expect(far.status == 414)
            #expect(try far.firstError().hasSuffix("8192 bytes: send the operation by POST"))
            let elsewhere = try hub.request("GET /")
            #expect(elsewhere.status == 404)
            #expect(try elsewhere.firstError() == "nothing is here; the API is at /graphql")
            let plain = try hub.request("POST /graphql", fields: [key], body: "{}")
            #expect(plain.status == 415)
            #expect(try plain.firstError().contains("Content-Type: application/json"))
            #expect(try hub.run("{ __typename }", key: nil).firstError().contains("x-api-key"))
            #expect(try hub.request("nonsense").status == 400)
        }
    }

    @Test func `bytes that are no request at all do no harm`() throws {
        try withHub { hub in
            for bytes in [
                [UInt8](repeating: 0, count: 100), (0...255).map { UInt8($0) },
                [0x16, 0x03, 0x01, 0x02, 0x00, 0x01],
            ] {
                let connection = try RawConnection(port: hub.port)
                try connection.send(bytes + Array("\r\n\r\n".utf8))
                #expect(try connection.takeAll().hasPrefix("HTTP/1.1 400 "))
            }
        }
    }

    /// Frames, and the close that answers them.
    private static let frames: [(frame: [UInt8], code: Int, reason: String)] = [
        ([0x81, 0x02, 0x68, 0x69], 1002, "frame from the client is not masked"),
        (
            [0xf1, 0x80, 0, 0, 0, 0], 1002,
            "reserved bit is set where no extension gives it a meaning"
        ),
        ([0x83, 0x80, 0, 0, 0, 0], 1002, "opcode 3 is reserved"),
        ([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], 1007, "text is not UTF-8"),
        (
            [0x81, 0xff, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0], 1009,
            "message of 2097152 bytes is over the limit of 1048576 (--message-bytes-max)"
        ),
        ([0x82, 0x81, 0, 0, 0, 0, 1], 4400, "Invalid message received: not a text message"),
        (
            SocketClient.frame("hello"), 4400,
            "Invalid message received: unexpected character in JSON (at byte 0)"
        ),
        (
            SocketClient.frame("{\"type\":\"nope\"}"), 4400,
            "Invalid message received: unknown message type"
        ),
        (
            SocketClient.frame("{\"type\":\"subscribe\",\"payload\":{\"query\":\"{a}\"}}"), 4400,
            "Invalid message received: 'id' is missing, not a string or empty"
        ),
        (
            SocketClient.frame(
                SocketClient.subscribe(String(repeating: "1", count: 300), "{ __typename }")),
            4400, "Invalid message received: 'id' of 300 bytes is over the limit of 256"
        ),
    ]

    @Test func `a bad frame or message is answered by a close that says why`() throws {
        try withHub { hub in
            for (frame, code, reason) in Self.frames {
                let client = try SocketClient(hub)
                try client.send(frame: frame)
                #expect(try client.rest().close == .close(code: code, reason: reason))
            }
        }
    }

    @Test func `a bad operation on a socket ends with an error and not the socket`() throws {
        try withHub { hub in
            let client = try SocketClient(hub)
            try client.subscribe(
                "1", "subscription { onCreateUser(filter: {usernam: {eq: \"a\"}}) { id } }")
            let message =
                #"Expected value of type \"ModelSubscriptionUserFilterInput\" not to include "#
                + #"unknown field \"usernam\". Did you mean \"username\"?"#
            let place = #""locations":[{"line":1,"column":38}]"#
            let errors = #"[{"message":"\#(message)",\#(place)}]"#
            let refused = try client.next()
            #expect(refused == .text(#"{"type":"error","id":"1","payload":\#(errors)}"#))
            // An id that is not in use is no mistake: its operation may have ended just now.
            try client.send("{\"type\":\"complete\",\"id\":\"unknown\"}")
            try client.subscribe("1", "{ __typename }")
            let answer = #"{"type":"next","id":"1","payload":{"data":{"__typename":"Query"}}}"#
            #expect(try client.next() == .text(answer))
        }
    }
}
