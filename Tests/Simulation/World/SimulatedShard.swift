import Access
import Bytes
import Hub
import Records

/// One real shard of the hub in the simulated world: its loop, its inbox and its outlet.
///
/// Imitates `ShardHost` in `HubServer` and the promises of `EventLoop`.
final class SimulatedShard: Outlet {
    let number: Int
    unowned let hub: SimulatedHub
    private(set) var shard: Shard!
    private(set) var isAlive = true

    private let world: World
    private var links: [UInt64: Link] = [:]
    private var freeSlots: [UInt32] = []
    private var generations: [UInt32] = []
    private var wakeAt = Int64.max
    /// Connections of which the shard asked to be told that nothing waits.
    private var awaited: Set<UInt64> = []
    private var lastPost: Int64 = 0
    private var random: SeededRandom
    private var limitCheck: LimitCheck

    init(number: Int, hub: SimulatedHub) {
        self.number = number
        self.hub = hub
        world = hub.world
        random = world.newRandom()
        limitCheck = LimitCheck(limits: hub.plan.limits)
        shard = Shard(
            schema: hub.schema, policy: .open, limits: hub.plan.limits,
            slowConsumerPolicy: hub.plan.slowConsumerPolicy, outlet: self, seed: random.next(),
            committedOffset: hub.store.committedOffset)
    }

    private var moment: Moment {
        Moment(
            nanoseconds: world.now,
            wallMilliseconds: 1_700_000_000_000 + (world.now - World.start) / 1_000_000,
            committedOffset: hub.plan.sabotage == .hidesCommits ? 0 : hub.store.committedOffset)
    }

    /// How many connections the loop still has.
    var linkCount: Int { links.count }

    // MARK: The loop tells

    func accept(_ link: Link) -> UInt64 {
        let slot = freeSlots.popLast() ?? UInt32(generations.count)
        if Int(slot) == generations.count { generations.append(0) }
        generations[Int(slot)] += 1
        let handle = UInt64(generations[Int(slot)]) << 32 | UInt64(slot)
        links[handle] = link
        world.note("link \(link.number): accepted by shard \(number)")
        // The link learns its handle before the shard can say anything about it.
        world.after(0) { [self] in
            guard isAlive, links[handle] === link else { return }
            shard.opened(handle, at: moment)
            turnEnded()
        }
        return handle
    }

    func received(_ handle: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        guard isAlive else { return }
        shard.received(handle, bytes, at: moment)
        turnEnded()
    }

    func peerFinished(_ handle: UInt64) -> Bool {
        guard isAlive else { return false }
        let waits = shard.peerFinished(handle, at: moment)
        turnEnded()
        return waits
    }

    func ended(_ handle: UInt64) {
        guard isAlive, let link = links.removeValue(forKey: handle) else { return }
        freeSlots.append(UInt32(truncatingIfNeeded: handle))
        world.note("link \(link.number): ended at shard \(number)")
        shard.closed(handle, at: moment)
        turnEnded()
    }

    /// The peer's side has taken all that waited; for the shard that asked, or for nobody.
    func drained(_ handle: UInt64) {
        guard isAlive, links[handle]?.hubEnd == .open else { return }
        awaited.remove(handle)
        shard.drained(handle, at: moment)
        turnEnded()
    }

    private func woke(_ time: Int64) {
        guard isAlive, wakeAt == time else { return }
        wakeAt = .max
        shard.woke(at: moment)
        turnEnded()
    }

    // MARK: The store tells

    /// Puts something into the shard's inbox; what is put later comes later.
    func post(_ answers: [(UInt64, [StoreAnswer])], _ changes: [Change]) {
        let isLate = hub.isFaulty && hub.plan.has(.lateShards) && random.chance(40)
        let delay = random.skewed(.microseconds(5)...(isLate ? .milliseconds(300) : 500_000))
        lastPost = max(lastPost + 1, world.now + delay)
        world.at(lastPost) { [self] in
            guard isAlive else { return }
            let moment = moment
            for (ticket, answers) in answers { shard.answered(ticket, answers, at: moment) }
            if !changes.isEmpty { shard.changed(changes, at: moment) }
            turnEnded()
        }
    }

    // MARK: The operator tells

    func drain(seconds: Int64) {
        shard.drain(at: moment, seconds: seconds)
        turnEnded()
    }

    func stop() {
        shard.stop(at: moment)
        turnEnded()
    }

    /// The process is gone, and all its sockets with it.
    func die() {
        isAlive = false
        noteCounters()
        for link in links.values.sorted(by: { $0.number < $1.number }) { link.hubDied() }
        links = [:]
    }

    /// For the trace: what the shard has seen.
    func noteCounters() { world.note("shard \(number): \(shard.counters)") }

    // MARK: The shard says

    func send(
        _ connection: UInt64, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
        _ third: UnsafeRawBufferPointer
    ) -> Int {
        guard let link = links[connection] else { return 0 }
        link.write(first, second, third)
        if link.hubEnd == .open {
            limitCheck.sent(connection, link.waitingBytes)
        }
        return hub.plan.sabotage == .hidesBacklog ? 0 : link.waitingBytes
    }

    func awaitDrained(_ connection: UInt64) {
        awaited.insert(connection)
        // With a backlog its end tells; without, the next turn does.
        world.after(random.skewed(0...100_000)) { [self] in
            guard awaited.contains(connection), links[connection]?.waitingBytes == 0 else { return }
            drained(connection)
        }
    }

    func close(_ connection: UInt64, flushing: Bool) {
        guard let link = links[connection] else { return }
        world.note("link \(link.number): shard \(number) closes, flushing: \(flushing)")
        link.promised = shard.promisedOffset
        link.closeByHub(flushing: flushing)
    }

    func setReading(_ connection: UInt64, _ isReading: Bool) {
        links[connection]?.setHubReading(isReading)
    }

    func ask(_ ticket: UInt64, _ requests: [StoreRequest]) {
        hub.store.submit(self, ticket, requests)
    }

    func wake(atNanoseconds time: Int64) {
        // The earliest of all that was asked for since the last `woke` counts.
        guard time < wakeAt else { return }
        wakeAt = time
        world.at(time) { [self] in woke(time) }
    }

    // MARK: Checks

    private func turnEnded() {
        shard.turnEnded(at: moment)
        let fault = limitCheck.turnEnded(
            tickets: shard.openTicketCount, connections: links.count,
            parkedBytes: shard.counters.parkedBytes
        ) { links[$0]?.hubEnd == .open }
        if let fault { world.violate("shard \(number): \(fault)") }
    }
}
