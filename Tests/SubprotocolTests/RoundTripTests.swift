import Bytes
import JSON
import Subprotocol
import Testing

struct RoundTripTests {
    static let request = OperationRequest(
        query: "subscription S($t: ID!) { a(t: $t) \"\\\u{1}é\" }", operationName: "S",
        variables: ["t": "\"\\", "list": [1, 2.5, nil]], extensions: ["heliograph": ["offset": 7]])

    static func clientMessages(_ dialect: Dialect) -> [ClientMessage] {
        var full = request
        if dialect == .appSync {
            full.authorization = ["x-api-key": "k"]
            full.isDataString = true
        }
        var bare = OperationRequest(query: "{a}")
        bare.isDataString = dialect == .appSync
        let common: [ClientMessage] = [
            .connectionInit(payload: nil), .connectionInit(payload: ["x-api-key": "k"]),
            .subscribe(id: "1\"é", full), .subscribe(id: "2", bare), .complete(id: "1"),
        ]
        return common
            + (dialect.hasPing
                ? [.ping(payload: nil), .ping(payload: ["a": 1]), .pong(payload: [:])]
                : [.terminate])
    }

    static func serverMessages(_ dialect: Dialect) -> [ServerMessage] {
        let errors = json(#"[{"message":"no \"a\""}]"#)
        let all: [ServerMessage] = [
            .connectionAck(payload: nil), .connectionAck(payload: ["connectionTimeoutMs": 300_000]),
            .next(id: "1\u{7}", payload: json(#"{"data":{"a":[1,"}"]}}"#)),
            .error(id: "1", errors: errors), .complete(id: "1"), .keepAlive, .startAck(id: "1"),
            .ping(payload: ["a": 1]), .ping(payload: nil), .pong(payload: nil),
            .connectionError(
                dialect == .appSync
                    ? ConnectionFailure(
                        errorType: "UnauthorizedException", message: "no", errorCode: 401)
                    : ConnectionFailure(message: "no")),
        ]
        return all.filter { dialect.has($0) }
    }

    @Test(arguments: Dialect.allCases)
    func `what a client writes is what a server reads`(dialect: Dialect) throws {
        for message in Self.clientMessages(dialect) {
            #expect(try decode(encoded(message, dialect), dialect) == message)
        }
    }

    @Test(arguments: Dialect.allCases)
    func `what a server writes is what a client reads`(dialect: Dialect) throws {
        let messages = Self.serverMessages(dialect)
        #expect(messages.count == [.transportWS: 8, .legacyWS: 7, .appSync: 8][dialect])
        for message in messages {
            #expect(try decodeServer(encoded(message, dialect), dialect) == message)
        }
    }

    @Test(arguments: Dialect.allCases)
    func `head and tail around a payload are the whole message`(dialect: Dialect) {
        let payload = json(#"{"data":null}"#)
        var output = ByteQueue()
        dialect.appendNextHead(id: "a\"b", into: &output)
        output.append(payload)
        dialect.appendNextTail(into: &output)
        #expect(
            String(decoding: output.array, as: UTF8.self)
                == encoded(.next(id: "a\"b", payload: payload), dialect))
    }

    @Test(arguments: Dialect.allCases)
    func `a result's parts are lent without a copy`(dialect: Dialect) throws {
        let result = encoded(.next(id: "i1", payload: json(#"{"data":1}"#)), dialect)
        #expect(try nextParts(result, dialect) == ["i1", #"{"data":1}"#])
        for other in [ServerMessage.complete(id: "i1"), .next(id: "a\"", payload: json("{}"))] {
            #expect(try nextParts(encoded(other, dialect), dialect) == nil)
        }
    }

    static let written: [(Dialect, ServerMessage, String)] = [
        (.transportWS, .connectionAck(payload: nil), #"{"type":"connection_ack"}"#),
        (.transportWS, .pong(payload: nil), #"{"type":"pong"}"#),
        (.transportWS, .complete(id: "1"), #"{"type":"complete","id":"1"}"#),
        (
            .transportWS, .error(id: "1", errors: json(#"[{"message":"a"},{"message":"b"}]"#)),
            #"{"type":"error","id":"1","payload":[{"message":"a"},{"message":"b"}]}"#
        ),
        (
            .legacyWS, .error(id: "1", errors: json(#"[{"message":"a"},{"message":"b"}]"#)),
            #"{"type":"error","id":"1","payload":{"message":"a"}}"#
        ),
        (.legacyWS, .complete(id: "1"), #"{"type":"complete","id":"1"}"#),
        (.legacyWS, .keepAlive, #"{"type":"ka"}"#),
        (
            .legacyWS, .connectionError(ConnectionFailure(errorType: "T", message: "m")),
            #"{"type":"connection_error","payload":{"message":"m"}}"#
        ),
        (.appSync, .startAck(id: "1"), #"{"type":"start_ack","id":"1"}"#),
        (
            .appSync, .error(id: nil, errors: json(#"[{"message":"a"}]"#)),
            #"{"type":"error","payload":{"errors":[{"message":"a"}]}}"#
        ),
        (
            .appSync,
            .connectionError(ConnectionFailure(errorType: "T", message: "m", errorCode: 401)),
            #"{"type":"connection_error","payload":{"errors":"#
                + #"[{"errorType":"T","message":"m","errorCode":401}]}}"#
        ),
    ]

    @Test(arguments: written.indices)
    func `a server's message has exactly this form`(index: Int) {
        let (dialect, message, text) = Self.written[index]
        #expect(encoded(message, dialect) == text)
    }

    @Test func `AppSync's operation stands in a string`() {
        let request = OperationRequest(
            query: "{a}", variables: ["n": 1], authorization: ["x-api-key": "k"])
        #expect(
            encoded(ClientMessage.subscribe(id: "1", request), .appSync)
                == #"{"type":"start","id":"1","payload":{"data":"{\"query\":\"{a}\",\"variables\":"#
                + #"{\"n\":1}}","extensions":{"authorization":{"x-api-key":"k"}}}}"#)
    }

    @Test func `errors are understood in every shape that servers choose`() throws {
        let list = json(#"[{"message":"a"}]"#)
        let shapes: [(Dialect, String)] = [
            (.transportWS, #"[{"message":"a"}]"#), (.legacyWS, #"{"message":"a"}"#),
            (.legacyWS, #"[{"message":"a"}]"#), (.appSync, #"{"errors":[{"message":"a"}]}"#),
            (.appSync, #"{"errors":{"message":"a"}}"#), (.appSync, #"{"message":"a"}"#),
        ]
        for (dialect, payload) in shapes {
            let text = #"{"type":"error","id":"1","payload":\#(payload)}"#
            #expect(try decodeServer(text, dialect) == .error(id: "1", errors: list))
        }
        for payload in ["[]", "null", "3", #""text""#] {
            #expect(throws: MessageError(.badPayload, id: "1")) {
                try decodeServer(
                    #"{"type":"error","id":"1","payload":\#(payload)}"#, .transportWS)
            }
        }
    }

    @Test func `a refused connection is understood in every shape`() throws {
        let shapes: [(String, ConnectionFailure)] = [
            (#"{"message":"m"}"#, ConnectionFailure(message: "m")),
            (
                #"{"errors":[{"errorType":"T","message":"m","errorCode":400}]}"#,
                ConnectionFailure(errorType: "T", message: "m", errorCode: 400)
            ),
            (#"{"errors":{"message":"m"}}"#, ConnectionFailure(message: "m")),
            ("[]", ConnectionFailure(message: "the server refused the connection")),
            ("null", ConnectionFailure(message: "the server refused the connection")),
        ]
        for (payload, failure) in shapes {
            let text = #"{"type":"connection_error","payload":\#(payload)}"#
            #expect(try decodeServer(text, .legacyWS) == .connectionError(failure))
        }
    }

    @Test func `a client's message from a server is an error`() {
        let cases: [(Dialect, String)] = [
            (.transportWS, "subscribe"), (.transportWS, "connection_init"), (.legacyWS, "start"),
            (.legacyWS, "stop"), (.appSync, "connection_init"),
        ]
        for (dialect, type) in cases {
            #expect(throws: MessageError(.wrongDirection)) {
                try decodeServer(#"{"type":"\#(type)"}"#, dialect)
            }
        }
        #expect(throws: MessageError(.unknownType)) {
            try decodeServer(#"{"type":"starting"}"#, .appSync)
        }
    }
}
