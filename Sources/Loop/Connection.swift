/// One connection of a loop: a plain value of 56 bytes in the slab, with nothing on the heap while
/// it is idle.
struct Connection: BitwiseCopyable {
    enum State: UInt8, BitwiseCopyable {
        /// No connection; the slot waits in the free list. Zero, because fresh memory is zero.
        case free
        /// The host's name is being looked up; there is no descriptor yet.
        case resolving
        /// Waits for the other end to accept.
        case connecting
        /// The TLS handshake is under way.
        case securing
        /// Bytes go both ways.
        case open
        /// We close: the last bytes are on their way, what comes is thrown away.
        case flushing
        /// We close: all is sent and our side is shut, the peer's last bytes are thrown away.
        case lingering
        /// Over; the turn's end closes the descriptor and tells the handler.
        case ended
    }

    /// Marks the end of a list of indices.
    static let none = UInt32.max

    var descriptor: Int32
    /// Counts the slot's connections, so that a handle kept too long names nothing. Never 0 in use.
    var generation: UInt32
    var state: State
    /// What the poller waits for at present.
    var interest: Interest
    var isReadPaused: Bool
    var isPeerFinished: Bool
    /// Whether the handler is to be told once the socket takes more, though nothing waits.
    var isRoomAwaited: Bool
    /// Whether the connection is in this turn's list of connections to flush.
    var isTouched: Bool
    /// The next in the list of touched, or of free, slots.
    var next: UInt32
    /// This turn's bytes: a chain of the outbox's segments.
    var firstSegment: UInt32
    var lastSegment: UInt32
    var queuedBytes: Int32
    /// Bytes thrown away since we began to close.
    var discardedBytes: Int32
    /// What the socket did not take; nil for nearly everyone nearly always.
    var backlog: UnsafeMutablePointer<Backlog>?
    /// The TLS session; nil for a connection in the clear.
    var channel: UnsafeMutablePointer<TLSChannel>?
}
