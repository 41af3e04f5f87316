import Hub
import Loop
import Synchronization

/// What all shards share of the limits: the log of those that were reached, and the bytes that
/// wait for slow readers altogether.
final class LimitDesk: Sendable {
    /// The operator's limits.
    let limits: Limits
    /// Bytes that all shards together may have waiting, and what one may have then.
    let queuedBytesShare: Int
    private let queued = Atomic<Int>(0)
    private let journal: Guarded<LimitJournal>
    /// Tells the operator something, from any queue.
    let report: @Sendable (String) -> Void

    init(_ limits: Limits, shardCount: Int, report: @escaping @Sendable (String) -> Void) {
        self.limits = limits
        self.report = report
        queuedBytesShare = max(1, limits.queuedBytesMax / shardCount)
        journal = Guarded(LimitJournal(limits))
    }

    /// A limit was reached. Returns when `tellDue` has something to tell, if it will.
    func reached(_ limit: ReachedLimit, times: UInt64, atNanoseconds now: Int64) -> Int64 {
        let (line, dueAt) = journal.withLock { journal in
            (journal.note(limit, times: times, atNanoseconds: now), journal.dueAt)
        }
        if let line { report(line) }
        return dueAt
    }

    /// Tells what has become due, and returns when there will be more.
    func tellDue(atNanoseconds now: Int64) -> Int64 {
        let (lines, dueAt) = journal.withLock { ($0.due(atNanoseconds: now), $0.dueAt) }
        for line in lines { report(line) }
        return dueAt
    }

    /// Adds what more, or less, waits in a shard. Returns whether too much waits altogether.
    func queued(_ difference: Int) -> Bool {
        queued.add(difference, ordering: .relaxed).newValue > limits.queuedBytesMax
    }

    /// Whether too much waits altogether.
    var isTooMuchQueued: Bool { queued.load(ordering: .relaxed) > limits.queuedBytesMax }
}
