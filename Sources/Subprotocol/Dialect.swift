/// A way to speak GraphQL over a WebSocket: how the messages are written and which rules hold.
///
/// The room's central type. The hub decodes each text message with the connection's dialect and
/// forgets the dialect from there on; the client does the same with the roles exchanged.
///
///     let message = try dialect.decode(text, tape: &tape)      // ClientMessage
///     dialect.encode(.complete(id: id), into: &reply)          // ServerMessage
///
/// The messages of each are in one file: `TransportWS`, `LegacyWS`, `AppSync`.
public enum Dialect: Sendable, Hashable, CaseIterable {
    /// The protocol of the graphql-ws library; subprotocol name `graphql-transport-ws`.
    case transportWS
    /// The protocol of subscriptions-transport-ws; subprotocol name `graphql-ws`.
    case legacyWS
    /// AppSync's realtime variant of the legacy protocol; its subprotocol name is `graphql-ws` too.
    case appSync

    /// The name in `Sec-WebSocket-Protocol`.
    public var subprotocolName: StaticString {
        switch self {
        case .transportWS: "graphql-transport-ws"
        case .legacyWS, .appSync: "graphql-ws"
        }
    }

    /// Whether a subscription that has become live is told so by `start_ack`.
    public var acksSubscriptions: Bool { self == .appSync }

    /// Whether the server keeps the connection alive by `ka` messages: one right after the
    /// acknowledgement, then one every interval. The other dialect relies on WebSocket pings.
    public var sendsKeepAlive: Bool { self != .transportWS }

    /// Whether the acknowledgement tells `connectionTimeoutMs`. AppSync's clients need it. In
    /// the legacy dialect it does no harm, and the client may yet turn out to be AppSync's
    /// (see `following(_:)`).
    public var announcesTimeout: Bool { self != .transportWS }

    /// Whether `complete` is sent in answer to the client's `stop`: AppSync's clients wait for
    /// it, and the legacy reference ends the stopped operation's stream so.
    public var answersCompleteToStop: Bool { self != .transportWS }

    /// Whether an operation before the acknowledgement runs, under its own or the upgrade
    /// request's credentials: AppSync lets clients leave out `connection_init` (AppSync contract
    /// 1.4). Elsewhere it is a violation. The legacy reference lets it wait; no client library
    /// of that protocol sends one, and what waits for strangers is memory given to them.
    public var runsEarlyOperations: Bool { self == .appSync }

    /// Whether queries and mutations may be run over the socket, or subscriptions only.
    public var allowsQueries: Bool { self != .appSync }

    /// Whether an operation under an active id silently takes the place of the first one.
    public var duplicateReplaces: Bool { self == .legacyWS }

    /// Whether both sides may send `ping` and `pong` messages.
    public var hasPing: Bool { self == .transportWS }

    /// The dialect to go on with after `message`.
    ///
    /// AppSync's clients and legacy clients offer the same subprotocol name. Where neither the
    /// path nor the credentials in the upgrade request tell them apart (current amplify-swift
    /// sends credentials as plain request headers), the connection begins as legacy: up to the
    /// acknowledgement both read the same messages. A `start` with its operation in the string
    /// `payload.data` can only come from an AppSync client, and from then on it is one.
    public func following(_ message: ClientMessage) -> Dialect {
        guard self == .legacyWS, case .subscribe(_, let request) = message else { return self }
        return request.isDataString ? .appSync : self
    }
}
