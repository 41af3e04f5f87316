internal import Dispatch
internal import Glibc

/// One shard's loop: sockets, timer, clock and the inbox from other threads, all on one queue.
///
/// It stands under a server's shard or a client's driver, which it tells through `LoopHandler`
/// what happened and which answers by the verbs here. It waits as Dispatch's guest: one read
/// source on the poller's descriptor wakes it, then it takes all events in batches and lingers a
/// moment before it parks again. Everything here is confined to its queue; other threads have
/// the `LoopPoster` that `start` returns.
///
/// ```swift
/// let poster = try EventLoop.start(name: "shard 0") { loop throws(LoopError) in
///     let echo = Echo(loop)                        // a LoopHandler
///     try loop.listen(host: "127.0.0.1", port: 8080)
///     return echo                                  // its received() calls loop.write(...)
/// }
/// ```
public final class EventLoop {
    /// Tokens with generation 0 are the loop's own; listeners follow after these.
    enum Token {
        static let doorbell: UInt64 = 0
        static let alarm: UInt64 = 1
        static let firstListener: UInt64 = 2
    }

    /// The bounds given at the start.
    public let limits: LoopLimits
    /// Monotonic time in nanoseconds, read once a turn: all of a turn's events have one time.
    public internal(set) var now: Int64
    // Unchecked, here and below: run-time exclusivity checks on these cost 7 % of a fan-out. They
    // are values whose mutating calls never call out, so no access can begin inside another.
    /// What the loop has done so far.
    @exclusivity(unchecked) public internal(set) var counters = LoopCounters()

    let queue: DispatchQueue
    let poller: Poller
    let readBuffer: UnsafeMutableRawBufferPointer
    let control: Mailbox<@Sendable (EventLoop) -> Void>
    @exclusivity(unchecked) var slab = ConnectionSlab()
    @exclusivity(unchecked) var outbox: Outbox
    /// Bytes in the backlogs of all connections.
    public internal(set) var backlogBytesTotal = 0
    var listeners: [Listener] = []
    var areListenersPaused = false
    /// Sockets from other loops that are not served yet.
    var adoptions: [(socket: AcceptedSocket, companion: AnyObject?)] = []
    /// What is kept beside connections, by their places in the slab.
    var companions: ContiguousArray<AnyObject?> = []
    /// What is known of connections that are not open yet.
    var outgoing: [UInt64: OutgoingConnection] = [:]
    /// Connections that are over and not told yet.
    var ended: [EndedConnection] = []
    /// Connections that are being closed, with the time by which they must be.
    var closing: [ClosingConnection] = []

    /// TLS handshakes under way, the oldest first; those that are through are still listed. The
    /// first `handshakesDone` have been looked at.
    var handshakes: [Handshake] = []
    var handshakesDone = 0
    /// What TLS sessions read from and write to; made for the first of them.
    var wire: UnsafeMutablePointer<TLSWire>?

    /// Times at which something is due; `Int64.max` stands for never.
    var wakeAt = Int64.max
    var closingDueAt = Int64.max
    var acceptDueAt = Int64.max
    var handshakeDueAt = Int64.max

    private var handler: (any LoopHandler)?
    private var source: (any DispatchSourceRead)?
    private let inbox: Mailbox<@Sendable (any LoopHandler) -> Void>
    private var posts: [@Sendable (any LoopHandler) -> Void] = []
    private var stopRequests: [@Sendable () -> Void] = []
    private var isStopped = false
    private var wallClock: (milliseconds: Int64, readAt: Int64) = (0, .min)

    private init(queue: DispatchQueue, limits: LoopLimits) throws(LoopError) {
        poller = try Poller(
            eventsPerWait: limits.eventsPerWait, doorbellToken: Token.doorbell,
            alarmToken: Token.alarm)
        self.queue = queue
        self.limits = limits
        now = monotonicNanoseconds()
        control = Mailbox(poller.doorbell)
        inbox = Mailbox(poller.doorbell)
        outbox = Outbox(bytesMax: limits.arenaBytes)
        readBuffer = .allocate(byteCount: limits.readBufferBytes, alignment: 64)
    }

    deinit {
        // A loop that stopped has none of these left; one whose `make` failed may have.
        for listener in listeners where listener.descriptor >= 0 {
            Glibc.close(listener.descriptor)
        }
        for index in 0..<slab.used { release(slab.base + index) }
        readBuffer.deallocate()
        wire?.pointee.free()
        wire?.deallocate()
    }

    /// Starts a loop on a queue of its own and returns its gate.
    ///
    /// - Parameters:
    ///   - name: The queue's label, for debuggers.
    ///   - limits: The loop's bounds.
    ///   - make: Makes the handler, on the loop's queue. It may listen, connect and set the timer.
    /// - Throws: What `make` throws, or a `LoopError` if the system refuses the loop's descriptors.
    public static func start<Handler: LoopHandler>(
        name: String, limits: LoopLimits = LoopLimits(),
        make: sending (EventLoop) throws(LoopError) -> Handler
    ) throws(LoopError) -> LoopPoster<Handler> {
        // No target queue: a lingering loop needs a thread of its own, and queues under a shared
        // target get only as many threads as there are cores.
        let queue = DispatchQueue(label: name)
        let result: Result<LoopPoster<Handler>, LoopError> = queue.sync {
            do throws(LoopError) {
                let loop = try EventLoop(queue: queue, limits: limits)
                return .success(loop.begin(try make(loop)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Milliseconds since 1970, read at most once a turn.
    public var wallClockMilliseconds: Int64 {
        checkConfinement()
        if wallClock.readAt != now {
            wallClock = (realTimeMilliseconds(), now)
        }
        return wallClock.milliseconds
    }

    /// How many connections are open or on their way.
    public var connectionCount: Int { slab.count }

    /// Asks for `woke` at a monotonic time in nanoseconds. The earliest of all that was asked for
    /// since the last `woke` counts. It comes up to a millisecond late.
    public func wake(at nanoseconds: Int64) {
        checkConfinement()
        wakeAt = min(wakeAt, nanoseconds)
    }

    /// Stops at the end of this turn: see `LoopPoster.stop`.
    public func stop(_ told: @escaping @Sendable () -> Void = {}) {
        checkConfinement()
        if isStopped && source == nil { return told() }
        stopRequests.append(told)
        poller.doorbell.ring()
    }

    /// Trips in debug builds if a verb is used on a foreign queue.
    @inline(__always)
    func checkConfinement() {
        #if DEBUG
            dispatchPrecondition(condition: .onQueue(queue))
        #endif
    }

    private func begin<Handler: LoopHandler>(_ handler: Handler) -> LoopPoster<Handler> {
        self.handler = handler
        let source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: queue)
        source.setEventHandler { [self] in run() }
        self.source = source
        source.activate()
        // Whatever `make` wrote, connected or asked for goes out with the first turn.
        poller.doorbell.ring()
        return LoopPoster(inbox: inbox, control: control)
    }
}

// The turn.
extension EventLoop {
    private var nextDueAt: Int64 { min(wakeAt, closingDueAt, acceptDueAt, handshakeDueAt) }

    /// The linger, or less if something is due before; rounded up, so that it is due by then.
    private var waitMilliseconds: Int32 {
        let (wait, isFar) = nextDueAt.subtractingReportingOverflow(now)
        if isFar || wait > Int64(limits.lingerMilliseconds) * 1_000_000 {
            return limits.lingerMilliseconds
        }
        return Int32(max(0, (wait + 999_999) / 1_000_000))
    }

    /// Dispatch's call: something is ready. Takes turns until a wait comes back empty.
    private func run() {
        guard let handler else { return }
        counters.wakeUps += 1
        for _ in 0..<limits.turnsMax {
            let count = poller.wait(milliseconds: waitMilliseconds)
            now = monotonicNanoseconds()
            if count == 0 && nextDueAt > now { break }
            turn(count, handler)
            if isStopped { return }
        }
        poller.setAlarm(at: nextDueAt == .max ? nil : nextDueAt)
    }

    private func turn(_ count: Int, _ handler: any LoopHandler) {
        counters.turns += 1
        var isRung = false
        for index in 0..<count {
            let token = poller.token(at: index)
            if token >> 32 != 0 {
                handle(poller.readiness(at: index), of: token, handler)
            } else if token == Token.doorbell {
                isRung = true
            } else if token >= Token.firstListener {
                accept(from: Int(token - Token.firstListener), handler)
            }
        }
        if isRung {
            runPosts(of: handler)
            takeControl()
        }
        takeAdoptions(handler)
        if closingDueAt <= now { endOverdue() }
        if handshakeDueAt <= now { endOverdueHandshakes() }
        if acceptDueAt <= now { resumeListeners() }
        if wakeAt <= now {
            wakeAt = .max
            handler.woke()
        }
        handler.turnEnded()
        finishTurn(handler)
        if !stopRequests.isEmpty { performStop(handler) }
    }

    /// Sends what was written and tells the ends, until neither makes the handler write or close.
    private func finishTurn(_ handler: any LoopHandler) {
        repeat {
            takeAdoptions(handler)
            flush()
            tellEnded(handler)
        } while !outbox.isEmpty || !ended.isEmpty || !adoptions.isEmpty
    }

    /// Runs what was posted; the last time refuses all that comes later.
    private func runPosts(of handler: any LoopHandler, isLast: Bool = false) {
        var batch: [@Sendable (any LoopHandler) -> Void] = []
        swap(&batch, &posts)
        if isLast { batch = inbox.close() } else { inbox.take(into: &batch) }
        for work in batch { work(handler) }
        // The memory serves the next batch, unless a rare flood made it big.
        batch.removeAll(keepingCapacity: batch.capacity <= 16_384)
        swap(&batch, &posts)
    }

    private func takeControl() {
        var batch: [@Sendable (EventLoop) -> Void] = []
        control.take(into: &batch)
        for work in batch { work(self) }
    }

    private func performStop(_ handler: any LoopHandler) {
        // What was posted before the stop is run; what comes later is refused.
        runPosts(of: handler, isLast: true)
        isStopped = true
        adoptions = []
        closeListeners()
        for index in 0..<slab.used where slab.base[index].state != .free {
            end(slab.base + index, .loopStopped)
        }
        finishTurn(handler)
        self.handler = nil
        handler.stopped()
        for work in control.close() { work(self) }
        // The poller's descriptor is closed with the loop, after the source let go of it: closing
        // it first would leave a dead source on whatever gets the number next.
        source?.setCancelHandler { [self] in
            source = nil
            for told in stopRequests { told() }
            stopRequests = []
        }
        source?.cancel()
    }
}
