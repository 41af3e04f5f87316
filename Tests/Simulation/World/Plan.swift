import Bytes
import Hub

/// What can go wrong in a run. Each seed draws which of these are on, so that faults are met
/// alone, together and not at all.
enum Fault: String, CaseIterable {
    /// Connections break, mostly in the middle of a frame.
    case resets
    /// A direction of a connection stands still for seconds.
    case stalls
    /// A connection goes silent for ever and nobody is told.
    case vanishing
    /// Connection attempts are refused, or never answered.
    case refusals
    /// Bytes arrive a few at a time.
    case crumbs
    /// Some peers take what they are sent only slowly.
    case slowReaders
    /// Some clients stop reading for seconds, and events are parked early.
    case stalledReaders
    /// The store takes its time.
    case slowStore
    /// A transaction cannot be committed: all writes of its batch fail.
    case failedBatches
    /// The store's queue is full: all requests of a job fail at once.
    case overflows
    /// Some shards are told of answers and changes late.
    case lateShards
    /// The hub stops in good order and starts again.
    case drains
    /// The hub's process dies and starts again.
    case crashes
    /// Peers that send garbage, wrong messages and floods.
    case hostility
    /// The hub's limits are small enough to be reached.
    case tightLimits
}

/// A violation that is planted into a run, to see that the checkers catch it.
enum Sabotage: String, CaseIterable {
    /// A shard is not told of a change.
    case losesChange
    /// A shard is told of a change once more, later.
    case repeatsChange
    /// The changes of two batches come in the wrong order.
    case swapsChanges
    /// A write is answered as done and is not.
    case losesWrite
    /// A write is answered as failed and is done.
    case deniesWrite
    /// A job is never answered.
    case losesAnswer
    /// The store is never told that relations need not be watched any more.
    case losesUnwatch
    /// The hub hears nothing of waiting bytes.
    case hidesBacklog
    /// The hub does not know how far the store has come.
    case hidesCommits
    /// Clients do not see what an event says of those that were dropped or replaced.
    case hidesNotes
}

/// The settings of a run, drawn from its seed.
struct Plan {
    var faults: Set<Fault> = []
    var shardCount = 1
    var clientCount = 2
    var publisherCount = 1
    var hostileCount = 0
    /// How long faults and new work go on, in nanoseconds.
    var chaos: Int64 = .seconds(10)
    /// The mean time between two actions of one actor, in nanoseconds.
    var pace: Int64 = .milliseconds(300)
    var limits = Limits()
    /// Whether the hub drains and dies by chance; a script can have it do so by its own will.
    var endsByChance = true
    /// For clients that do not choose.
    var slowConsumerPolicy = SlowConsumerPolicy.close
    var sabotage: Sabotage?

    init() {}

    init(drawing random: inout SeededRandom) {
        let likelihood = random.pick([0, 15, 30, 30, 50])
        for fault in Fault.allCases where random.chance(likelihood) { faults.insert(fault) }
        shardCount = Int.random(in: 1...3, using: &random)
        clientCount = Int.random(in: 2...5, using: &random)
        publisherCount = Int.random(in: 0...2, using: &random)
        if faults.contains(.hostility) { hostileCount = Int.random(in: 1...4, using: &random) }
        chaos = .seconds(Int64.random(in: 3...8, using: &random))
        pace = .milliseconds(Int64.random(in: 100...600, using: &random))
        if faults.contains(.tightLimits) { tighten(&random) }
        slowConsumerPolicy = random.pick(SlowConsumerPolicy.allCases)
        if faults.contains(.stalledReaders) {
            limits.parkingBytesMin = random.pick([0, 200, 2_000])
            limits.parkedBytesMax = random.pick([1_500, 4_000, 1_048_576])
        }
    }

    private mutating func tighten(_ random: inout SeededRandom) {
        limits.outboxBytesMax = random.pick([1_000, 3_000, 20_000])
        limits.operationsPerConnectionMax = random.pick([9, 12, 30])
        limits.subscriptionsPerConnectionMax = limits.operationsPerConnectionMax
        limits.changesPerGroupMax = random.pick([0, 1, 20])
        limits.pipelinedBytesMax = random.pick([500, 5_000])
        limits.preparedOperationsMax = random.pick([1, 3, 10])
        limits.messageBytesMax = random.pick([8_000, 60_000])
        limits.headSecondsMax = 3
        limits.bodySecondsMax = 5
        limits.initSecondsMax = 3
    }

    func has(_ fault: Fault) -> Bool { faults.contains(fault) }

    /// Whether an orderly client's connection may end without its doing.
    var losesConnections: Bool {
        !faults.isDisjoint(with: [
            .resets, .stalls, .vanishing, .refusals, .slowReaders, .drains, .crashes, .tightLimits,
        ]) || losesParked
    }

    /// Whether a client can always come back as soon as the hub is there again.
    var returnsFreely: Bool {
        faults.isDisjoint(with: [
            .resets, .stalls, .vanishing, .refusals, .slowReaders, .tightLimits,
        ])
    }

    /// Whether more events may wait for an orderly client than the hub parks.
    var losesParked: Bool { limits.parkedBytesMax < 100_000 }

    /// Whether an orderly operation may be refused.
    var refusesOperations: Bool {
        !faults.isDisjoint(with: [.failedBatches, .overflows, .tightLimits])
    }

    /// For the first line of a trace.
    var summary: String {
        let names = faults.map(\.rawValue).sorted().joined(separator: " ")
        return "\(shardCount) shards, \(clientCount) clients, \(publisherCount) publishers, "
            + "\(hostileCount) hostile peers; faults: \(names.isEmpty ? "none" : names)"
    }
}
