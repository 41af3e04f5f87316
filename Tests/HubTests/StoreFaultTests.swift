import Bytes
import Hub
import JSON
import Records
import Store
import Testing

/// What becomes of subscriptions when the store cannot do its part.
@Suite struct StoreFaultTests {
    private static let ofThread = """
        subscription { onCreateReply(filter: {message: {thread: {name: {eq: "a"}}}}) { id } }
        """

    private func watching(_ rig: Rig, _ socket: UInt64, _ id: JSONValue) {
        let payload: JSONValue = ["query": .string(Text(Self.ofThread))]
        rig.say(socket, ["id": id, "type": "subscribe", "payload": payload])
    }

    /// Answers everything that was asked, as a store whose queue is full.
    private func failAll(_ rig: Rig) {
        let asks = rig.outlet.asks
        rig.outlet.asks = []
        for (ticket, requests) in asks {
            let failure = StoreAnswer.failed(StoreFailure(message: "full"))
            rig.shard.answered(ticket, requests.map { _ in failure }, at: rig.moment)
        }
    }

    @Test func `a watch that failed refuses those who wait, and the next one starts anew`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        watching(rig, socket, "a")
        watching(rig, socket, "b")
        failAll(rig)
        #expect(rig.hear(socket).map { $0["type"] } == ["error", "error"])
        #expect(rig.shard.groupCount == 0)
        #expect(rig.outlet.asks.isEmpty)
        watching(rig, socket, "c")
        rig.settle()
        #expect(rig.shard.counters.subscriptionsLive == 1)
    }

    @Test(arguments: [true, false])
    func `a watch is taken back after its answer, if it came about`(isFailing: Bool) throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        watching(rig, socket, "a")
        rig.say(socket, ["id": "a", "type": "complete"])
        #expect(rig.outlet.asks.count == 1)
        if isFailing {
            failAll(rig)
            #expect(rig.outlet.asks.isEmpty)
        } else {
            // The store stops the process if something is taken back that is not watched.
            rig.settle()
        }
        #expect(rig.shard.openTicketCount == 0)
        #expect(rig.shard.groupCount == 0)
    }

    @Test func `what is begun and ended at once is limited like what stays`() throws {
        let rig = try Rig { $0.operationsPerConnectionMax = 3 }
        let socket = rig.readySocket()
        let query: JSONValue = ["query": "{ listThreads { nextToken } }"]
        watching(rig, socket, "w")
        rig.say(socket, ["id": "w", "type": "complete"])
        for id in ["1", "2", "3", "4"] as [JSONValue] {
            rig.say(socket, ["id": id, "type": "subscribe", "payload": query])
            rig.say(socket, ["id": id, "type": "complete"])
        }
        #expect(rig.outlet.asks.count == 3)
        #expect(rig.hear(socket).map { $0["type"] } == ["error", "error"])
        rig.settle()
        #expect(rig.hear(socket) == [])
        for id in ["1", "2", "3"] as [JSONValue] {
            rig.say(socket, ["id": id, "type": "subscribe", "payload": query])
        }
        rig.settle()
        #expect(rig.hear(socket).filter { $0["type"] == "next" }.count == 3)
    }

    @Test func `what could not be taken back is taken back with the next sweep`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        watching(rig, socket, "a")
        rig.settle()
        rig.shard.closed(socket, at: rig.moment)
        failAll(rig)
        #expect(rig.outlet.asks.isEmpty)
        rig.nanoseconds += 2_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.outlet.asks.count == 1)
        rig.settle()
        rig.outlet.wakeAt = nil
        rig.nanoseconds += 2_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.outlet.asks.isEmpty)
        #expect(rig.outlet.wakeAt == nil)
    }
}
