import Access
import Bytes
import Hub
import JSON
import Models
import Records
import Store
import WebSocket

/// A whole shard with a store in memory, told what the input says: connections open, bytes come in
/// pieces, the store answers late, peers stop reading, time passes. It must neither trap nor keep
/// anything of a connection that is gone.
enum ShardFuzz {
    static func take(_ input: inout Input) {
        let house = FuzzedHouse(decision: input.decision())
        house.follow(input.restArray)
        house.end()
    }
}

/// The shard, its store and its peers.
private final class FuzzedHouse: Outlet {
    private let store = MemoryStore(layout: GraphQLFuzz.models.layout, epoch: "epoch")
    private var shard: Shard?
    private var handles: [UInt64?] = [nil, nil, nil, nil]
    private var lastHandle: UInt64 = 0
    private var closed: Set<UInt64> = []
    private var asks: [(ticket: UInt64, requests: [StoreRequest])] = []
    private var waiting: [UInt64: Int] = [:]
    private var awaited: Set<UInt64> = []
    private var now: Int64 = 1_000_000_000

    init(decision: UInt8) {
        var limits = Limits()
        limits.messageBytesMax = 4_096
        limits.outboxBytesMax = 10_000
        limits.operationsPerConnectionMax = 5
        limits.changesPerGroupMax = 20
        limits.parkingBytesMin = 1_000
        limits.parkedBytesMax = 2_000
        let policy: AccessPolicy =
            decision & 1 == 0
            ? .open : .apiKey(APIKey(randomBytes: Array(repeating: 1, count: 16)))
        shard = Shard(
            schema: GraphQLFuzz.models, policy: policy, limits: limits,
            slowConsumerPolicy: SlowConsumerPolicy.allCases[Int(decision >> 1) % 3],
            outlet: self, seed: 1)
    }

    private var moment: Moment {
        Moment(
            nanoseconds: now, wallMilliseconds: 1_700_000_000_000 + now / 1_000_000,
            committedOffset: store.committedOffset)
    }

    /// Each step is a line: a letter, a connection's number and, for some, what it sends.
    func follow(_ bytes: [UInt8]) {
        var steps = 0
        for line in bytes.split(separator: 0xFF, omittingEmptySubsequences: true) {
            steps += 1
            if steps > 200 { return }
            step(line)
            shard?.turnEnded(at: moment)
            leaveClosed()
        }
    }

    private func step(_ line: ArraySlice<UInt8>) {
        guard let shard, let letter = line.first else { return }
        let rest = line.dropFirst(2)
        let place = Int(line.dropFirst().first ?? 0) & 3
        switch letter {
        case UInt8(ascii: "o"): if handles[place] == nil { open(place) }
        case UInt8(ascii: "r"): send(place, Array(rest))
        case UInt8(ascii: "u"): upgrade(place, Array(rest))
        case UInt8(ascii: "m"): frame(place, Array(rest))
        case UInt8(ascii: "q"): post(place, Array(rest))
        case UInt8(ascii: "s"): answer()
        case UInt8(ascii: "f"): fail()
        case UInt8(ascii: "c"): leave(place)
        case UInt8(ascii: "e"):
            if let handle = handles[place], !shard.peerFinished(handle, at: moment) { leave(place) }
        case UInt8(ascii: "w"): if let handle = handles[place] { waiting[handle] = 9_000 }
        case UInt8(ascii: "d"): if let handle = handles[place] { drain(handle) }
        case UInt8(ascii: "t"):
            now += Int64(rest.first ?? 1) * 500_000_000
            shard.woke(at: moment)
        case UInt8(ascii: "D"): shard.drain(at: moment, seconds: Int64(rest.first ?? 0) & 15)
        default: send(place, Array(line))
        }
    }

    /// The peer reads all that it was sent.
    private func drain(_ handle: UInt64) {
        waiting[handle] = nil
        if awaited.remove(handle) != nil { shard?.drained(handle, at: moment) }
    }

    private func open(_ place: Int) {
        lastHandle += 1
        // The low half is the slot, as the loop's handles have it.
        let handle = lastHandle << 32 | UInt64(place)
        handles[place] = handle
        shard?.opened(handle, at: moment)
    }

    private func send(_ place: Int, _ bytes: [UInt8]) {
        if handles[place] == nil { open(place) }
        leaveClosed()
        guard let handle = handles[place], !bytes.isEmpty else { return }
        var bytes = bytes
        bytes.withUnsafeMutableBytes { shard?.received(handle, $0, at: moment) }
    }

    private func upgrade(_ place: Int, _ choice: [UInt8]) {
        let names = ["graphql-transport-ws", "graphql-ws", "graphql-ws, header-e30", "chat"]
        let name = names[Int(choice.first ?? 0) & 3]
        let deflate =
            (choice.first ?? 0) & 4 == 0
            ? "" : "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
        let text =
            "GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Protocol: \(name)\r\n\(deflate)\r\n"
        send(place, Array(text.utf8))
    }

    private func frame(_ place: Int, _ payload: [UInt8]) {
        var writer = WebSocketSession(role: .client, limits: WebSocketLimits(), maskSeed: 3)
        var wire = ByteQueue()
        payload.withUnsafeBytes { writer.appendFrame(.text, $0, to: &wire) }
        send(place, wire.array)
    }

    private func post(_ place: Int, _ body: [UInt8]) {
        let head =
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        send(place, Array(head.utf8) + body)
    }

    private func answer() {
        let asked = asks
        asks = []
        let results = store.perform(asked.flatMap(\.requests))
        var at = 0
        for (ticket, requests) in asked {
            let answers = Array(results.answers[at..<(at + requests.count)])
            at += requests.count
            shard?.answered(ticket, answers, at: moment)
        }
        if !results.changes.isEmpty { shard?.changed(results.changes, at: moment) }
    }

    private func fail() {
        let asked = asks
        asks = []
        for (ticket, requests) in asked {
            let failure = StoreAnswer.failed(StoreFailure(message: "no"))
            shard?.answered(ticket, requests.map { _ in failure }, at: moment)
        }
    }

    private func leave(_ place: Int) {
        guard let handle = handles[place] else { return }
        handles[place] = nil
        waiting[handle] = nil
        shard?.closed(handle, at: moment)
    }

    /// The loop forgets what the shard has closed, and does not tell it again.
    private func leaveClosed() {
        for place in handles.indices {
            if let handle = handles[place], closed.contains(handle) {
                handles[place] = nil
                waiting[handle] = nil
            }
        }
        closed.removeAll(keepingCapacity: true)
    }

    func end() {
        leaveClosed()
        for place in handles.indices { leave(place) }
        for _ in 0..<100 where !asks.isEmpty { answer() }
        demand(asks.isEmpty, "the shard asks without end")
        demand(shard?.counters.connectionsOpen == 0, "connections are counted that are gone")
        demand(shard?.counters.subscriptionsLive == 0, "subscriptions live that nobody has")
        demand(shard?.counters.parkedBytes == 0, "events are parked for nobody")
        demand(shard?.groupCount == 0, "groups are kept that nobody is in")
        demand(shard?.openTicketCount == 0, "questions are kept that were answered")
        shard = nil
    }

    // MARK: Outlet

    func send(
        _ connection: UInt64, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
        _ third: UnsafeRawBufferPointer
    ) -> Int {
        demand(handles.contains(connection), "bytes go to a connection that is not there")
        guard let before = waiting[connection] else { return 0 }
        waiting[connection] = before + first.count + second.count + third.count
        return before + first.count + second.count + third.count
    }

    func awaitDrained(_ connection: UInt64) { awaited.insert(connection) }

    func close(_ connection: UInt64, flushing: Bool) { closed.insert(connection) }

    func setReading(_ connection: UInt64, _ isReading: Bool) {}

    func ask(_ ticket: UInt64, _ requests: [StoreRequest]) { asks.append((ticket, requests)) }

    func wake(atNanoseconds time: Int64) {}
}
