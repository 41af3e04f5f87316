import Hub
import Loop
import Records

/// Joins one shard to one loop: tells the shard what the loop tells, and does what it says.
///
/// Confined to the loop's queue, like both that it joins.
final class ShardHost: LoopHandler, Outlet {
    let number: Int
    let loop: EventLoop
    private let store: StoreHost
    private let report: @Sendable (String) -> Void
    private var shard: Shard?
    /// What the shard has asked in this turn: handed over together at its end, so that the store
    /// is woken once and works it off in one transaction.
    private var asked: [StoreJob] = []
    private var draining: Draining?

    /// What is known of a drain that is under way.
    private struct Draining {
        /// By when the loop stops at the latest.
        var stopsAt: Int64
        /// When it is looked whether anybody has not got everything yet.
        var lookAt = Int64.max
        /// Connections that were open when it began, and all those before that.
        var openCount: Int
        var openedCount: UInt64
        var done: @Sendable (DrainSummary) -> Void
    }

    init(
        number: Int, loop: EventLoop, store: StoreHost, report: @escaping @Sendable (String) -> Void
    ) {
        self.number = number
        self.loop = loop
        self.store = store
        self.report = report
    }

    /// Takes the shard that says what this host is to do.
    func attach(_ shard: Shard) { self.shard = shard }

    private var moment: Moment {
        Moment(
            nanoseconds: loop.now, wallMilliseconds: loop.wallClockMilliseconds,
            committedOffset: store.committedOffset)
    }

    // MARK: The loop tells

    func accepted(_ connection: UInt64, peer: PeerAddress) {
        shard?.opened(connection, at: moment)
    }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        shard?.received(connection, bytes, at: moment)
    }

    func peerFinished(_ connection: UInt64) -> Bool {
        shard?.peerFinished(connection, at: moment) ?? false
    }

    func drained(_ connection: UInt64) { shard?.drained(connection, at: moment) }

    func closed(_ connection: UInt64, _ reason: CloseReason) {
        shard?.closed(connection, at: moment)
        // Ends are told after the turn's end.
        submitAsked()
        finishIfDrained()
    }

    func woke() {
        shard?.woke(at: moment)
        proceedWithDrain()
    }

    func turnEnded() {
        if draining != nil {
            shard?.turnEnded(at: moment)
            proceedWithDrain()
        }
        submitAsked()
        finishIfDrained()
    }

    func stopped() { shard = nil }

    // MARK: The store tells

    func answered(_ answers: [(ticket: UInt64, answers: [StoreAnswer])], _ changes: [Change]) {
        guard let shard else { return }
        let moment = moment
        for (ticket, answers) in answers { shard.answered(ticket, answers, at: moment) }
        if !changes.isEmpty { shard.changed(changes, at: moment) }
    }

    // MARK: The operator tells

    /// Has the shard close all connections in turn, within the time, and then stops the loop.
    func drain(withinSeconds seconds: Int64, _ done: @escaping @Sendable (DrainSummary) -> Void) {
        guard let shard, draining == nil else { return done(DrainSummary()) }
        let stopsAt =
            loop.now + seconds * 1_000_000_000 + Int64(loop.limits.closeMilliseconds) * 1_000_000
        draining = Draining(
            stopsAt: stopsAt, openCount: shard.counters.connectionsOpen,
            openedCount: shard.counters.connectionsOpened, done: done)
        loop.stopListening()
        shard.drain(at: moment, seconds: seconds)
    }

    /// Ends a drain that is under way. The peers get a moment to see why.
    func cutShort() {
        guard draining != nil else { return }
        shard?.stop(at: moment)
        draining?.stopsAt = loop.now + Self.lookNanoseconds
    }

    /// When the shard is done, peers may still have to say goodbye. They get a moment for that, or
    /// as long as they have not got everything.
    private func proceedWithDrain() {
        guard var plan = draining, let shard else { return }
        if shard.counters.connectionsOpen == 0, loop.now >= plan.lookAt || plan.lookAt == .max {
            if plan.lookAt < .max, loop.isEverythingTaken { return finishDraining() }
            plan.lookAt = loop.now + Self.lookNanoseconds
            draining = plan
        }
        loop.wake(at: min(plan.stopsAt, plan.lookAt))
    }

    private static let lookNanoseconds: Int64 = 100_000_000

    /// The loop tells the last end only after its turn, so both places look.
    private func finishIfDrained() {
        guard let draining else { return }
        if loop.connectionCount == 0 || loop.now >= draining.stopsAt { finishDraining() }
    }

    private func finishDraining() {
        guard let draining, let shard else { return }
        self.draining = nil
        let later = shard.counters.connectionsOpened - draining.openedCount
        let summary = DrainSummary(
            connections: draining.openCount + Int(later), cut: shard.cutCount)
        loop.stop { draining.done(summary) }
    }

    // MARK: The shard says

    func send(
        _ connection: UInt64, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
        _ third: UnsafeRawBufferPointer
    ) -> Int {
        // What waited before: a peer is not slow for getting one big answer.
        let waiting = loop.backlogBytes(connection)
        loop.write(connection, first, second, third)
        return waiting
    }

    func awaitDrained(_ connection: UInt64) { loop.awaitRoom(connection) }

    func close(_ connection: UInt64, flushing: Bool) {
        loop.close(connection, flushing ? .afterFlush() : .atOnce)
    }

    func setReading(_ connection: UInt64, _ isReading: Bool) {
        if isReading { loop.resumeReading(connection) } else { loop.pauseReading(connection) }
    }

    func ask(_ ticket: UInt64, _ requests: [StoreRequest]) {
        asked.append(StoreJob(shard: number, ticket: ticket, requests: requests))
    }

    private func submitAsked() {
        if asked.isEmpty { return }
        store.submit(asked)
        asked.removeAll(keepingCapacity: asked.count <= 1024)
    }

    func wake(atNanoseconds time: Int64) { loop.wake(at: time) }

    func notify(_ sentence: String) { report(sentence) }
}
