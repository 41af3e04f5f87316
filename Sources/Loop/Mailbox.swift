/// Things for a loop from any thread: an array under a lock that the loop takes whole.
///
/// The doorbell is rung only when the array stops being empty, so a burst costs one system call
/// in all and each further item an append under a lock nobody holds for long. It has no bound of
/// its own: a committed change may not be dropped here, so the bound stands at the source, where
/// something can be refused (`waitingCount` tells how far the loop is behind).
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var isClosed = false
    }

    private let state = Guarded(State())
    private let doorbell: Doorbell

    init(_ doorbell: Doorbell) { self.doorbell = doorbell }

    /// Leaves an element. False if the loop has stopped and will never take it.
    func post(_ element: Element) -> Bool {
        let wasEmpty: Bool? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.waiting.append(element)
            return state.waiting.count == 1
        }
        // Outside the lock: the loop may be waiting for it already.
        if wasEmpty == true { doorbell.ring() }
        return wasEmpty != nil
    }

    /// Takes all that waits, in order. `batch` must be empty; its memory is used for the next.
    func take(into batch: inout [Element]) {
        state.withLock { swap(&$0.waiting, &batch) }
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Refuses all that comes later and returns what was still waiting.
    func close() -> [Element] {
        state.withLock { state in
            state.isClosed = true
            let rest = state.waiting
            state.waiting = []
            return rest
        }
    }
}
