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
    /// When the present life began.
    private(set) var startedAt: Int64 = 0
    /// What the drains so far have left unfinished.
    private(set) var cutCount = 0
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
        startedAt = world.now
        shards = (0..<plan.shardCount).map { SimulatedShard(number: $0, hub: self) }
        isListening = true
        world.note("hub: started, life \(life)")
    }

    // MARK: Ends

    private func scheduleEnd() {
        guard plan.endsByChance, plan.has(.drains) || plan.has(.crashes) else { return }
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

    /// What an operator's stop does: everybody is closed in turn, within a time; then it ends.
    func drain(seconds: Int64? = nil) {
        guard plan.has(.drains), isListening else { return }
        let seconds = seconds ?? random.pick([0, 1, 3])
        world.note("hub: drains within \(seconds) s")
        isListening = false
        for shard in shards { shard.drain(seconds: seconds) }
        awaitDrained(until: world.now + .seconds(seconds) + Link.patience, life)
    }

    private func awaitDrained(until deadline: Int64, _ present: Int) {
        world.after(.milliseconds(20)) { [self] in
            guard life == present else { return }
            guard world.now >= deadline || shards.allSatisfy({ $0.linkCount == 0 }) else {
                return awaitDrained(until: deadline, present)
            }
            cutCount += shards.reduce(0) { $0 + $1.shard.cutCount }
            world.note("hub: drained")
            endProcess(carryingOut: true)
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
