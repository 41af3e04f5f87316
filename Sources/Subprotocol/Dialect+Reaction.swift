import Bytes
import JSON

extension Dialect {
    /// What the server does about a violation, with the codes and texts that the dialect's
    /// clients look for.
    ///
    /// Closes that the client is meant to survive carry a code after which its library
    /// reconnects: 1012 or 1013 for graphql-ws, 1008 or 1011 for amplify-swift, which takes 1001
    /// for the end (AppSync contract 1.5). Everything else carries one that it does not retry.
    public func reaction(to violation: Violation) -> Reaction {
        if let error = violation.operationError { return Reaction([operationError(error)]) }
        switch self {
        case .transportWS: return transportReaction(to: violation)
        case .legacyWS: return legacyReaction(to: violation)
        case .appSync: return appSyncReaction(to: violation)
        }
    }

    private func transportReaction(to violation: Violation) -> Reaction {
        switch violation {
        case .badMessage(let error):
            .close(4400, Text("Invalid message received: \(error.description)"))
        case .binaryMessage: .close(4400, "Invalid message received: not a text message")
        case .operationBeforeAck: .close(4401, "Unauthorized")
        case .secondInit: .close(4429, "Too many initialisation requests")
        case .initTimeout: .close(4408, "Connection initialisation timeout")
        case .initUnauthorized: .close(4403, "Forbidden")
        case .initMalformed: .close(4400, "Invalid message received: credentials cannot be read")
        case .initOption(let message): .close(4400, Text("Invalid message received: \(message)"))
        case .duplicateID(let id): .close(4409, Violation.duplicateText(id, bytesMax: 123))
        case .rateLimited: .close(1013, "Try Again Later: rate limit exceeded")
        case .subprotocolNotAcceptable: .close(4406, "Subprotocol not acceptable")
        case .slowConsumer: .close(1013, "Try Again Later: messages were taken too slowly")
        case .draining(let wait): .close(1012, RetryHint.text("Service Restart", wait))
        case .internalError: .close(4500, "Internal server error")
        case .operationUnauthorized, .operationUnsupported, .tooManySubscriptions,
            .tooManyOperations:
            .none
        }
    }

    private func legacyReaction(to violation: Violation) -> Reaction {
        switch violation {
        case .badMessage(let error):
            // The reference answers `error` where it knows the operation or just the type is
            // strange, else `connection_error`; the socket stays open.
            switch error.kind {
            case .unknownType, .wrongDirection:
                Reaction([failure("Invalid message type!", id: error.id)])
            default:
                error.id.map { Reaction([failure(Text(error.description), id: $0)]) }
                    ?? Reaction([refusal(Text(error.description))])
            }
        case .binaryMessage: Reaction([refusal("not a text message")])
        case .operationBeforeAck:
            Reaction(
                [refusal("the operation came before connection_init")],
                close: Reaction.Close(4401, "Unauthorized"))
        case .secondInit: .close(4429, "Too many initialisation requests")
        case .initTimeout: .close(4408, "Connection initialisation timeout")
        case .initUnauthorized:
            Reaction([refusal("Forbidden")], close: Reaction.Close(1011, "Forbidden"))
        case .initMalformed:
            Reaction(
                [refusal("the credentials cannot be read")],
                close: Reaction.Close(1011, "Bad Request"))
        case .initOption(let message):
            Reaction([refusal(message)], close: Reaction.Close(4400, message))
        case .rateLimited: .close(1013, "Try Again Later: rate limit exceeded")
        case .subprotocolNotAcceptable: .close(1002, "Subprotocol not acceptable")
        case .slowConsumer: .close(1013, "Try Again Later: messages were taken too slowly")
        case .draining(let wait): .close(1012, RetryHint.text("Service Restart", wait))
        case .internalError: .close(1011, "Internal server error")
        // The first operation under the id is replaced in silence (`duplicateReplaces`).
        case .duplicateID, .operationUnauthorized, .operationUnsupported, .tooManySubscriptions,
            .tooManyOperations:
            .none
        }
    }

    private func appSyncReaction(to violation: Violation) -> Reaction {
        switch violation {
        case .badMessage(let error):
            switch error.kind {
            case .unknownType, .wrongDirection:
                Reaction([
                    failure(
                        "unknown not supported through the realtime channel", id: error.id,
                        type: "UnsupportedOperation")
                ])
            default:
                Reaction([
                    failure(Text(error.description), id: error.id, type: "BadRequestException")
                ])
            }
        case .binaryMessage:
            Reaction([failure("not a text message", id: nil, type: "BadRequestException")])
        case .operationBeforeAck(let id):
            Reaction([failure(Violation.unauthorizedText, id: id, type: "UnauthorizedException")])
        case .secondInit:
            Reaction(
                [refusal("Too many initialisation requests", type: "BadRequestException", 400)],
                close: Reaction.Close(4429, "Too many initialisation requests"))
        case .initTimeout: .close(4408, "Connection initialisation timeout")
        case .initUnauthorized:
            Reaction(
                [refusal(Violation.unauthorizedText, type: "UnauthorizedException", 401)],
                close: Reaction.Close(4401, "Unauthorized"))
        case .initMalformed:
            Reaction(
                [refusal("the credentials cannot be read", type: "BadRequestException", 400)],
                close: Reaction.Close(4400, "Bad Request"))
        case .initOption(let message):
            Reaction(
                [refusal(message, type: "BadRequestException", 400)],
                close: Reaction.Close(4400, message))
        case .subprotocolNotAcceptable:
            Reaction(
                [refusal("SubProtocolNotSupportedError", 400)],
                close: Reaction.Close(4406, "Subprotocol not acceptable"))
        case .rateLimited:
            Reaction([failure("Rate limit exceeded", id: nil, type: "LimitExceededError")])
        case .slowConsumer: .close(1008, "messages were taken too slowly")
        case .draining(let wait): .close(1011, RetryHint.text("Service Restart", wait))
        case .internalError: .close(1011, "Internal server error")
        case .duplicateID(let id):
            Reaction([
                failure(
                    Violation.duplicateText(id, bytesMax: 256), id: id,
                    type: "DuplicatedOperationError")
            ])
        case .operationUnauthorized, .operationUnsupported, .tooManySubscriptions,
            .tooManyOperations:
            .none
        }
    }
}

extension Violation {
    static let unauthorizedText: Text = "You are not authorized to make this call."

    /// The reference's sentence, with the id cut so that it fits a close frame.
    static func duplicateText(_ id: Text, bytesMax: Int) -> Text {
        let room = bytesMax - "Subscriber for  already exists".utf8.count
        var shown = String.UnicodeScalarView()
        var count = 0
        for scalar in id.string.unicodeScalars {
            count += UTF8.width(scalar)
            if count > room { break }
            shown.append(scalar)
        }
        return Text("Subscriber for \(String(shown)) already exists")
    }

    /// An error of one operation only, which all dialects report by `error` with its id.
    fileprivate var operationError: (id: Text, type: Text, message: Text)? {
        switch self {
        case .operationUnauthorized(let id):
            (id, "UnauthorizedException", Violation.unauthorizedText)
        case .operationUnsupported(let id, let kind):
            (id, "UnsupportedOperation", Text("\(kind) not supported through the realtime channel"))
        case .tooManySubscriptions(let id, let limit):
            (
                id, "MaxSubscriptionsReachedError",
                Text("Max number of \(limit) subscriptions reached")
            )
        case .tooManyOperations(let id, let limit):
            (
                id, "LimitExceededError",
                Text("\(limit) operations are in flight on this connection, the most it may have")
            )
        case .rateLimited(let id?): (id, "LimitExceededError", "Rate limit exceeded")
        default: nil
        }
    }
}

extension Dialect {
    /// One error as an `error` message. AppSync's `errorType` stands beside `message`; the open
    /// protocols know `extensions` only (GraphQL specification §7.1.2).
    private func failure(_ message: Text, id: Text?, type: Text? = nil) -> ServerMessage {
        var entry: JSONObject = ["message": .string(message)]
        if let type {
            if self == .appSync {
                entry = ["errorType": .string(type), "message": .string(message)]
            } else {
                entry.append("extensions", ["errorType": .string(type)])
            }
        }
        var errors = ByteQueue()
        errors.append(json: [.object(entry)])
        return .error(id: id, errors: errors)
    }

    private func operationError(_ error: (id: Text, type: Text, message: Text)) -> ServerMessage {
        failure(error.message, id: error.id, type: error.type)
    }

    private func refusal(
        _ message: Text, type: Text? = nil, _ code: Int? = nil
    ) -> ServerMessage {
        .connectionError(ConnectionFailure(errorType: type, message: message, errorCode: code))
    }
}
