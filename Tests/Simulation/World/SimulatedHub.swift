import Bytes
import Hub
import Models

/// The hub's process: its shards, its store, and how it stops, dies and starts again.
final class SimulatedHub {
    let world: World
    let plan: Plan
    let schema: ModelSchema
    let store: SimulatedStore
    private(set) var shards: [SimulatedShard] = []
    private(set) var isFaulty = true
    private var isListening = false
    private var life = 0
    private var random: SeededRandom

    init(_ world: World, _ plan: Plan, _ schema: ModelSchema, _ journal: Journal) {
        self.world = world
        self.plan = plan
        self.schema = schema
        store = SimulatedStore(world, plan, layout: schema.layout, journal: journal)
        random = world.newRandom()
        start()
        scheduleEnd()
    }

    /// From now on nothing goes wrong.
    func heal() {
        isFaulty = false
        store.isFaulty = false
    }

    func connect(_ link: Link) {
        guard isListening else { return link.fail() }
        link.establish(random.pick(shards))
    }

    private func start() {
        guard !isListening else { return }
        life += 1
        shards = (0..<plan.shardCount).map { SimulatedShard(number: $0, hub: self) }
        isListening = true
        world.note("hub: started, life \(life)")
    }

    // MARK: Ends

    private func scheduleEnd() {
        guard plan.has(.drains) || plan.has(.crashes) else { return }
        world.after(random.skewed(.milliseconds(500)...(.seconds(12)))) { [self] in
            guard isFaulty else { return }
            if isListening { random.chance(50) ? drain() : crash() }
            scheduleEnd()
        }
    }

    /// The process dies; the store has what it has committed.
    func crash() {
        guard plan.has(.crashes) else { return }
        world.note("hub: dies")
        endProcess(carryingOut: false)
    }

    /// What an operator's stop does: finish what is in flight, within a time; then end.
    func drain() {
        guard plan.has(.drains) else { return }
        world.note("hub: drains")
        isListening = false
        for shard in shards { shard.drain() }
        awaitDrained(until: world.now + .milliseconds(Int64(random.pick([200, 3_000]))), life)
    }

    private func awaitDrained(until deadline: Int64, _ present: Int) {
        world.after(.milliseconds(50)) { [self] in
            guard life == present else { return }
            let isOver = world.now >= deadline
            if isOver { for shard in shards { shard.stop() } }
            guard isOver || shards.allSatisfy({ $0.linkCount == 0 }) else {
                return awaitDrained(until: deadline, present)
            }
            world.note("hub: drained")
            // The loops get a moment to send what the shards said last.
            world.after(isOver ? .milliseconds(20) : 0) { [self] in
                if life == present { endProcess(carryingOut: true) }
            }
        }
    }

    private func endProcess(carryingOut: Bool) {
        isListening = false
        life += 1
        for shard in shards { shard.die() }
        store.processEnded(carryingOut: carryingOut)
        let pause = random.skewed(.milliseconds(5)...(.seconds(3)))
        world.after(pause) { [self] in start() }
    }
}
