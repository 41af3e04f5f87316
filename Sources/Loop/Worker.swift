internal import Dispatch
internal import Synchronization

/// A queue of its own for work that blocks, such as a store's: takes whatever waits in one go.
///
/// Any thread submits items; the worker hands all that wait to one closure at once, so that one
/// transaction (and one wait for the disk) serves them all, and comes again until nothing waits.
/// What the closure owns is made on the worker's queue and never leaves it:
///
/// ```swift
/// let worker = try Worker<Job>(name: "store") {
///     let store = try Store(path)                  // need not be Sendable
///     return { jobs in store.perform(jobs) }
/// }
/// ```
public final class Worker<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        /// Whether a drain is running or on its way.
        var isDraining = false
        var isStopped = false
    }

    /// What only the worker's queue touches.
    private final class Confined {
        var work: (([Item]) -> Void)?
        var batch: [Item] = []
        init(_ work: @escaping ([Item]) -> Void) { self.work = work }
    }

    /// The most items that may wait; beyond it `submit` refuses.
    public let waitingMax: Int

    private let queue: DispatchQueue
    private let state = Mutex(State())
    // Unsafe only to the compiler: made on `queue` in init, and used by `drain` and the last
    // block of `stop` alone, which run on that serial queue.
    private nonisolated(unsafe) let confined: Confined

    /// Makes the closure, with all it owns, on the worker's queue, and waits for it.
    ///
    /// - Parameters:
    ///   - name: The queue's label, for debuggers.
    ///   - waitingMax: The most items that may wait.
    ///   - make: Makes the closure that works off a batch. What it throws is thrown here.
    public init<Failure: Error>(
        name: String, waitingMax: Int = 65_536,
        make: sending () throws(Failure) -> ([Item]) -> Void
    ) throws(Failure) {
        let queue = DispatchQueue(label: name)
        let made: Result<Confined, Failure> = queue.sync {
            do throws(Failure) {
                return .success(Confined(try make()))
            } catch {
                return .failure(error)
            }
        }
        confined = try made.get()
        self.queue = queue
        self.waitingMax = waitingMax
    }

    /// Adds an item. Returns false, without taking it, if too many wait or the worker stopped.
    public func submit(_ item: Item) -> Bool {
        let verdict: (isTaken: Bool, mustWake: Bool) = state.withLock { state in
            guard !state.isStopped, state.waiting.count < waitingMax else { return (false, false) }
            state.waiting.append(item)
            let mustWake = !state.isDraining
            state.isDraining = true
            return (true, mustWake)
        }
        if verdict.mustWake { queue.async { self.drain() } }
        return verdict.isTaken
    }

    /// How many items wait and are in nobody's hands yet.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Works off what waits, refuses what comes later, lets go of the closure and all it owns,
    /// and then calls `told`, on the worker's queue.
    public func stop(_ told: @escaping @Sendable () -> Void = {}) {
        state.withLock { $0.isStopped = true }
        queue.async {
            // Not left to the drain that `submit` asks for: that block is enqueued outside the
            // lock and can come after this one.
            self.drain()
            self.confined.work = nil
            told()
        }
    }

    private func drain() {
        while true {
            let isEmpty = state.withLock { state in
                swap(&state.waiting, &confined.batch)
                if confined.batch.isEmpty { state.isDraining = false }
                return confined.batch.isEmpty
            }
            if isEmpty { return }
            confined.work?(confined.batch)
            // The memory serves the next batch, unless a rare flood made it big.
            confined.batch.removeAll(keepingCapacity: confined.batch.capacity <= 16_384)
        }
    }
}
