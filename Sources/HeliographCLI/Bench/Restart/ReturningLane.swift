import Bytes
import HubClient
import JSON
import Loop
import Subprotocol

/// One event loop's share of subscribers that outlive the hub. Confined to its loop.
///
/// Behind each start of its subscription a subscriber asks for `__typename`: the hub carries out a
/// socket's messages in order, so that the answer shows that the subscription is live.
final class ReturningLane: LoopHandler {
    /// How far the lane has come; cheap to ask for.
    struct Progress: Sendable {
        var connected = 0
        var live = 0
        var delivered = 0
        var failure: CommandFailure?
    }

    /// What the lane's subscribers have been through.
    struct Tally: Sendable {
        /// The connections of each subscriber, in order.
        var stays: [[Stay]] = []
        /// When attempts to connect failed.
        var vainAt: [Int64] = []
        var delivered = 0
        var duplicated = 0
        var outOfOrder = 0
        /// Events of other topics, or that are no message of this run.
        var foreign = 0
        /// Acknowledged while the subscriber was live, and not delivered; before an end, longer
        /// than any delivery took at that time.
        var lost = 0
        /// The same, but shortly before an end was read.
        var atTheEnd = 0
        /// How long before, at most, and how long deliveries took then.
        var leadMax: Int64 = 0
        var lagMax: Int64 = 0
        /// What else the subscriber did not get.
        var missed = 0
    }

    private struct Subscriber {
        var topic: Int
        var ledger = SequenceLedger()
        var stays: [Stay] = []
        var isConnected = false
        /// The question behind the present subscription, until it is answered.
        var probe: OperationHandle?
    }

    /// Handshakes under way at once at the start, so that the listener's queue does not overflow.
    private static let connectingMax = 128

    private let driver: ClientDriver
    private let settings: BenchSettings
    private var subscribers: [Subscriber]
    private var started = 0
    private var body: BenchBody
    private var progress = Progress()
    private var tally = Tally()
    private var lag = DeliveryLag()

    /// A lane for the subscribers with these numbers.
    init(_ loop: EventLoop, _ settings: BenchSettings, numbers: [Int]) {
        driver = ClientDriver(loop)
        self.settings = settings
        subscribers = numbers.map { Subscriber(topic: $0 % settings.topics) }
        body = BenchBody(run: settings.run, byteCount: settings.payloadBytes)
    }

    // MARK: What the coordinator asks

    /// Begins to connect.
    func begin() { for _ in 0..<Self.connectingMax { startNext() } }

    func report() -> Progress { progress }

    /// The final count, given what was sent.
    func tally(_ sent: PublisherLane.Sent) -> Tally {
        var result = tally
        var lag = lag
        result.delivered = progress.delivered
        result.stays = subscribers.map(\.stays)
        for subscriber in subscribers {
            result.duplicated += subscriber.ledger.duplicated
            result.outOfOrder += subscriber.ledger.outOfOrder
            let times = sent.times[subscriber.topic]
            for number in subscriber.ledger.missing(upTo: times.count)
            where times[number - 1].acknowledgedAt < .max {
                let absence = Absence(of: times[number - 1], from: subscriber.stays)
                result.count(absence) { lag.most(around: $0) }
            }
        }
        return result
    }

    // MARK: Subscribers

    private func startNext() {
        guard started < subscribers.count else { return }
        let index = started
        started += 1
        let client = driver.add(settings.clientConfiguration) { [unowned self] client, event in
            take(event, of: client, index)
        }
        start(settings.subscribeRequest(subscribers[index].topic), .subscription, on: client)
    }

    @discardableResult private func start(
        _ request: OperationRequest, _ kind: OperationKind, on client: LoopClient
    ) -> OperationHandle? {
        do throws(ClientError) {
            return try client.start(request, kind: kind)
        } catch {
            fail(settings.target.failure(error))
            return nil
        }
    }

    private func take(_ event: ClientEvent, of client: LoopClient, _ index: Int) {
        switch event {
        case .next(let handle, let payload):
            if handle == subscribers[index].probe { return becomeLive(index) }
            receive(payload, index)
        case .completed(let handle):
            if handle == subscribers[index].probe { return subscribers[index].probe = nil }
            fail(
                CommandFailure(
                    code: .failure, message: "the hub has ended a subscription by itself"))
        case .ready: becomeConnected(client, index)
        case .disconnected(let error, _): disconnected(error, index)
        case .gaveUp(let error): fail(settings.target.failure(error))
        case .failed(_, .refused(let errors)):
            fail(settings.refusal(of: "--subscription", errors))
        case .failed, .connect, .disconnect: break
        }
    }

    private func becomeConnected(_ client: LoopClient, _ index: Int) {
        let isFirst = subscribers[index].stays.isEmpty
        subscribers[index].stays.append(Stay(connectedAt: clockNanoseconds()))
        subscribers[index].isConnected = true
        progress.connected += 1
        // A question that was lost on its way has just been sent again.
        if subscribers[index].probe == nil {
            let request = OperationRequest(query: "{ __typename }")
            subscribers[index].probe = start(request, .query, on: client)
        }
        if isFirst { startNext() }
    }

    private func becomeLive(_ index: Int) {
        let last = subscribers[index].stays.count - 1
        guard last >= 0, subscribers[index].stays[last].liveAt == .max else { return }
        subscribers[index].stays[last].liveAt = clockNanoseconds()
        progress.live += 1
    }

    private func disconnected(_ error: ClientError, _ index: Int) {
        guard subscribers[index].isConnected else { return tally.vainAt.append(clockNanoseconds()) }
        subscribers[index].isConnected = false
        let last = subscribers[index].stays.count - 1
        subscribers[index].stays[last].lostAt = clockNanoseconds()
        if case .closed(let code, _) = error { subscribers[index].stays[last].closeCode = code }
        progress.connected -= 1
        if subscribers[index].stays[last].liveAt < .max { progress.live -= 1 }
    }

    private func receive(_ payload: UnsafeRawBufferPointer, _ index: Int) {
        guard let mark = body.mark(in: payload), mark.topic == subscribers[index].topic else {
            tally.foreign += 1
            progress.failure = progress.failure ?? settings.eventFailure(payload)
            return
        }
        subscribers[index].ledger.receive(mark.number)
        progress.delivered += 1
        let now = clockNanoseconds()
        lag.note(now - mark.nanoseconds, at: now)
    }

    private func fail(_ failure: CommandFailure) {
        progress.failure = progress.failure ?? failure
    }

    // MARK: What the loop tells

    func accepted(_ connection: UInt64, peer: PeerAddress) {
        driver.accepted(connection, peer: peer)
    }
    func connected(_ connection: UInt64) { driver.connected(connection) }
    func failed(_ connection: UInt64, _ error: LoopError) { driver.failed(connection, error) }
    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        driver.received(connection, bytes)
    }
    func drained(_ connection: UInt64) { driver.drained(connection) }
    func closed(_ connection: UInt64, _ reason: CloseReason) { driver.closed(connection, reason) }
    func woke() { driver.woke() }
}

extension ReturningLane.Tally {
    fileprivate mutating func count(_ absence: Absence, lag: (Int64) -> Int64) {
        switch absence {
        case .away: missed += 1
        case .lost: lost += 1
        case .atTheEnd(let lead, let endedAt):
            let usual = lag(endedAt)
            guard lead <= usual else {
                lost += 1
                return
            }
            atTheEnd += 1
            leadMax = max(leadMax, lead)
            lagMax = max(lagMax, usual)
        }
    }

    /// Adds what another lane has counted.
    mutating func add(_ other: Self) {
        stays += other.stays
        vainAt += other.vainAt
        delivered += other.delivered
        duplicated += other.duplicated
        outOfOrder += other.outOfOrder
        foreign += other.foreign
        lost += other.lost
        atTheEnd += other.atTheEnd
        leadMax = max(leadMax, other.leadMax)
        lagMax = max(lagMax, other.lagMax)
        missed += other.missed
    }
}
