import Bytes
public import JSON

/// Why something asked of a hub did not come about. The one error of the room's async face.
public struct HubError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: String, Sendable, Hashable {
        /// The URL is not one of a hub that can be reached from here.
        case badURL
        /// No connection could be made, or the hub ended it for good.
        case notConnected
        /// The hub refused the credentials.
        case forbidden
        /// The hub refused the operation; `errors` tells why.
        case refused
        /// A mutation was under way when the connection was lost; whether it took place is unknown.
        case outcomeUnknown
        /// Results came faster than they were taken.
        case tooSlow
        /// A result that is not JSON.
        case badResult
        /// The connection was closed, or the operation cancelled, by this program.
        case closedHere
    }

    /// What kind of failure it is.
    public var code: Code
    /// The failure in words.
    public var message: String
    /// The way out, if there is one.
    public var recovery: String?
    /// GraphQL errors that came with it.
    public var errors: [JSONValue]
    /// What lies beneath.
    public var underlying: (any Error)?

    /// An error.
    public init(
        _ code: Code, _ message: String, recovery: String? = nil, errors: [JSONValue] = [],
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.recovery = recovery
        self.errors = errors
        self.underlying = underlying
    }

    /// The message, then the way out.
    public var description: String { recovery.map { "\(message) (\($0))" } ?? message }

    /// Why a connection is not, for people who use sessions by themselves.
    public init(_ error: ClientError) {
        switch error {
        case .closed(4403, _), .upgradeRefused(401), .upgradeRefused(403):
            self.init(
                .forbidden, error.description, recovery: "check the API key", underlying: error)
        case .closedHere: self.init(.closedHere, error.description, underlying: error)
        default: self.init(.notConnected, error.description, underlying: error)
        }
    }

    init(_ failure: OperationFailure) {
        switch failure {
        case .refused(let bytes):
            let errors = (try? JSONValue(parsing: bytes.bytes))?.items ?? []
            let first = errors.first?["message"]?.text?.string ?? "the operation was refused"
            self.init(.refused, first, errors: errors, underlying: failure)
        case .outcomeUnknown(let error):
            self.init(
                .outcomeUnknown, failure.description,
                recovery: "look whether the record is there before trying again",
                underlying: error)
        case .sessionEnded(let error): self.init(error)
        }
    }
}
