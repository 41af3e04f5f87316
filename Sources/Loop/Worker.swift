public import Dispatch

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
///
/// What runs for each batch is inlinable: generic code that is not specialised asks the runtime for
/// types at every step, which cost a mutation 3 % of its time.
public final class Worker<Item: Sendable>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var waiting: [Item] = []
        /// Whether a drain is running or on its way.
        @usableFromInline var isDraining = false
        @usableFromInline var isStopped = false
    }

    /// What only the worker's queue touches.
    @usableFromInline final class Confined {
        @usableFromInline var work: (([Item]) -> Void)?
        @usableFromInline var batch: [Item] = []
        init(_ work: @escaping ([Item]) -> Void) { self.work = work }
    }

    /// The most items that may wait; beyond it `submit` refuses.
    public let waitingMax: Int

    @usableFromInline let queue: DispatchQueue
    @usableFromInline let state = Guarded(State())
    // Unsafe only to the compiler: made on `queue` in init, and used by `drain` and the last
    // block of `stop` alone, which run on that serial queue.
    @usableFromInline nonisolated(unsafe) let confined: Confined

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
    @inlinable public func submit(_ item: Item) -> Bool { submit(CollectionOfOne(item)) }

    /// Adds items that are to be worked off together. Returns false, without taking any, if too
    /// many wait or the worker stopped.
    @inlinable public func submit(_ items: some Collection<Item>) -> Bool {
        let verdict: (isTaken: Bool, mustWake: Bool) = state.withLock { state in
            guard !state.isStopped, state.waiting.count + items.count <= waitingMax else {
                return (false, false)
            }
            state.waiting.append(contentsOf: items)
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

    @inlinable func drain() {
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
