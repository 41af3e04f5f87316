/// What a shard has counted since its start. Plain numbers; the server adds the shards up.
public struct Counters: Sendable, Hashable {
    /// Connections accepted.
    public var connectionsOpened: UInt64 = 0
    /// Connections that are open now.
    public var connectionsOpen: Int = 0
    /// Subscriptions that are live now.
    public var subscriptionsLive: Int = 0
    /// Requests over HTTP.
    public var requests: UInt64 = 0
    /// Operations started, subscriptions included.
    public var operations: UInt64 = 0
    /// Requests that named a document by id or hash, and it was there.
    public var documentsFound: UInt64 = 0
    /// Requests that named a document that was not there.
    public var documentsMissed: UInt64 = 0
    /// Documents remembered under their hashes.
    public var documentsRemembered: UInt64 = 0
    /// Documents refused because only the operator's are run.
    public var documentsRefused: UInt64 = 0
    /// Changes told to this shard.
    public var changes: UInt64 = 0
    /// Events executed, once per group.
    public var events: UInt64 = 0
    /// Events sent to subscribers.
    public var deliveries: UInt64 = 0
    /// Payloads compressed: an event's once, for however many subscribers.
    public var compressions: UInt64 = 0
    /// Connections refused for lack of credentials.
    public var unauthorized: UInt64 = 0
    /// Sockets and preflights refused to web pages of other origins.
    public var originsRefused: UInt64 = 0
    /// Requests refused because they were for a name that is not the hub's.
    public var misdirected: UInt64 = 0
    /// Connections closed because they read too slowly.
    public var slowConsumers: UInt64 = 0
    /// Events dropped because their subscriber read too slowly and wants it so.
    public var eventsDropped: UInt64 = 0
    /// Events replaced by newer ones of their records before a slow subscriber had read them.
    public var eventsReplaced: UInt64 = 0
    /// Bytes of events that are parked for slow subscribers now.
    public var parkedBytes: Int = 0
    /// Connections closed for breaking a protocol's rules.
    public var protocolErrors: UInt64 = 0
    /// Connections dropped because nothing came from them for too long.
    public var timeouts: UInt64 = 0
    /// Subscriptions ended because events waited beyond the limit.
    public var groupsOverrun: UInt64 = 0

    /// All zero.
    public init() {}
}
