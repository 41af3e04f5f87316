public import Bytes
public import JSON

/// What a server says, in any dialect.
///
/// A dialect lacks some of them; `Dialect.has(_:)` tells. Results and errors are JSON bytes:
/// they were written once and are not looked into again.
public enum ServerMessage: Sendable, Equatable {
    /// Accepts the connection.
    case connectionAck(payload: JSONObject?)
    /// Refuses the connection, or (legacy) a message that could not be read.
    case connectionError(ConnectionFailure)
    /// `ka`: the connection lives.
    case keepAlive
    /// AppSync: the subscription is live.
    case startAck(id: Text)
    /// One result: a whole response object.
    case next(id: Text, payload: ByteQueue)
    /// The operation failed and is over. `errors` is a JSON list of at least one GraphQL error.
    /// AppSync and legacy send it without an id for messages that belong to no operation.
    case error(id: Text?, errors: ByteQueue)
    /// The operation is over.
    case complete(id: Text)
    /// Asks for a `pong`.
    case ping(payload: JSONObject?)
    /// Answers a `ping` with its payload.
    case pong(payload: JSONObject?)
}

/// Why a connection was refused.
public struct ConnectionFailure: Error, Sendable, Hashable {
    /// AppSync's name for the kind of failure, such as `UnauthorizedException`.
    public var errorType: Text?
    /// The failure in words.
    public var message: Text
    /// AppSync's number for it, after the HTTP status codes.
    public var errorCode: Int?

    /// A failure.
    public init(errorType: Text? = nil, message: Text, errorCode: Int? = nil) {
        self.errorType = errorType
        self.message = message
        self.errorCode = errorCode
    }
}
