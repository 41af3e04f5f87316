/// Which end of an HTTP connection a session stands at.
public enum HTTPRole: Sendable, Hashable {
    /// Reads requests, writes responses.
    case server
    /// Reads responses, writes requests.
    case client
}
