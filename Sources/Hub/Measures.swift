/// The numbers of one shard at one moment, or of several added up: what `/metrics` shows.
///
/// Taken by the server from each shard when somebody asks, and never otherwise.
public struct Measures: Sendable, Hashable {
    /// What the shard has counted.
    public var counters = Counters()
    /// Queries and mutations that are being executed.
    public var operationsRunning = 0
    /// Bytes that wait for peers who read too slowly.
    public var bytesQueued = 0
    /// How often each limit was reached.
    public var limitsReached = LimitCounts()
    /// Bytes read from sockets.
    public var bytesReceived: UInt64 = 0
    /// Bytes taken by sockets.
    public var bytesSent: UInt64 = 0
    /// TLS handshakes that succeeded.
    public var handshakes: UInt64 = 0
    /// TLS handshakes that failed or took too long.
    public var handshakesFailed: UInt64 = 0
    /// Times that accepting paused for want of descriptors.
    public var acceptPauses: UInt64 = 0

    /// All zero.
    public init() {}

    /// Adds another shard's numbers.
    public mutating func add(_ other: Measures) {
        for series in MetricsPage.series { series.add(other, to: &self) }
        limitsReached.add(other.limitsReached)
    }
}

/// What the process as a whole knows of itself.
public struct ProcessMeasures: Sendable, Hashable {
    /// The hub's version.
    public var version: String
    /// Seconds since the hub was started.
    public var uptimeSeconds: Double
    /// Descriptors in use; nil if the system does not tell.
    public var openDescriptors: Int?
    /// Descriptors that the process may have.
    public var descriptorsMax: Int?
    /// Bytes of memory in use.
    public var residentBytes: Int?

    /// The numbers of a moment.
    public init(
        version: String, uptimeSeconds: Double, openDescriptors: Int?, descriptorsMax: Int?,
        residentBytes: Int?
    ) {
        self.version = version
        self.uptimeSeconds = uptimeSeconds
        self.openDescriptors = openDescriptors
        self.descriptorsMax = descriptorsMax
        self.residentBytes = residentBytes
    }
}
