import Bytes
import HubClient
import JSON
import Loop

/// One event loop's share of the subscribers. Confined to its loop.
final class SubscriberLane: LoopHandler {
    /// How far the lane has come; cheap to ask for.
    struct Progress: Sendable {
        var ready = 0
        var live = 0
        var delivered = 0
        /// When the last subscriber was connected.
        var readyAt: Int64 = 0
        var failure: CommandFailure?
    }

    /// What the lane's subscribers got.
    struct Tally: Sendable {
        var delivered = 0
        var duplicated = 0
        var outOfOrder = 0
        var lost = 0
        /// Messages of topics that the subscriber did not ask for.
        var astray = 0
        /// Events that are no message of this run.
        var foreign = 0
        var disconnects = 0
        /// Subscribers whose hub agreed to compress.
        var compressed = 0
        var lastDeliveryAt: Int64 = 0
        var latency = Histogram()
        var connectTime = Histogram()
    }

    private struct Subscriber {
        var topic: Int
        var ledger = SequenceLedger()
        var startedAt: Int64 = 0
        var isReady = false
        var isLive = false
    }

    /// Handshakes under way at once, so that the listener's queue does not overflow.
    private static let connectingMax = 128

    private let driver: ClientDriver
    private let settings: BenchSettings
    private var subscribers: [Subscriber]
    private var started = 0
    private var body: BenchBody
    private var progress = Progress()
    private var tally = Tally()

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

    func report() -> Progress {
        var progress = progress
        progress.delivered = tally.delivered
        return progress
    }

    /// Topics of subscribers that have not got a single message yet.
    func silentTopics() -> Set<Int> {
        Set(subscribers.lazy.filter { !$0.isLive }.map(\.topic))
    }

    /// The final count, given what was sent.
    func tally(_ sent: PublisherLane.Sent) -> Tally {
        var result = tally
        for subscriber in subscribers {
            result.duplicated += subscriber.ledger.duplicated
            result.outOfOrder += subscriber.ledger.outOfOrder
            result.lost += subscriber.ledger.lost(
                upTo: sent.lastNumbers[subscriber.topic],
                except: sent.excused[subscriber.topic] ?? [])
        }
        return result
    }

    // MARK: Subscribers

    private func startNext() {
        guard started < subscribers.count else { return }
        let index = started
        started += 1
        subscribers[index].startedAt = clockNanoseconds()
        let client = driver.add(settings.clientConfiguration) { [unowned self] client, event in
            take(event, of: client, index)
        }
        let request = settings.subscribeRequest(subscribers[index].topic)
        do throws(ClientError) {
            _ = try client.start(request, kind: .subscription)
        } catch {
            fail(settings.target.failure(error))
        }
    }

    private func take(_ event: ClientEvent, of client: LoopClient, _ index: Int) {
        switch event {
        case .next(_, let payload): receive(payload, index)
        case .ready: becomeReady(index, isCompressed: client.session.isCompressed)
        case .disconnected: if subscribers[index].isReady { tally.disconnects += 1 }
        case .gaveUp(let error): fail(settings.target.failure(error))
        case .failed(_, .refused(let errors)):
            fail(settings.refusal(of: "--subscription", errors))
        case .completed:
            fail(
                CommandFailure(
                    code: .failure, message: "the hub has ended a subscription by itself"))
        case .failed, .connect, .disconnect: break
        }
    }

    private func becomeReady(_ index: Int, isCompressed: Bool) {
        guard !subscribers[index].isReady else { return }
        subscribers[index].isReady = true
        if isCompressed { tally.compressed += 1 }
        let now = clockNanoseconds()
        tally.connectTime.record(now - subscribers[index].startedAt)
        progress.ready += 1
        progress.readyAt = now
        startNext()
    }

    private func receive(_ payload: UnsafeRawBufferPointer, _ index: Int) {
        guard let mark = body.mark(in: payload) else {
            tally.foreign += 1
            progress.failure = progress.failure ?? settings.eventFailure(payload)
            return
        }
        guard mark.topic == subscribers[index].topic else {
            tally.astray += 1
            return
        }
        guard mark.number > 0 else {
            if !subscribers[index].isLive { progress.live += 1 }
            subscribers[index].isLive = true
            return
        }
        let now = clockNanoseconds()
        subscribers[index].ledger.receive(mark.number)
        tally.delivered += 1
        tally.lastDeliveryAt = now
        tally.latency.record(now - mark.nanoseconds)
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
