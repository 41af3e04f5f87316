import Bytes
import JSON
import Subprotocol
import Testing

struct ReactionTests {
    /// A reaction in one line: the messages, then the close.
    private func line(_ violation: Violation, _ dialect: Dialect) -> String {
        let reaction = dialect.reaction(to: violation)
        var parts = reaction.messages.map { encoded($0, dialect) }
        if let close = reaction.close { parts.append("\(close.code) \(close.reason)") }
        return parts.joined(separator: " | ")
    }

    static let transport: [(Violation, String)] = [
        (.operationBeforeAck(id: "1"), "4401 Unauthorized"),
        (.secondInit, "4429 Too many initialisation requests"),
        (.initTimeout, "4408 Connection initialisation timeout"),
        (.initUnauthorized, "4403 Forbidden"),
        (.initMalformed, "4400 Invalid message received: credentials cannot be read"),
        (.initOption("x takes y"), "4400 Invalid message received: x takes y"),
        (.duplicateID("a1"), "4409 Subscriber for a1 already exists"),
        (.binaryMessage, "4400 Invalid message received: not a text message"),
        (.subprotocolNotAcceptable, "4406 Subprotocol not acceptable"),
        (.draining(retryMilliseconds: 2417), "1012 Service Restart; retry after 2417 ms"),
        (.slowConsumer, "1013 Try Again Later: messages were taken too slowly"),
        (.rateLimited(id: nil), "1013 Try Again Later: rate limit exceeded"),
        (.internalError, "4500 Internal server error"),
        (
            .operationUnauthorized(id: "1"),
            #"{"type":"error","id":"1","payload":[{"message":"You are not authorized to make this "#
                + #"call.","extensions":{"errorType":"UnauthorizedException"}}]}"#
        ),
        (
            .tooManySubscriptions(id: "1", limit: 100),
            #"{"type":"error","id":"1","payload":[{"message":"Max number of 100 subscriptions "#
                + #"reached","extensions":{"errorType":"MaxSubscriptionsReachedError"}}]}"#
        ),
        (
            .tooManyOperations(id: "1", limit: 100),
            #"{"type":"error","id":"1","payload":[{"message":"100 operations are in flight on "#
                + #"this connection, the most it may have","#
                + #""extensions":{"errorType":"LimitExceededError"}}]}"#
        ),
        (
            .rateLimited(id: "1"),
            #"{"type":"error","id":"1","payload":[{"message":"Rate limit exceeded","#
                + #""extensions":{"errorType":"LimitExceededError"}}]}"#
        ),
    ]

    static let legacy: [(Violation, String)] = [
        (
            .badMessage(MessageError(.unknownType, id: "1")),
            #"{"type":"error","id":"1","payload":{"message":"Invalid message type!"}}"#
        ),
        (
            .badMessage(MessageError(.wrongDirection)),
            #"{"type":"error","payload":{"message":"Invalid message type!"}}"#
        ),
        (
            .badMessage(MessageError(.notObject)),
            #"{"type":"connection_error","payload":{"message":"the message is not a JSON object"}}"#
        ),
        (
            .badMessage(MessageError(.badPayload, id: "1")),
            #"{"type":"error","id":"1","payload":{"message":"'payload' is missing or of the "#
                + #"wrong kind"}}"#
        ),
        (
            .initUnauthorized,
            #"{"type":"connection_error","payload":{"message":"Forbidden"}} | 1011 Forbidden"#
        ),
        (.duplicateID("1"), ""), (.subprotocolNotAcceptable, "1002 Subprotocol not acceptable"),
        (.initTimeout, "4408 Connection initialisation timeout"),
        (
            .initOption("x takes y"),
            #"{"type":"connection_error","payload":{"message":"x takes y"}} | 4400 x takes y"#
        ),
        (.draining(retryMilliseconds: 2417), "1012 Service Restart; retry after 2417 ms"),
    ]

    static let appSync: [(Violation, String)] = [
        (
            .initUnauthorized,
            #"{"type":"connection_error","payload":{"errors":[{"errorType":"#
                + #""UnauthorizedException","#
                + #""message":"You are not authorized to make this call.","errorCode":401}]}}"#
                + " | 4401 Unauthorized"
        ),
        (
            .initMalformed,
            #"{"type":"connection_error","payload":{"errors":[{"errorType":"BadRequestException","#
                + #""message":"the credentials cannot be read","errorCode":400}]}}"#
                + " | 4400 Bad Request"
        ),
        (
            .initOption("x takes y"),
            #"{"type":"connection_error","payload":{"errors":[{"errorType":"BadRequestException","#
                + #""message":"x takes y","errorCode":400}]}} | 4400 x takes y"#
        ),
        (
            .subprotocolNotAcceptable,
            #"{"type":"connection_error","payload":{"errors":[{"message":"#
                + #""SubProtocolNotSupportedError","errorCode":400}]}}"#
                + " | 4406 Subprotocol not acceptable"
        ),
        (
            .badMessage(MessageError(.unknownType)),
            #"{"type":"error","payload":{"errors":[{"errorType":"UnsupportedOperation","#
                + #""message":"unknown not supported through the realtime channel"}]}}"#
        ),
        (
            .operationUnsupported(id: "1", kind: "mutation"),
            #"{"type":"error","id":"1","payload":{"errors":[{"errorType":"UnsupportedOperation","#
                + #""message":"mutation not supported through the realtime channel"}]}}"#
        ),
        (
            .tooManySubscriptions(id: "1", limit: 100),
            #"{"type":"error","id":"1","payload":{"errors":[{"errorType":"#
                + #""MaxSubscriptionsReachedError","message":"#
                + #""Max number of 100 subscriptions reached"}]}}"#
        ),
        (
            .rateLimited(id: nil),
            #"{"type":"error","payload":{"errors":[{"errorType":"LimitExceededError","#
                + #""message":"Rate limit exceeded"}]}}"#
        ),
        (
            .duplicateID("1"),
            #"{"type":"error","id":"1","payload":{"errors":[{"errorType":"#
                + #""DuplicatedOperationError","message":"Subscriber for 1 already exists"}]}}"#
        ),
        (.draining(retryMilliseconds: 0), "1011 Service Restart; retry after 0 ms"),
        (.slowConsumer, "1008 messages were taken too slowly"),
        (.initTimeout, "4408 Connection initialisation timeout"),
    ]

    @Test func `each dialect answers a violation in its clients' words`() {
        for (dialect, table) in [
            (Dialect.transportWS, Self.transport), (.legacyWS, Self.legacy),
            (.appSync, Self.appSync),
        ] {
            for (violation, expected) in table {
                #expect(line(violation, dialect) == expected)
            }
        }
    }

    /// Every violation, with ids long enough to overflow a close frame.
    static let all: [Violation] = {
        let long = Text(String(repeating: "é€😀", count: 60))
        let kinds: [MessageError.Kind] = [
            .notJSON(jsonFault("[1,\"\u{1}")), .notJSON(jsonFault("")), .notObject,
            .noType, .unknownType, .wrongDirection, .badID, .badPayload,
            .badOperation("operationName"),
        ]
        return kinds.flatMap { kind in
            [.badMessage(MessageError(kind)), .badMessage(MessageError(kind, id: long))]
        } + [
            .binaryMessage, .operationBeforeAck(id: long), .secondInit, .initTimeout,
            .initUnauthorized, .initMalformed, .initOption(long), .duplicateID(long),
            .operationUnauthorized(id: long), .operationUnsupported(id: long, kind: "query"),
            .tooManySubscriptions(id: long, limit: 1), .rateLimited(id: nil),
            .rateLimited(id: long), .subprotocolNotAcceptable, .slowConsumer,
            .draining(retryMilliseconds: .max),
            .internalError,
        ]
    }()

    @Test(arguments: Dialect.allCases)
    func `every reaction is legal on the wire`(dialect: Dialect) throws {
        for violation in Self.all {
            let reaction = dialect.reaction(to: violation)
            for message in reaction.messages {
                #expect(dialect.has(message))
                #expect(try decodeServer(encoded(message, dialect), dialect) == message)
            }
            let silent = dialect == .legacyWS && violation.isDuplicate
            #expect(reaction.close != nil || !reaction.messages.isEmpty || silent)
            if let close = reaction.close {
                #expect(close.reason.byteCount <= 123)
                #expect((1000...1013).contains(close.code) || (4000...4999).contains(close.code))
            }
        }
    }

    @Test func `a long reason is cut at a character's end`() {
        let close = Reaction.Close(4400, Text(String(repeating: "€", count: 60)))
        #expect(close.reason == Text(String(repeating: "€", count: 41)))
        let duplicate = Dialect.transportWS.reaction(
            to: .duplicateID(Text(String(repeating: "x", count: 200))))
        #expect(duplicate.close?.reason.byteCount == 123)
        #expect(duplicate.close?.reason.string.hasSuffix(" already exists") == true)
    }

    @Test func `a close frame's reason tells when to come again`() {
        for dialect in Dialect.allCases {
            let close = dialect.reaction(to: .draining(retryMilliseconds: 3_600_000)).close
            #expect(close.flatMap { RetryHint.milliseconds(in: $0.reason) } == 3_600_000)
        }
        let others: [Text] = [
            "", "Service Restart", "retry after 5 ms", "x; retry after ms", "x; retry after  ms",
            "x; retry after 5", "x; retry after -5 ms", "x; retry after 5 ms.",
            "x; retry after 99999999999999999999 ms", "x; retry after \u{0663} ms",
        ]
        for reason in others { #expect(RetryHint.milliseconds(in: reason) == nil, "\(reason)") }
    }

    @Test func `closes to be survived carry codes after which clients come back`() {
        // graphql-ws retries neither 1002...1011 nor its own fatal codes; amplify-swift comes
        // back after 1006, 1008 and 1011 only.
        for violation in [Violation.draining(retryMilliseconds: 1), .slowConsumer] {
            for dialect in [Dialect.transportWS, .legacyWS] {
                let code = dialect.reaction(to: violation).close?.code
                #expect(code == 1012 || code == 1013)
            }
            let code = Dialect.appSync.reaction(to: violation).close?.code
            #expect(code == 1008 || code == 1011)
        }
    }
}

extension Violation {
    fileprivate var isDuplicate: Bool {
        if case .duplicateID = self { true } else { false }
    }
}
