import Bytes
import Hub
import HubClient
import JSON
import Loop

/// The subscribers that stop reading once they are live, as a phone does in a tunnel, and read on
/// at the end. On a loop of their own, with small kernel buffers. Confined to it.
final class StalledLane: LoopHandler {
    /// What became of them.
    struct Tally: Sendable, Equatable {
        /// Still connected at the end.
        var connected = 0
        /// Closed by the hub, by code.
        var closed: [UInt16: Int] = [:]
        /// The first of its reasons.
        var firstReason: String?
        /// Connections that ended without a close that could be read.
        var cutOff = 0
        /// Events that came, before and after the stall.
        var received = 0
        /// Events of which others said that they were dropped.
        var dropped = 0
        /// Events of which others said that they stand for them.
        var replaced = 0
        /// Events that neither came nor were said to be missing, and those said but come.
        var unaccounted = 0
    }

    private struct Subscriber {
        var topic: Int
        var client: LoopClient?
        var isReady = false
        var isLive = false
        var last = 0
    }

    /// Bytes of the kernel's receive buffer, so that a stall is felt soon.
    private static let receiveBytes = 4_096
    private static let connectingMax = 128

    private let driver: ClientDriver
    private let settings: BenchSettings
    private var subscribers: [Subscriber]
    private var started = 0
    private var body: BenchBody
    private var progress = SubscriberLane.Progress()
    private var result = Tally()

    static func start(_ settings: BenchSettings) throws(LoopError) -> LoopPoster<StalledLane> {
        var limits = LoopLimits()
        limits.socketReceiveBytes = receiveBytes
        return try EventLoop.start(name: "stalled", limits: limits) { StalledLane($0, settings) }
    }

    private init(_ loop: EventLoop, _ settings: BenchSettings) {
        driver = ClientDriver(loop)
        self.settings = settings
        subscribers = (settings.readers..<settings.connections).map {
            Subscriber(topic: $0 % settings.topics)
        }
        body = BenchBody(run: settings.run, byteCount: settings.payloadBytes)
    }

    // MARK: What the coordinator asks

    /// Begins to connect.
    func begin() { for _ in 0..<Self.connectingMax { startNext() } }

    func report() -> SubscriberLane.Progress { progress }

    /// Topics of subscribers that have not got a single message yet.
    func silentTopics() -> Set<Int> {
        Set(subscribers.lazy.filter { !$0.isLive }.map(\.topic))
    }

    /// Stops reading.
    func stall() { for subscriber in subscribers { subscriber.client?.setReading(false) } }

    /// Reads on.
    func resume() { for subscriber in subscribers { subscriber.client?.setReading(true) } }

    /// What became of them by now.
    func tally() -> Tally {
        var tally = result
        tally.connected = subscribers.count { $0.client != nil }
        return tally
    }

    /// The final count, given what was sent: who is connected has to have the last message.
    func tally(_ sent: PublisherLane.Sent) -> Tally {
        var tally = tally()
        guard sent.excused.isEmpty else { return tally }
        for subscriber in subscribers where subscriber.client != nil {
            tally.unaccounted += sent.lastNumbers[subscriber.topic] - subscriber.last
        }
        return tally
    }

    // MARK: Subscribers

    private func startNext() {
        guard started < subscribers.count else { return }
        let index = started
        started += 1
        var configuration = settings.clientConfiguration
        if let policy = settings.stalledPolicy { configuration.setSlowConsumer(policy) }
        // Who does not read hears no pong either.
        configuration.pingIntervalNanoseconds = 86_400_000_000_000
        let client = driver.add(configuration) { [unowned self] client, event in
            take(event, index, client)
        }
        subscribers[index].client = client
        do throws(ClientError) {
            _ = try client.start(
                settings.subscribeRequest(subscribers[index].topic), kind: .subscription)
        } catch {
            fail(settings.target.failure(error))
        }
    }

    private func take(_ event: ClientEvent, _ index: Int, _ client: LoopClient) {
        guard subscribers[index].client === client else { return }
        switch event {
        case .next(_, let payload): receive(payload, index)
        case .ready:
            subscribers[index].isReady = true
            progress.ready += 1
            progress.readyAt = clockNanoseconds()
            startNext()
        case .disconnected(let error, _) where subscribers[index].isReady:
            ended(error)
            subscribers[index].client = nil
            client.close()
        case .gaveUp(let error): fail(settings.target.failure(error))
        case .failed(_, .refused(let errors)):
            fail(settings.refusal(of: "--subscription", errors))
        case .disconnected, .failed, .completed, .connect, .disconnect: break
        }
    }

    private func ended(_ error: ClientError) {
        guard case .closed(let code, let reason) = error else {
            result.cutOff += 1
            return
        }
        result.closed[code, default: 0] += 1
        result.firstReason = result.firstReason ?? reason.string
    }

    private func receive(_ payload: UnsafeRawBufferPointer, _ index: Int) {
        guard let mark = body.mark(in: payload), mark.topic == subscribers[index].topic else {
            return
        }
        if !subscribers[index].isLive { progress.live += 1 }
        subscribers[index].isLive = true
        let note = note(in: payload)
        result.dropped += note.dropped
        result.replaced += note.replaced
        guard mark.number > 0 else { return }
        result.received += 1
        let missed = mark.number - subscribers[index].last - 1
        result.unaccounted += abs(missed - note.dropped - note.replaced)
        subscribers[index].last = mark.number
    }

    /// What an event says of others, which stands in front of its data.
    private func note(
        in payload: UnsafeRawBufferPointer
    ) -> (dropped: Int, replaced: Int) {
        guard payload.starts(with: Array("{\"extensions\"".utf8)),
            // A payload has been checked to be JSON.
            let said = try? JSONValue(parsing: payload.bytes)["extensions"]?["heliograph"]
        else { return (0, 0) }
        return (Int(said["dropped"]?.integer ?? 0), Int(said["replaced"]?.integer ?? 0))
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
