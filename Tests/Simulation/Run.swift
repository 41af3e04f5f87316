import Bytes
import Hub
import JSON
import Models
import Records

/// One seed's whole run: a time of faults and work, a quiet time in which everybody comes back,
/// a last round of writes, the checks, and everybody's leaving.
final class Run {
    /// The schema that all runs serve: a chat with relations over two steps.
    static let schema: ModelSchema = {
        let sdl: Text = """
            type Thread @model {
              id: ID!
              name: String!
              location: String!
              messages: [Message] @connection(name: "ThreadMessages")
            }
            type Message @model {
              id: ID!
              body: String!
              author: String
              rank: Int
              thread: Thread @connection(name: "ThreadMessages")
              replies: [Reply] @connection(name: "MessageReplies")
            }
            type Reply @model {
              id: ID!
              body: String!
              message: Message @connection(name: "MessageReplies")
            }
            """
        do { return try ModelSchema(sdl: sdl) } catch {
            preconditionFailure("the simulation's schema has a fault: \(error)")
        }
    }()

    let world: World
    let plan: Plan
    let journal: Journal
    let hub: SimulatedHub
    let network: Network
    var attempts: [Attempt] = []
    var ends = EndCheck(longest: .seconds(120))
    var eventCount = 0
    /// How often a client was closed in its turn, and had been told all that was promised.
    var promiseCount = 0
    /// How many events the hub said it dropped, and replaced.
    var droppedCount = 0
    var replacedCount = 0
    /// Whether actors begin new work.
    private(set) var isBusy = true
    private(set) var clients: [SimulatedClient] = []
    private var publishers: [Publisher] = []
    private var hostiles: [HostilePeer] = []
    private let threadCount: UInt64

    convenience init(seed: UInt64, isTracing: Bool = false) {
        var random = SeededRandom(seed: seed)
        self.init(seed: seed, Plan(drawing: &random), isTracing: isTracing)
    }

    init(seed: UInt64, _ plan: Plan, isTracing: Bool = false) {
        self.plan = plan
        world = World(seed: seed, isTracing: isTracing)
        world.note("seed \(seed): \(plan.summary)")
        journal = Journal(layout: Self.schema.layout)
        hub = SimulatedHub(world, plan, Self.schema, journal)
        hub.store.prepare(Self.threads)
        threadCount = journal.end
        network = Network(world, plan, hub)
    }

    private static var threads: [RecordWrite] {
        guard let model = schema.layout.modelID(named: "Thread") else { return [] }
        return DrawnFilter.threads.enumerated().map { index, id in
            let row: Row = [
                "id": .string(id), "name": .string(Text("name of \(id)")),
                "location": .string(DrawnFilter.places[index % DrawnFilter.places.count]),
                "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z",
            ]
            let values = schema.layout.models[model].fields.map { row[$0.name] ?? .null }
            return RecordWrite(key: RecordKey(model: model, id: id), action: .create(values))
        }
    }

    // MARK: The run

    /// Runs the seed to its end and returns what went wrong.
    @discardableResult func perform() -> String? {
        perform {
            publishers = (0..<plan.publisherCount).map { Publisher($0, self) }
            hostiles = (0..<plan.hostileCount).map { HostilePeer($0, self) }
            for client in clients { client.beginActing() }
            world.run(until: world.now + plan.chaos)
        }
    }

    /// The same with a script in the place of the time of faults.
    @discardableResult func perform(_ script: () -> Void) -> String? {
        clients = (0..<plan.clientCount).map { SimulatedClient($0, self) }
        script()
        calmDown()
        lastRound()
        check()
        leave()
        world.end()
        return world.violation
    }

    /// Faults stop; everybody finds out what was lost and comes back.
    private func calmDown() {
        world.note("calm")
        isBusy = false
        for client in clients { client.comeBack() }
        hub.heal()
        network.heal()
        for client in clients { client.goOnReading() }
        world.run(until: world.now + .seconds(75))
        for client in clients { client.probe() }
        world.run(until: world.now + .seconds(2))
    }

    /// Writes that reach every subscription of which they are.
    private func lastRound() {
        for round in 0..<8 {
            let client = clients[round % clients.count]
            world.after(.milliseconds(Int64(round) * 100)) { client.mutate() }
        }
        world.run(until: world.now + .seconds(5))
    }

    private func check() {
        guard world.violation == nil else { return }
        for client in clients {
            if let missing = client.missing { return world.violate(missing) }
        }
        if let overdue = ends.overdue(at: world.now + ends.longest) { world.violate(overdue) }
        if let fault = journal.fault { world.violate(fault) }
        let commits = journal.commits.dropFirst(Int(threadCount))
        if let fault = MutationCheck.fault(attempts, commits) { world.violate(fault) }
    }

    private func leave() {
        guard world.violation == nil else { return }
        world.note("everybody leaves")
        for client in clients { client.leave() }
        for publisher in publishers { publisher.leave() }
        for hostile in hostiles { hostile.leave() }
        world.run(until: world.now + .seconds(130))
        guard world.violation == nil else { return }
        for shard in hub.shards {
            shard.noteCounters()
            if let fault = EmptinessCheck.fault(shard.holdings) {
                return world.violate("shard \(shard.number): \(fault)")
            }
        }
        if !hub.store.watched.isEmpty {
            world.violate("the store still watches relations that nobody asks for")
        }
    }
}
