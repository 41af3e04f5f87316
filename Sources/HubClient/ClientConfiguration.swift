public import Bytes
public import HTTP1
public import JSON
public import Loop

/// Everything that a client session is told at its start.
public struct ClientConfiguration: Sendable {
    /// Where the hub is.
    public var endpoint: Endpoint
    /// Whom to believe to be the hub, if the endpoint is secure.
    public var trust = TLSClientTrust.system
    /// Further fields of the upgrade request, for instance credentials.
    public var fields: [HTTPField] = []
    /// The payload of `connection_init`; the usual place of credentials.
    public var initPayload: JSONObject?
    /// Whether the session tries again without a single operation. By default a connection that
    /// nobody uses is not won back (B166); the next operation opens one.
    public var retriesWithoutOperations = false
    /// Whether a refusal of the credentials (close 4403) is retried, for owners that renew the
    /// credentials between attempts.
    public var retriesForbidden = false
    /// Attempts in a row without an acknowledgement after which the session gives up; nil: never.
    public var attemptsMax: Int?
    /// The waits between attempts.
    public var backOff = BackOff()
    /// From the attempt's start to the acknowledgement of the WebSocket upgrade.
    public var connectTimeoutNanoseconds: Int64 = 10_000_000_000
    /// From the upgrade to `connection_ack`.
    public var ackTimeoutNanoseconds: Int64 = 10_000_000_000
    /// Silence after which the server is asked for a sign of life.
    public var pingIntervalNanoseconds: Int64 = 12_000_000_000
    /// Silence after that question until the connection counts as dead.
    public var pongTimeoutNanoseconds: Int64 = 12_000_000_000
    /// Operations at once; more are refused.
    public var operationsMax = 100_000
    /// The longest message taken from the server, inflated.
    public var messageBytesMax = 16 * 1024 * 1024
    /// Whether permessage-deflate is offered: a server that agrees sends long messages compressed.
    /// Costs the client about 5 ns for each byte that it inflates.
    public var offersCompression = true
    /// Messages to the server that are shorter than this go uncompressed: there is little to gain.
    public var compressedMessageBytesMin = 1_024

    /// The defaults for a hub.
    public init(endpoint: Endpoint) { self.endpoint = endpoint }

    /// Sends an API key as `x-api-key`.
    public mutating func setAPIKey(_ key: Text) { setCredential("x-api-key", key) }

    /// Sends a credential in `connection_init` and as a field of the upgrade request.
    public mutating func setCredential(_ name: Text, _ value: Text) {
        var payload = initPayload ?? [:]
        payload[name] = .string(value)
        initPayload = payload
        fields.removeAll { $0.name == name }
        fields.append(HTTPField(name, value))
    }
}
