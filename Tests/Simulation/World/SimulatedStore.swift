import Bytes
import Records
import Store

/// The store's worker: takes whatever waits as one batch after a random time, publishes how far
/// it has come, answers the shard that asked and tells all shards the changes.
///
/// Imitates `StoreHost` in `HubServer` over the real `MemoryStore`, which stands for the disk:
/// it outlives the hub's process.
final class SimulatedStore {
    private struct Job {
        var shard: SimulatedShard
        var ticket: UInt64
        var requests: [StoreRequest]
    }

    let world: World
    let plan: Plan
    let journal: Journal
    private let store: MemoryStore
    private let layout: DataLayout
    private var waiting: [Job] = []
    private var isScheduled = false
    private var life = 0
    private var random: SeededRandom
    var isFaulty = true
    /// How many of the next jobs find the queue full.
    var overflows = 0
    /// A change that sabotage holds back.
    private var held: [Change] = []

    /// What is watched, beside the store's own count: a new process watches nothing.
    private(set) var watched: [RelationPath: Int] = [:]

    init(_ world: World, _ plan: Plan, layout: DataLayout, journal: Journal) {
        self.world = world
        self.plan = plan
        self.layout = layout
        self.journal = journal
        store = MemoryStore(layout: layout, epoch: "epoch")
        random = world.newRandom()
    }

    /// What `StoreHost` publishes before anybody is told of a change.
    var committedOffset: UInt64 { store.committedOffset }

    /// Writes something before the run.
    func prepare(_ writes: [RecordWrite]) {
        journal.add(store.perform(writes.map { .write($0) }).changes)
    }

    func submit(_ shard: SimulatedShard, _ ticket: UInt64, _ requests: [StoreRequest]) {
        if overflows > 0 || isFaulty && plan.has(.overflows) && random.chance(4) {
            overflows = max(0, overflows - 1)
            world.note("store: the queue is full for shard \(shard.number)'s ticket \(ticket)")
            let failure = StoreFailure(message: "too many requests wait for the store")
            shard.post([(ticket, requests.map { _ in .failed(failure) })], [])
            return
        }
        waiting.append(Job(shard: shard, ticket: ticket, requests: requests))
        schedule()
    }

    /// The hub's process ends. Without patience, what waits is lost.
    func processEnded(carryingOut: Bool) {
        if carryingOut { perform() }
        life += 1
        isScheduled = false
        waiting = []
        for (path, count) in watched {
            _ = store.perform((0..<count).map { _ in .unwatch([path]) })
        }
        watched = [:]
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        let slowest: Int64 =
            isFaulty && plan.has(.slowStore) ? .milliseconds(600) : .milliseconds(8)
        let present = life
        world.after(random.skewed(.microseconds(20)...slowest)) { [self] in
            guard life == present else { return }
            isScheduled = false
            perform()
        }
    }

    private func perform() {
        guard !waiting.isEmpty else { return }
        let jobs = waiting
        waiting = []
        let results = carryOut(jobs.flatMap(\.requests))
        journal.add(results.changes)
        world.mix(store.committedOffset)
        world.note("store: \(jobs.count) jobs, \(results.changes.count) changes")
        var shards: [SimulatedShard] = []
        for job in jobs where !shards.contains(where: { $0 === job.shard }) {
            shards.append(job.shard)
        }
        for shard in shards.first?.hub.shards ?? [] {
            var answers: [(UInt64, [StoreAnswer])] = []
            var at = 0
            for job in jobs {
                let end = at + job.requests.count
                if job.shard === shard {
                    answers.append((job.ticket, Array(results.answers[at..<end])))
                }
                at = end
            }
            var changes = results.changes
            if shard.number == 0 { sabotage(&answers, &changes) }
            if answers.isEmpty && changes.isEmpty { continue }
            shard.post(answers, changes)
        }
    }

    /// One transaction. If it fails, its writes do and nothing is changed; reads go on.
    private func carryOut(_ requests: [StoreRequest]) -> StoreResults {
        let results: StoreResults
        if plan.sabotage == .losesWrite, random.chance(30) {
            results = pretending(requests)
        } else if isFaulty, plan.has(.failedBatches), random.chance(15) {
            results = failing(requests)
        } else {
            results = store.perform(requests)
        }
        for request in requests {
            switch request {
            case .watch(let paths): for path in paths { watched[path, default: 0] += 1 }
            case .unwatch(let paths) where plan.sabotage != .losesUnwatch:
                for path in paths { unwatched(path) }
            default: break
            }
        }
        return results
    }

    /// Falsifies what the first shard is told, in one of some cases.
    private func sabotage(
        _ answers: inout [(UInt64, [StoreAnswer])], _ changes: inout [Change]
    ) {
        guard let sabotage = plan.sabotage, random.chance(30) || !held.isEmpty else { return }
        switch sabotage {
        case .losesChange: changes = Array(changes.dropFirst())
        case .repeatsChange, .swapsChanges:
            guard let first = changes.first else { return }
            if held.isEmpty {
                held = [first]
                if sabotage == .swapsChanges { changes.removeFirst() }
            } else {
                changes += held
                held = []
            }
        case .losesAnswer: answers = Array(answers.dropFirst())
        case .deniesWrite:
            let failure = StoreFailure(message: "denied")
            answers = answers.map { ticket, all in
                (ticket, all.map { if case .written = $0 { .failed(failure) } else { $0 } })
            }
        case .losesWrite, .losesUnwatch, .hidesBacklog, .hidesCommits, .hidesNotes: break
        }
    }

    private func unwatched(_ path: RelationPath) {
        let count = watched[path, default: 0] - 1
        if count < 0 { world.violate("a path is unwatched that nobody watches") }
        watched[path] = count == 0 ? nil : count
    }

    /// Answers writes by what another store says; this one has them not.
    private func pretending(_ requests: [StoreRequest]) -> StoreResults {
        let other = MemoryStore(layout: layout, epoch: "other")
        return readingOnly(requests) { other.perform([$0]).answers[0] }
    }

    private func failing(_ requests: [StoreRequest]) -> StoreResults {
        world.note("store: the transaction fails")
        let failure = StoreFailure(message: "the disk is full")
        return readingOnly(requests) { _ in .failed(failure) }
    }

    private func readingOnly(
        _ requests: [StoreRequest], writes: (StoreRequest) -> StoreAnswer
    ) -> StoreResults {
        let answers = requests.map { request in
            if case .write = request { return writes(request) }
            return store.perform([request]).answers[0]
        }
        return StoreResults(answers: answers, changes: [])
    }
}
