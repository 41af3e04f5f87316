import Bytes

/// All connections of a run, and what goes wrong with them.
final class Network {
    let world: World
    let plan: Plan
    private let hub: SimulatedHub
    private(set) var links: [Link] = []
    private var random: SeededRandom
    private var made = 0
    private(set) var isFaulty = true

    init(_ world: World, _ plan: Plan, _ hub: SimulatedHub) {
        self.world = world
        self.plan = plan
        self.hub = hub
        random = world.newRandom()
        scheduleFault()
    }

    /// Begins a connection to the hub; the peer is told how it went.
    func connect(_ peer: any Peer) -> Link {
        made += 1
        let link = Link(number: made, world: world, peer: peer, habits: newHabits())
        links.removeAll(where: \.isOver)
        links.append(link)
        if isFaulty, plan.has(.refusals), random.chance(20) {
            world.note("link \(link.number): nobody will answer")
            return link
        }
        let isRefused = isFaulty && plan.has(.refusals) && random.chance(20)
        world.after(random.skewed(.microseconds(50)...(.milliseconds(20)))) { [self] in
            if isRefused { return link.fail() }
            hub.connect(link)
        }
        return link
    }

    /// From now on nothing goes wrong, and what stood still goes on.
    func heal() {
        isFaulty = false
        for link in links { link.heal() }
    }

    private func newHabits() -> Link.Habits {
        var habits = Link.Habits()
        habits.bufferBytes = plan.has(.tightLimits) ? 300 : random.pick([1_000, 4_000, 65_536])
        guard isFaulty else { return habits }
        if plan.has(.crumbs), random.chance(50) { habits.chunkMax = random.pick([3, 40, 500]) }
        if plan.has(.slowReaders), random.chance(40) {
            habits.readPause = .milliseconds(Int64.random(in: 20...400, using: &random))
            habits.chunkMax = random.pick([200, 1_000])
        }
        if random.chance(20) { habits.latencyMax = .milliseconds(80) }
        return habits
    }

    private func scheduleFault() {
        let faults = [Fault.resets, .stalls, .vanishing].filter(plan.has)
        guard !faults.isEmpty else { return }
        let pause = random.skewed(.milliseconds(50)...(.seconds(4)))
        world.after(pause) { [self] in
            guard isFaulty else { return }
            links.removeAll(where: \.isOver)
            if !links.isEmpty { disturb(random.pick(links), random.pick(faults)) }
            scheduleFault()
        }
    }

    private func disturb(_ link: Link, _ fault: Fault) {
        switch fault {
        case .resets:
            world.note("link \(link.number): breaks")
            link.reset()
        case .stalls:
            let ways = random.pick([[Link.Way.up], [.down], [.up, .down]])
            let time = random.skewed(.milliseconds(50)...(.seconds(40)))
            world.note("link \(link.number): stalls \(ways) for \(time / 1_000_000) ms")
            link.stall(until: world.now + time, ways)
        default:
            world.note("link \(link.number): is cut in silence")
            link.stall(until: .max, [.up, .down])
        }
    }
}
