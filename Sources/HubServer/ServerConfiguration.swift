public import Access
public import Hub
public import Loop

/// What an operator decides about a hub before it starts.
public struct ServerConfiguration: Sendable {
    /// Where the records are kept.
    public enum Storage: Sendable, Hashable {
        /// In memory: gone with the process.
        case memory
        /// In a folder, by SQLite.
        case folder(String)
    }

    /// The address to listen on, as numbers: `127.0.0.1`, `::1`, `0.0.0.0`.
    public var host: String
    /// The port; 0 lets the system choose.
    public var port: UInt16
    /// Where the records are kept.
    public var storage: Storage
    /// Who gets in.
    public var access: AccessPolicy
    /// Which web pages may use the hub, and under which names it is asked.
    public var site = SiteRules()
    /// Which documents are run, and which statuses tell of their errors.
    public var rules = OperationRules()
    /// How many shards, each with a queue of its own; at least 1.
    public var shards: Int
    /// The limits of each shard.
    public var limits: Limits
    /// What is done about subscribers that read too slowly and do not choose for themselves.
    public var slowConsumerPolicy = SlowConsumerPolicy.close
    /// Seconds over which a stopping hub spreads the ends of its connections.
    public var drainSeconds: Int64
    /// Whether clients may ask for the schema, and are told its names when they misspell one.
    public var showsSchema = true
    /// The hub's version, for `/metrics`.
    public var version = "unknown"
    /// Has the port speak TLS and nothing else.
    public var tls: TLSServerIdentity?
    /// Told what an operator should know while the hub runs, a sentence at a time and from any
    /// queue: the disk is full, a web page was refused. Silent by default.
    public var report: @Sendable (String) -> Void = { _ in }

    /// A configuration.
    public init(
        host: String, port: UInt16, storage: Storage, access: AccessPolicy, shards: Int,
        limits: Limits = Limits(), drainSeconds: Int64 = 10
    ) {
        self.host = host
        self.port = port
        self.storage = storage
        self.access = access
        self.shards = shards
        self.limits = limits
        self.drainSeconds = drainSeconds
    }
}

/// Why a hub does not start: a sentence that names the thing and the way out.
public struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    /// An error.
    public init(_ description: String) { self.description = description }
}
