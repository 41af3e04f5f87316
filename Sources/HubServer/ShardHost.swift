import Bytes
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
    private let desk: MetricsDesk
    private let limitDesk: LimitDesk
    /// What the loop has told of, and what this shard has added to the hub's queued bytes.
    private var seen = LoopCounters()
    private var queuedBytes = 0
    /// Limits of the hub as a whole that were reached at this shard.
    private var limitsReached = LimitCounts()
    private var shard: Shard?
    /// What the shard has asked in this turn: handed over together at its end, so that the store
    /// is woken once and works it off in one transaction.
    private var asked: [StoreJob] = []
    private var draining: Draining?
    /// Whether a drain is to take no time.
    private var isCutShort = false

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

    init(number: Int, loop: EventLoop, store: StoreHost, desk: MetricsDesk, limits: LimitDesk) {
        self.number = number
        self.loop = loop
        self.store = store
        self.desk = desk
        limitDesk = limits
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
        wake(for: limitDesk.tellDue(atNanoseconds: loop.now))
        proceedWithDrain()
    }

    func turnEnded() {
        lookAtLimits()
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
        if isCutShort { cutShort() }
    }

    /// Ends a drain that is under way, or will be: an operator in a hurry may be faster than the
    /// word that there is a drain. The peers get a moment to see why.
    func cutShort() {
        isCutShort = true
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

    // MARK: The desk tells

    /// The numbers of this shard and its loop.
    var measures: Measures {
        var measures = shard?.measures ?? Measures()
        measures.limitsReached.add(limitsReached)
        let counters = loop.counters
        measures.bytesQueued = waitingBytes
        measures.bytesReceived = UInt64(counters.bytesReceived)
        measures.bytesSent = UInt64(counters.bytesSent)
        measures.handshakes = UInt64(counters.handshakes)
        measures.handshakesFailed = UInt64(counters.handshakesFailed + counters.handshakesOverdue)
        measures.acceptPauses = UInt64(counters.acceptPauses)
        return measures
    }

    /// The page that a connection of this shard asked for.
    func measured(_ connection: UInt64, _ page: ByteQueue) {
        shard?.measured(connection, page, at: moment)
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

    func greeted(_ connection: UInt64) {
        (loop.companion(of: connection) as? Admission)?.greeted()
    }

    func reached(_ limit: ReachedLimit) { tell(limit, times: 1) }

    func measure(for connection: UInt64) { desk.measure(for: connection, of: number) }

    func wake(atNanoseconds time: Int64) { loop.wake(at: time) }

    func notify(_ sentence: String) { limitDesk.report(sentence) }
}

// What no shard can know: limits of the loop, and of all shards together.
extension ShardHost {
    /// A limit of the hub as a whole was reached, or one of the loop.
    func noteOwn(_ limit: ReachedLimit, times: UInt64 = 1) {
        limitsReached[limit] += times
        tell(limit, times: times)
    }

    private func tell(_ limit: ReachedLimit, times: UInt64) {
        wake(for: limitDesk.reached(limit, times: times, atNanoseconds: loop.now))
    }

    private func wake(for time: Int64) { if time != .max { loop.wake(at: time) } }

    /// Costs three comparisons in a turn in which nothing is the matter.
    private func lookAtLimits() {
        let counters = loop.counters
        if counters.acceptPauses != seen.acceptPauses {
            noteOwn(.openFiles, times: UInt64(counters.acceptPauses - seen.acceptPauses))
            seen.acceptPauses = counters.acceptPauses
        }
        if counters.handshakesOverdue != seen.handshakesOverdue {
            let count = counters.handshakesOverdue - seen.handshakesOverdue
            noteOwn(.handshakeSeconds, times: UInt64(count))
            seen.handshakesOverdue = counters.handshakesOverdue
        }
        let bytes = waitingBytes
        if bytes != queuedBytes || bytes > limitDesk.queuedBytesShare {
            let isTooMuch = limitDesk.queued(bytes - queuedBytes)
            queuedBytes = bytes
            if isTooMuch { closeSlowest() }
        }
    }

    /// What waits for slow readers in the loop and in the shard.
    private var waitingBytes: Int {
        loop.backlogBytesTotal + (shard?.counters.parkedBytes ?? 0)
    }

    /// Closes those for whom most waits until this shard has no more than its share. Some shard
    /// has more than that whenever all together have too much.
    private func closeSlowest() {
        var left = waitingBytes
        guard left > limitDesk.queuedBytesShare else { return }
        let slowest = loop.backlogs().map { connection, bytes in
            (connection, bytes: bytes + (shard?.parkedBytes(for: connection) ?? 0))
        }
        for (connection, bytes) in slowest.sorted(by: { $0.bytes > $1.bytes })
        where left > limitDesk.queuedBytesShare {
            shard?.tooMuchQueued(connection, at: moment)
            // One that the shard has closed already is still sending.
            loop.close(connection, .atOnce)
            left -= bytes
        }
    }
}
