/// Every bound of one loop, with its unit in its name.
public struct LoopLimits: Sendable, Hashable {
    /// Bytes of the one buffer that all connections are read into; the most one `received` lends
    /// (with TLS a record more: 17 KiB).
    public var readBufferBytes = 64 * 1024
    /// Bytes written within one turn that are gathered before they are flushed early. Room for
    /// a burst of many messages to many peers, which then shares its sends; taken when needed.
    public var arenaBytes = 8 * 1024 * 1024
    /// Bytes that may wait for one slow peer. One byte more ends the connection; an owner with a
    /// gentler rule looks at `EventLoop.backlogBytes` and acts before.
    public var backlogBytesMax = 16 * 1024 * 1024
    /// Connections of one loop, outgoing ones included. At the limit the listeners pause.
    public var connectionsMax = 1_000_000
    /// Connections accepted from one listener before other events have their turn.
    public var acceptsPerTurn = 64
    /// Events taken from the kernel in one turn.
    public var eventsPerWait = 512
    /// How long a loop waits for more before it parks in Dispatch. Longer than the scheduler's
    /// tick on purpose: a shorter wait has the kernel set a timer of its own for every lone
    /// message, which then costs half as much again. Nobody is kept waiting: posts ring a bell.
    public var lingerMilliseconds: Int32 = 20
    /// Turns before a busy loop goes back to Dispatch, so that its queue's other work can run.
    public var turnsMax = 64
    /// How long the listeners rest when the process has no free descriptor.
    public var acceptPauseMilliseconds = 100
    /// How long a TLS handshake may take.
    public var handshakeMilliseconds = 10_000
    /// How long a connection that is being closed may take none of its last bytes.
    public var closeMilliseconds = 2_000
    /// How long it may go on taking them: on a slow link the largest answer takes minutes.
    public var closeMillisecondsMax = 300_000
    /// Bytes waiting for overdue peers that are given up in one turn; the next portion follows a
    /// millisecond later.
    public var releasedBytesPerTurn = 4 * 1024 * 1024
    /// Bytes of a closing peer that are read and thrown away, so that it sees our last bytes
    /// rather than a reset.
    public var discardedBytesMax = 1024 * 1024
    /// Connections that wait in a listener to be accepted. The system caps it (`somaxconn`).
    public var listenBacklog: Int32 = 4096
    /// The kernel's send buffer of each connection; nil leaves it to the kernel, which lets it
    /// grow to some megabytes for a fast path.
    public var socketSendBytes: Int?
    /// Bytes that the kernel takes of a connection beyond those that its peer may be sent now
    /// (TCP_NOTSENT_LOWAT); nil leaves it to the send buffer. What a peer that does not read
    /// leaves in the kernel is memory that no other bound counts, and too old to take back.
    public var socketUnsentBytes: Int? = 131_072
    /// The kernel's receive buffer of each connection; nil leaves it to the kernel.
    public var socketReceiveBytes: Int?

    /// The defaults.
    public init() {}
}

/// What a loop has done since it began. Read it on the loop's queue.
public struct LoopCounters: Sendable, Hashable {
    /// Connections accepted or adopted.
    public var accepted = 0
    /// Connections that ended, for whatever reason.
    public var closed = 0
    /// Bytes read from sockets.
    public var bytesReceived = 0
    /// Bytes taken by sockets.
    public var bytesSent = 0
    /// Calls of `send`.
    public var sends = 0
    /// Sends that a socket took in part or not at all.
    public var shortSends = 0
    /// Early flushes because a turn's bytes passed `LoopLimits.arenaBytes`.
    public var earlyFlushes = 0
    /// Connections ended because they passed `LoopLimits.backlogBytesMax`.
    public var backlogsOverflown = 0
    /// Connections whose deadline for closing passed with bytes unsent.
    public var closesOverdue = 0
    /// Sockets of another loop that were closed because `LoopLimits.connectionsMax` was reached.
    public var adoptionsRefused = 0
    /// Times the listeners paused for want of descriptors or connections.
    public var acceptPauses = 0
    /// TLS handshakes that succeeded.
    public var handshakes = 0
    /// TLS handshakes that failed: no TLS, no version or cipher in common, no trust, cut off.
    public var handshakesFailed = 0
    /// TLS handshakes that took longer than `LoopLimits.handshakeMilliseconds`.
    public var handshakesOverdue = 0
    /// Connections ended because what came was not as TLS has it.
    public var recordsRefused = 0
    /// Turns: waits that came back with work.
    public var turns = 0
    /// Times the loop was woken from its parking place.
    public var wakeUps = 0

    /// All zero.
    public init() {}
}
