import Bytes
import Hub
import JSON
import Records
import Testing

/// Histories in which the simulation found a fault of the hub, each as a script of its own.
@Suite struct ScenarioTests {
    private func plan(_ faults: Set<Fault> = []) -> Plan {
        var plan = Plan()
        plan.faults = faults
        return plan
    }

    /// A run in which nothing happens by chance.
    private func quietRun(_ plan: Plan) -> Run {
        let run = Run(seed: 1, plan)
        run.hub.heal()
        run.network.heal()
        return run
    }

    private static let ofPlace = Interest(
        field: "onCreateMessage", model: "Message", kind: .create,
        query: """
            subscription($l: String) {
              onCreateMessage(filter: {thread: {location: {eq: $l}}}) {id body}
            }
            """,
        variables: ["l": "north"]
    ) { $0[1]?["location"] == "north" }

    private static let ofAll = Interest(
        field: "onCreateMessage", model: "Message", kind: .create,
        query: "subscription { onCreateMessage { id body thread { name } } }"
    ) { _ in true }

    @Test func `a subscription refused by a full store does not spoil the next one like it`() {
        let run = quietRun(plan([.overflows]))
        let violation = run.perform {
            run.clients[0].subscribe(Self.ofPlace)
            run.hub.store.overflows = 1
            run.world.run(until: run.world.now + .seconds(1))
            #expect(run.clients[0].subscriptionCount == 0)
            run.clients[1].subscribe(Self.ofPlace)
            run.world.run(until: run.world.now + .seconds(1))
            #expect(run.clients[1].subscriptionCount == 1)
        }
        #expect(violation == nil)
    }

    @Test func `a watch that the store cannot take back is taken back later`() {
        let run = quietRun(plan([.overflows]))
        let violation = run.perform {
            run.clients[0].subscribe(Self.ofPlace)
            run.world.run(until: run.world.now + .seconds(1))
            #expect(!run.hub.store.watched.isEmpty)
            run.hub.store.overflows = 2
            run.clients[0].leave()
            run.world.run(until: run.world.now + .seconds(5))
            #expect(run.hub.store.overflows == 0)
            #expect(run.hub.store.watched.isEmpty)
        }
        #expect(violation == nil)
    }

    @Test(arguments: 1...3)
    func `a restart under many clients: all are told everything, go in turn and come back`(
        shardCount: Int
    ) {
        var plan = plan([.drains, .lateShards])
        plan.shardCount = shardCount
        plan.clientCount = 24
        plan.endsByChance = false
        let run = Run(seed: UInt64(shardCount), plan)
        run.network.heal()
        let violation = run.perform {
            for client in run.clients {
                client.subscribe(Self.ofPlace)
                client.subscribe(Self.ofAll)
                client.probe()
            }
            for number in 0..<300 {
                let client = run.clients[number * 7 % run.clients.count]
                run.world.after(.milliseconds(Int64(number) * 25)) { client.mutate() }
            }
            run.world.run(until: run.world.now + .seconds(1))
            run.hub.drain(seconds: 5)
            run.world.run(until: run.world.now + .seconds(15))
        }
        #expect(violation == nil)
        #expect(run.promiseCount == run.clients.count)
        #expect(run.hub.cutCount == 0)
        #expect(run.eventCount > 1_000)
    }

    private static let allNew = Interest(
        field: "onCreateMessage", model: "Message", kind: .create,
        query: "subscription {onCreateMessage {id body}}")
    private static let allChanged = Interest(
        field: "onUpdateMessage", model: "Message", kind: .update,
        query: "subscription {onUpdateMessage {id body}}")

    /// A client that does not read for a time in which others write, under each gentle policy:
    /// the run's checks count what came and what was said not to.
    @Test(arguments: [SlowConsumerPolicy.dropOldest, .latest])
    func `a client that stops reading misses what it is told it misses, and no more`(
        policy: SlowConsumerPolicy
    ) {
        var plan = plan()
        plan.clientCount = 3
        plan.limits.parkingBytesMin = 300
        plan.limits.parkedBytesMax = policy == .latest ? 100_000 : 3_000
        let run = Run(seed: 2, plan)
        run.hub.heal()
        run.network.heal()
        let violation = run.perform {
            for interest in [Self.allNew, Self.allChanged] {
                run.clients[0].subscribe(interest, policy)
                run.clients[1].subscribe(interest)
            }
            run.world.run(until: run.world.now + .seconds(1))
            for link in run.network.links { link.habits.bufferBytes = 1_000 }
            for _ in 0..<3 {
                run.clients[0].stall(for: .seconds(8))
                for _ in 0..<200 {
                    run.world.run(until: run.world.now + .milliseconds(40))
                    run.clients[2].mutate()
                }
                run.world.run(until: run.world.now + .seconds(2))
            }
        }
        #expect(violation == nil)
        #expect(policy == .latest || run.droppedCount > 100)
        #expect(policy == .dropOldest || run.replacedCount > 5)
    }

    @Test func `all requests of a publisher that half-closes are answered`() {
        let run = quietRun(plan())
        var publisher: Publisher?
        let violation = run.perform {
            publisher = Publisher(-1, run)
            publisher?.send(4, closing: true)
            run.world.run(until: run.world.now + .seconds(5))
        }
        #expect(violation == nil)
        #expect(publisher?.answerCount == 4)
    }
}
