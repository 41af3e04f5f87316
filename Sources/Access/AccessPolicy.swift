/// Who gets in: decided once at the start of the hub and asked for each request and operation.
public enum AccessPolicy: Sendable {
    /// Everybody (`--no-auth`).
    case open
    /// Whoever shows this key.
    case apiKey(APIKey)

    /// What the holder of these credentials may do.
    ///
    /// All ways in ask here: HTTP requests, the handshakes of all dialects and each AppSync
    /// `start`.
    ///
    /// - Throws: `AccessRefusal`, the peer's fault.
    public func permit(for credentials: Credentials) throws(AccessRefusal) -> Permit {
        switch self {
        case .open: return .full
        case .apiKey(let key):
            guard let given = credentials.apiKey else { throw .keyMissing }
            guard key.matches(given) else { throw .keyWrong }
            return .full
        }
    }
}

/// A peer that is not let in, in the words it is told.
public enum AccessRefusal: Error, Hashable, CustomStringConvertible {
    /// No API key was given at all.
    case keyMissing
    /// A key was given that is not the hub's.
    case keyWrong

    /// The class of the error for clients (AppSync contract 1.6 and 2.2).
    public var errorType: String { "UnauthorizedException" }

    /// What the peer is told; begins with AppSync's own sentence. Shows nothing of the key.
    public var message: String {
        switch self {
        case .keyMissing:
            "You are not authorized to make this call: no API key was given (x-api-key)."
        case .keyWrong:
            "You are not authorized to make this call: the API key is not the one of this hub."
        }
    }

    /// The message.
    public var description: String { message }
}
