import Bytes
import HubClient
import JSON
import Loop
import Subprotocol

/// All publishers, on a loop of their own so that receiving does not hold up the sending.
/// Confined to its loop.
///
/// A topic belongs to one publisher: its messages go through one socket, in order.
final class PublisherLane: LoopHandler {
    struct Progress: Sendable {
        var ready = 0
        var sent = 0
        var inFlight = 0
        var isSending = false
        var failure: CommandFailure?
    }

    /// What was sent, for counting what was lost.
    struct Sent: Sendable {
        /// The highest number of each topic; 0 for none.
        var lastNumbers: [Int]
        /// Numbers of messages that were not acknowledged, by topic: they may come or not.
        var excused: [Int: Set<Int>] = [:]
        /// When each message of each topic was sent and acknowledged; kept for a run over a restart
        /// only.
        var times: [[MessageTimes]] = []
        /// How many messages of each topic were acknowledged.
        var acknowledged: [Int]
        var failed = 0
        var firstError: String?
        var disconnects = 0
        var firstSentAt: Int64 = 0
        var lastSentAt: Int64 = 0
        var acknowledgement = Histogram()
        /// How much later than due messages were sent; empty without a rate.
        var lag = Histogram()

        var count: Int { lastNumbers.reduce(0, +) }
        var acknowledgedCount: Int { acknowledged.reduce(0, +) }
    }

    private struct Publisher {
        var client: LoopClient
        var isReady = false
        /// Messages under way, by their operations.
        var flights: [OperationHandle: BenchBody.Mark] = [:]
        /// The turn of its topics, where there is no rate.
        var cursor = 0
    }

    /// Messages sent before other events have their turn.
    private static let burstMax = 1_000

    private let loop: EventLoop
    private let driver: ClientDriver
    private let settings: BenchSettings
    private let body: BenchBody
    private var publishers: [Publisher] = []
    private var sent: Sent
    private var isSending = false
    private var scheduled = 0
    /// Topics for which the preparing mutation has yet to be sent.
    private var unprepared: [Int] = []
    private var hasKnocked = false
    private var beganAt: Int64 = 0
    private var endsAt: Int64 = 0
    private var failure: CommandFailure?

    init(_ loop: EventLoop, _ settings: BenchSettings) {
        self.loop = loop
        self.settings = settings
        driver = ClientDriver(loop)
        body = BenchBody(run: settings.run, byteCount: settings.payloadBytes)
        let zeros = [Int](repeating: 0, count: settings.topics)
        sent = Sent(lastNumbers: zeros, acknowledged: zeros)
        if settings.isOverRestart {
            sent.times = Array(repeating: [], count: settings.topics)
        }
    }

    // MARK: What the coordinator asks

    func connect() {
        for index in 0..<settings.publishers {
            let client = driver.add(settings.clientConfiguration) { [unowned self] _, event in
                take(event, index)
            }
            publishers.append(Publisher(client: client))
            client.connect()
        }
    }

    /// Sends one message that is not counted to each of these topics, to see who hears it.
    func knock(_ topics: Set<Int>) {
        hasKnocked = true
        for topic in topics { send(topic, number: 0) }
    }

    /// Begins to send.
    func begin() {
        beganAt = clockNanoseconds()
        endsAt = beganAt + Int64(settings.durationSeconds) * 1_000_000_000
        isSending = true
        proceed()
    }

    func report() -> Progress {
        Progress(
            ready: publishers.count { $0.isReady }, sent: sent.count,
            inFlight: publishers.reduce(unprepared.count) { $0 + $1.flights.count },
            isSending: isSending,
            failure: failure)
    }

    /// The final count: what is still under way counts as not acknowledged.
    func summary() -> Sent {
        var summary = sent
        for mark in publishers.flatMap(\.flights.values) where mark.number > 0 {
            summary.excused[mark.topic, default: []].insert(mark.number)
        }
        return summary
    }

    /// Begins to run the preparing mutation for each topic.
    func prepare() {
        unprepared = Array((0..<settings.topics).reversed())
        proceedPreparing()
    }

    private func proceedPreparing() {
        while let topic = unprepared.last, let document = settings.preparation,
            hasRoom(topic % publishers.count)
        {
            unprepared.removeLast()
            let mark = BenchBody.Mark(topic: topic, number: 0, nanoseconds: clockNanoseconds())
            send(
                OperationRequest(
                    query: document, variables: ["topic": .string(settings.topicName(topic))]),
                mark)
        }
    }

    // MARK: Sending

    private func proceed() {
        if !unprepared.isEmpty { proceedPreparing() }
        guard isSending else { return }
        let now = clockNanoseconds()
        guard now < endsAt else {
            isSending = false
            return
        }
        if settings.rate > 0 { sendDue(now) } else { fillWindows() }
        if isSending { loop.wake(at: min(endsAt, nextDueAt)) }
    }

    private func dueAt(_ index: Int) -> Int64 {
        // Split, so that neither a long run nor a high rate overflows.
        let (seconds, rest) = index.quotientAndRemainder(dividingBy: settings.rate)
        return beganAt + Int64(seconds) * 1_000_000_000
            + Int64(rest) * 1_000_000_000 / Int64(settings.rate)
    }

    private var nextDueAt: Int64 { settings.rate > 0 ? dueAt(scheduled) : endsAt }

    private func sendDue(_ now: Int64) {
        for _ in 0..<Self.burstMax {
            let due = dueAt(scheduled)
            let topic = scheduled % settings.topics
            if settings.isOverRestart, due <= now, due < endsAt,
                !publishers[topic % publishers.count].isReady
            {
                // While the hub is away nothing is sent, and nothing is made up for later.
                scheduled += 1
                continue
            }
            guard due <= now, due < endsAt, hasRoom(topic % publishers.count) else { return }
            scheduled += 1
            sent.lag.record(clockNanoseconds() - due)
            sendNext(topic)
        }
    }

    private func fillWindows() {
        for index in publishers.indices { while hasRoom(index) { sendNext(ofPublisher: index) } }
    }

    private func hasRoom(_ publisher: Int) -> Bool {
        publishers[publisher].isReady && publishers[publisher].flights.count < settings.window
    }

    private func sendNext(ofPublisher index: Int) {
        // Publisher p has the topics p, p + P, p + 2P and so on.
        let topic = index + publishers[index].cursor * publishers.count
        let next = topic + publishers.count < settings.topics ? publishers[index].cursor + 1 : 0
        publishers[index].cursor = next
        sendNext(topic)
    }

    private func sendNext(_ topic: Int) {
        sent.lastNumbers[topic] += 1
        send(topic, number: sent.lastNumbers[topic])
    }

    private func send(_ topic: Int, number: Int) {
        let now = clockNanoseconds()
        let mark = BenchBody.Mark(topic: topic, number: number, nanoseconds: now)
        if number > 0 {
            if sent.firstSentAt == 0 { sent.firstSentAt = now }
            sent.lastSentAt = now
            if settings.isOverRestart { sent.times[topic].append(MessageTimes(sentAt: now)) }
        }
        send(
            OperationRequest(
                query: settings.mutation,
                variables: [
                    "topic": .string(settings.topicName(topic)),
                    "body": .string(Text(body.text(mark))),
                ]), mark)
    }

    private func send(_ request: OperationRequest, _ mark: BenchBody.Mark) {
        let publisher = mark.topic % publishers.count
        do throws(ClientError) {
            let handle = try publishers[publisher].client.start(request, kind: .mutation)
            publishers[publisher].flights[handle] = mark
        } catch {
            // The session has ended, and nothing more can be sent on it.
            publishers[publisher].isReady = false
            failed(mark, error.description)
        }
    }

    // MARK: The sessions' news

    private func take(_ event: ClientEvent, _ index: Int) {
        switch event {
        case .ready: publishers[index].isReady = true
        case .disconnected(let error, let retryAt):
            if publishers[index].isReady { sent.disconnects += 1 }
            if retryAt == nil { failure = failure ?? settings.target.failure(error) }
            publishers[index].isReady = false
        case .next(let handle, let payload):
            guard let mark = publishers[index].flights.removeValue(forKey: handle) else { return }
            acknowledged(mark, payload)
        case .failed(let handle, let reason):
            guard let mark = publishers[index].flights.removeValue(forKey: handle) else { return }
            if mark.number == 0, case .refused(let errors) = reason {
                failure = failure ?? settings.refusal(of: operationOption, errors)
            }
            failed(mark, reason.description)
        case .gaveUp(let error): failure = failure ?? settings.target.failure(error)
        case .completed, .connect, .disconnect: return
        }
        proceed()
    }

    private func acknowledged(_ mark: BenchBody.Mark, _ payload: UnsafeRawBufferPointer) {
        if let error = settings.firstError(in: payload) {
            if mark.number == 0 {
                failure = failure ?? settings.refusal(of: operationOption, error)
            }
            return failed(mark, error)
        }
        guard mark.number > 0 else { return }
        let now = clockNanoseconds()
        sent.acknowledged[mark.topic] += 1
        sent.acknowledgement.record(now - mark.nanoseconds)
        if settings.isOverRestart {
            sent.times[mark.topic][mark.number - 1].acknowledgedAt = now
        }
    }

    /// Which option has given the operation that was under way before all were sent.
    private var operationOption: String {
        settings.preparation != nil && !hasKnocked ? "--prepare" : "--mutation"
    }

    private func failed(_ mark: BenchBody.Mark, _ reason: String) {
        guard mark.number > 0 else { return }
        sent.failed += 1
        sent.excused[mark.topic, default: []].insert(mark.number)
        sent.firstError = sent.firstError ?? reason
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
    func woke() {
        driver.woke()
        proceed()
    }
}
