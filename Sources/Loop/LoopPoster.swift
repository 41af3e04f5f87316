/// The gate to a loop from other threads. Copy it freely.
public struct LoopPoster<Handler: LoopHandler>: Sendable {
    // Not of the handler's own type: generic code that is not specialised asks the runtime for
    // types at every step, which cost a mutation 3 % of its time.
    let inbox: Mailbox<@Sendable (any LoopHandler) -> Void>
    let control: Mailbox<@Sendable (EventLoop) -> Void>

    /// Has the loop run `work` on its queue, after all that was posted before from this thread.
    /// Returns false, and never runs it, if the loop has stopped.
    ///
    /// Cheap in bursts: only the first of them wakes the loop.
    @discardableResult
    public func post(_ work: @escaping @Sendable (Handler) -> Void) -> Bool {
        // The only handler that runs posts is the one that `EventLoop.start` made this gate for.
        inbox.post { work(unsafeDowncast($0, to: Handler.self)) }
    }

    /// How many posts the loop has not taken yet: for whoever can refuse work at its source.
    public var waitingCount: Int { inbox.waitingCount }

    /// Stops the loop: ends every connection and listener at once, tells the handler `stopped`
    /// and lets go of it. `told` is called, on the loop's queue, when nothing of it is left.
    public func stop(_ told: @escaping @Sendable () -> Void = {}) {
        if !control.post({ $0.stop(told) }) { told() }
    }
}
