public import Records

/// What a shard says. Implemented over the event loop by the server, over a simulated network
/// by the tests.
///
/// Every call returns at once; nothing calls back into the shard before the shard's own call
/// has returned. Lent bytes are copied before the call returns.
public protocol Outlet: AnyObject {
    /// Sends the four pieces, in order, with whatever else this turn sends to the connection.
    /// Returns how many bytes already wait because the peer does not read.
    func send(
        _ connection: UInt64, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
        _ third: UnsafeRawBufferPointer
    ) -> Int

    /// Asks for one call of `Shard.drained` as soon as the peer has taken all that was sent to it,
    /// never within a call of the shard.
    func awaitDrained(_ connection: UInt64)

    /// Closes the connection after what was sent has gone out, or at once.
    /// `Shard.closed` is not called for it.
    func close(_ connection: UInt64, flushing: Bool)

    /// Stops or goes on reading from the connection.
    func setReading(_ connection: UInt64, _ isReading: Bool)

    /// Hands requests to the store; the answers come to `Shard.answered` with the same ticket.
    /// Requests of one shard are carried out in the order of these calls.
    func ask(_ ticket: UInt64, _ requests: [StoreRequest])

    /// A limit was reached: the operator is to be told, now or with others of its kind.
    func reached(_ limit: ReachedLimit)

    /// The connection's first request has come: it is through its handshakes.
    func greeted(_ connection: UInt64)

    /// Has the numbers of all shards gathered; the page comes to `Shard.measured`.
    func measure(for connection: UInt64)

    /// Asks for a call of `Shard.woke` at this time; a later call replaces the time.
    func wake(atNanoseconds time: Int64)

    /// Tells the operator something, as a sentence. Seldom: see `Notice`.
    func notify(_ sentence: String)
}

extension Outlet {
    /// Nothing, where nobody asks for numbers.
    public func measure(for connection: UInt64) {}

    /// Nothing, where there is no operator.
    public func reached(_ limit: ReachedLimit) {}

    /// Nothing, where nobody counts them.
    public func greeted(_ connection: UInt64) {}

    /// Nothing, where there is no operator.
    public func notify(_ sentence: String) {}
}

/// When something was told, and how far the store had come by then.
public struct Moment: Sendable, Hashable {
    /// Monotonic time in nanoseconds, from any start.
    public var nanoseconds: Int64
    /// Time of day in milliseconds since 1970.
    public var wallMilliseconds: Int64
    /// The offset of the last change that the store had committed.
    public var committedOffset: UInt64

    /// A moment.
    public init(nanoseconds: Int64, wallMilliseconds: Int64, committedOffset: UInt64) {
        self.nanoseconds = nanoseconds
        self.wallMilliseconds = wallMilliseconds
        self.committedOffset = committedOffset
    }
}
