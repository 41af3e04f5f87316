public import Bytes

/// A rule that a client broke or a limit that it met; `Dialect.reaction(to:)` knows the answer.
public enum Violation: Sendable, Hashable {
    /// A message that cannot be read.
    case badMessage(MessageError)
    /// A binary message; all dialects use text.
    case binaryMessage
    /// An operation before the acknowledgement, where the dialect does not wait.
    case operationBeforeAck(id: Text)
    /// A second `connection_init`.
    case secondInit
    /// No `connection_init` came in time.
    case initTimeout
    /// The credentials of the connection are missing, wrong or expired.
    case initUnauthorized
    /// The credentials in the upgrade request or in `connection_init` cannot be read.
    case initMalformed
    /// `connection_init` asks for something of the hub's own that it does not have; the sentence
    /// says what it has.
    case initOption(Text)
    /// The id belongs to an active operation.
    case duplicateID(Text)
    /// The identity may not run the operation.
    case operationUnauthorized(id: Text)
    /// AppSync: a query or mutation (the word is given) on the realtime channel.
    case operationUnsupported(id: Text, kind: Text)
    /// One more subscription than the connection may have.
    case tooManySubscriptions(id: Text, limit: Int)
    /// One more query or mutation than the connection may have in flight.
    case tooManyOperations(id: Text, limit: Int)
    /// More operations than the client may start in the time, or more than may wait.
    case rateLimited(id: Text?)
    /// None of the offered subprotocols is spoken here.
    case subprotocolNotAcceptable
    /// The client takes messages more slowly than they arise.
    case slowConsumer
    /// Not the client's doing: the server is about to stop, or the connection has reached its
    /// greatest age. The client is to come back, after these milliseconds if it can wait.
    case draining(retryMilliseconds: Int64)
    /// Not the client's doing: a fault of the server.
    case internalError
}

/// What the server does about a violation: messages to send, in order, then perhaps a close.
public struct Reaction: Sendable, Equatable {
    /// A WebSocket close code with its reason.
    public struct Close: Sendable, Hashable {
        /// The code (RFC 6455 §7.4 or of the dialect's 44xx range).
        public var code: UInt16
        /// The reason: at most 123 bytes of UTF-8 (RFC 6455 §5.5).
        public var reason: Text

        /// A close; a reason beyond 123 bytes is cut at a character's end.
        public init(_ code: UInt16, _ reason: Text) {
            self.code = code
            self.reason = reason.byteCount <= 123 ? reason : Reaction.Close.cut(reason)
        }

        private static func cut(_ reason: Text) -> Text {
            var count = 0
            var kept = String.UnicodeScalarView()
            for scalar in reason.string.unicodeScalars {
                count += UTF8.width(scalar)
                if count > 123 { break }
                kept.append(scalar)
            }
            return Text(String(kept))
        }

        /// The orderly end, for instance after `connection_terminate`.
        public static let normal = Close(1000, "Normal Closure")
    }

    /// What is sent first.
    public var messages: [ServerMessage]
    /// How the connection is closed; nil if it stays open.
    public var close: Close?

    /// A reaction.
    public init(_ messages: [ServerMessage] = [], close: Close? = nil) {
        self.messages = messages
        self.close = close
    }

    /// A close without a message before it.
    static func close(_ code: UInt16, _ reason: Text) -> Reaction {
        Reaction(close: Close(code, reason))
    }

    /// Nothing is said.
    static let none = Reaction()
}
