public import Bytes
public import Subprotocol

/// Why a connection or an attempt at one ended.
public enum ClientError: Error, Sendable, Hashable {
    /// The network gave the connection up; the driver's reason, if it had one.
    case connectionLost(Text?)
    /// No connection, or no answer to the upgrade, in time.
    case connectTimeout
    /// No `connection_ack` in time (close 4504).
    case ackTimeout
    /// No sign of life in time (close 4499).
    case silence
    /// The server closed the WebSocket; 1005 stands for a close without a code.
    case closed(code: UInt16, reason: Text)
    /// The server answered the upgrade with another status than 101.
    case upgradeRefused(status: Int)
    /// The answer to the upgrade breaks the rules of HTTP or RFC 6455.
    case badHandshake(Text)
    /// The server broke the rules of RFC 6455 and was told this close code.
    case badFrame(code: UInt16, reason: Text)
    /// A message that graphql-transport-ws does not allow (close 4004).
    case badMessage(MessageError)
    /// The owner ended the connection.
    case closedHere
    /// One more operation than `ClientConfiguration.operationsMax`.
    case tooManyOperations(limit: Int)

    /// Whether another attempt may succeed where this one failed. Follows the graphql-ws client:
    /// of the codes 1002 to 1999 only 1005, 1006 and 1012 to 1014 are worth one, and the server's
    /// verdicts on what the client does (4400, 4401, 4409 …) are final.
    public func isRetryable(_ configuration: ClientConfiguration) -> Bool {
        switch self {
        case .connectionLost, .connectTimeout, .ackTimeout, .silence: true
        case .closed(let code, _):
            switch code {
            case 1000, 1001, 1005, 1006, 1012, 1013, 1014: true
            case 1002...1999: false
            case 4004, 4005, 4400, 4401, 4406, 4409, 4429, 4500: false
            case 4403: configuration.retriesForbidden
            default: true
            }
        case .upgradeRefused(let status): status >= 500 || status == 429 || status == 408
        case .badHandshake, .badFrame, .badMessage, .closedHere, .tooManyOperations: false
        }
    }
}

extension ClientError: CustomStringConvertible {
    /// A sentence for the person at the terminal.
    public var description: String {
        switch self {
        case .connectionLost(let reason):
            reason.map { "the connection was lost: \($0)" } ?? "the connection was lost"
        case .connectTimeout: "the server did not answer the upgrade to WebSocket in time"
        case .ackTimeout: "the server did not acknowledge the connection in time"
        case .silence: "the server gave no sign of life in time"
        case .closed(let code, let reason):
            "the server closed the connection with code \(code)"
                + (reason.isEmpty ? "" : ": \(reason)")
        case .upgradeRefused(let status):
            "the server refused the upgrade to WebSocket with status \(status)"
        case .badHandshake(let what): "the server's answer to the upgrade is not valid: \(what)"
        case .badFrame(let code, let reason):
            "the server broke the WebSocket protocol (\(code)): \(reason)"
        case .badMessage(let error): "the server sent an invalid message: \(error)"
        case .closedHere: "the connection was closed by this program"
        case .tooManyOperations(let limit):
            "more than \(limit) operations at once (ClientConfiguration.operationsMax)"
        }
    }
}

/// Why an operation ended without completing.
public enum OperationFailure: Error, Sendable, Equatable {
    /// The server refused it: a JSON list of GraphQL errors.
    case refused(errors: ByteQueue)
    /// A mutation was under way when the connection was lost. Whether it took place is unknown;
    /// it is not repeated.
    case outcomeUnknown(ClientError)
    /// The session has ended; the operation was not sent, or it listened.
    case sessionEnded(ClientError)
}

extension OperationFailure: CustomStringConvertible {
    /// A sentence for the person at the terminal; a refusal in the server's own words.
    public var description: String {
        switch self {
        case .refused(let errors): String(decoding: errors.array, as: UTF8.self)
        case .outcomeUnknown(let error): "\(error); whether the mutation took place is unknown"
        case .sessionEnded(let error): error.description
        }
    }
}
