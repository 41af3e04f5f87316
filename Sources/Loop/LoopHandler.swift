/// Whom a loop tells: the server's or client's driver, one for each loop.
///
/// All calls come on the loop's queue. Within any of them all verbs of `EventLoop` may be used;
/// none of those calls back into the handler at once. Each connection's story is
/// `accepted` or `connected`, then `received` and `drained` any number of times, at most one
/// `peerFinished`, then exactly one `closed`. Handles are not used again before `closed` was told.
public protocol LoopHandler: AnyObject, SendableMetatype {
    /// A peer connected, or a socket was adopted.
    func accepted(_ connection: UInt64, peer: PeerAddress)
    /// A connection asked for with `EventLoop.connect` is open.
    func connected(_ connection: UInt64)
    /// A connection asked for with `EventLoop.connect` will not be. The handle is dead.
    func failed(_ connection: UInt64, _ error: LoopError)
    /// Bytes came. They are lent, for changing in place too, until the call returns.
    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer)
    /// The peer sends no more (it shut down its side) but may still read. Return true to go on
    /// writing; false, the default, closes after what is written has gone out.
    func peerFinished(_ connection: UInt64) -> Bool
    /// All that had waited for a slow peer has been taken by the socket, or the socket takes
    /// more as `EventLoop.awaitRoom` asked.
    func drained(_ connection: UInt64)
    /// The connection is over. The handle is dead.
    func closed(_ connection: UInt64, _ reason: CloseReason)
    /// The time asked for with `EventLoop.wake(at:)` has come.
    func woke()
    /// All of this turn's events have been told. What is written now still goes out with the turn.
    func turnEnded()
    /// The loop has stopped; every connection was told `closed`. Nothing follows.
    func stopped()
}

extension LoopHandler {
    /// Nothing, for handlers that never connect.
    public func connected(_ connection: UInt64) {}
    /// Nothing, for handlers that never connect.
    public func failed(_ connection: UInt64, _ error: LoopError) {}
    /// Closes after what is written has gone out.
    public func peerFinished(_ connection: UInt64) -> Bool { false }
    /// Nothing.
    public func drained(_ connection: UInt64) {}
    /// Nothing.
    public func woke() {}
    /// Nothing.
    public func turnEnded() {}
    /// Nothing.
    public func stopped() {}
}

/// Why a connection is over.
public enum CloseReason: Sendable, Hashable {
    /// We closed it, and all that was written was taken by the socket or given up on purpose.
    case closedHere
    /// The peer closed it.
    case closedByPeer
    /// The peer ended a TLS connection without a word (close_notify): what came may not be all.
    case cutOff
    /// The connection broke: reset, timed out, unreachable, or not as TLS has it
    /// (EPROTO). `code` is the system's error number.
    case broken(code: Int32)
    /// More bytes waited for the peer than `LoopLimits.backlogBytesMax` allows.
    case backlogFull
    /// We closed it, and the peer did not take the last bytes in time.
    case deadlinePassed
    /// The loop was stopped.
    case loopStopped
}

/// How `EventLoop.close` ends a connection.
public enum CloseMode: Sendable, Hashable {
    /// At the end of this turn; bytes that wait for the socket are given up.
    case atOnce
    /// When what is written has gone out and the peer has had the chance to read it, at most
    /// within the given time (nil: as long as the peer goes on taking it, see
    /// `LoopLimits.closeMilliseconds`). Nothing more is received.
    case afterFlush(withinMilliseconds: Int? = nil)
}
