import HubClient
import Loop

/// One run of the load tool: connect all, wait until all are live, send, wait for the last
/// deliveries, count.
struct Bench {
    /// Where a run stands, for the line of progress.
    enum Stage: Sendable {
        case connecting(ready: Int)
        case waitingForLive(live: Int)
        case sending(sent: Int, delivered: Int, seconds: Int)
        case waitingForLast(delivered: Int)
    }

    /// Pause between two looks at the lanes.
    private static let pollMilliseconds = 50
    /// Without a further sign for this long, connecting or becoming live has failed.
    private static let patienceSeconds = 30
    /// Without a further delivery for this long, what is missing counts as lost.
    private static let settleSeconds = 3
    /// How long a message may take to show who is live before another one is sent.
    private static let knockMilliseconds = 500

    private let settings: BenchSettings
    private let publishers: LoopPoster<PublisherLane>
    private let lanes: [LoopPoster<SubscriberLane>]
    /// The subscribers that are to stop reading, if there are any.
    private let stalled: LoopPoster<StalledLane>?
    private let memory: ProcessMemory?
    private let told: (Stage) -> Void

    /// Starts the loops. `told` is called every few milliseconds with where the run stands.
    init(_ settings: BenchSettings, told: @escaping (Stage) -> Void) throws(CommandFailure) {
        self.settings = settings
        self.told = told
        memory = try settings.hubProcess.map { pid throws(CommandFailure) in
            try ProcessMemory(pid)
        }
        do throws(LoopError) {
            publishers = try EventLoop.start(name: "publishers") { PublisherLane($0, settings) }
            var lanes: [LoopPoster<SubscriberLane>] = []
            for number in 0..<settings.loops {
                let mine = Array(
                    stride(from: number, to: settings.readers, by: settings.loops))
                lanes.append(
                    try EventLoop.start(name: "subscribers \(number)") {
                        SubscriberLane($0, settings, numbers: mine)
                    })
            }
            self.lanes = lanes
            stalled = settings.stalled > 0 ? try StalledLane.start(settings) : nil
        } catch {
            throw CommandFailure(code: .unreachable, message: "no event loop: \(error)")
        }
    }

    func run() async throws(CommandFailure) -> BenchReport {
        let connectSeconds = try await connect()
        try await waitUntilLive()
        stalled?.post { $0.stall() }
        let before = ProcessorTime()
        try await send()
        try await waitForLast()
        let processor = ProcessorTime().since(before)
        let sent = await publishers.ask { $0.summary() }
        var tally = SubscriberLane.Tally()
        for lane in lanes { tally.add(await lane.ask { $0.tally(sent) }) }
        let fate = await waitForStalled(sent)
        for lane in lanes { lane.stop() }
        stalled?.stop()
        publishers.stop()
        return BenchReport(
            settings: settings, connectSeconds: connectSeconds, sent: sent,
            tally: tally, stalled: fate, hubMemory: memory?.marks, processorShare: processor)
    }

    // MARK: Stages

    /// Returns how long the subscribers took, from the first one's beginning to the last one's
    /// acknowledgement.
    private func connect() async throws(CommandFailure) -> Double {
        // The publishers first: if there is no hub, one refusal is enough.
        publishers.post { $0.connect() }
        var patience = Patience(seconds: Self.patienceSeconds)
        while true {
            let state = try await publisherState()
            if state.ready == settings.publishers { break }
            try patience.check(state.ready) {
                "\(state.ready) of \(settings.publishers) publishers are connected"
            }
            await pause()
        }
        try await prepare()
        let beganAt = clockNanoseconds()
        for lane in lanes { lane.post { $0.begin() } }
        stalled?.post { $0.begin() }
        while true {
            let state = try await laneState()
            told(.connecting(ready: state.ready))
            if state.ready == settings.connections {
                return Double(state.readyAt - beganAt) / 1e9
            }
            try patience.check(state.ready) {
                "\(state.ready) of \(settings.connections) are connected"
            }
            await pause()
        }
    }

    /// Runs the mutation that makes the topics, if one was given.
    private func prepare() async throws(CommandFailure) {
        guard settings.preparation != nil else { return }
        publishers.post { $0.prepare() }
        var patience = Patience(seconds: Self.patienceSeconds)
        while true {
            let state = try await publisherState()
            if state.inFlight == 0 { return }
            try patience.check(state.inFlight) { "\(state.inFlight) topics are not prepared" }
            await pause()
        }
    }

    /// Sends messages that are not counted until each subscriber has got one: only that proves,
    /// of any hub, that a subscription is live.
    private func waitUntilLive() async throws(CommandFailure) {
        var patience = Patience(seconds: Self.patienceSeconds)
        var knockAt: Int64 = 0
        while true {
            let state = try await laneState()
            _ = try await publisherState()
            told(.waitingForLive(live: state.live))
            if state.live == settings.connections { return }
            try patience.check(state.live) {
                "\(state.live) of \(settings.connections) subscribers get what is published: does "
                    + "--subscription deliver what --mutation sends?"
            }
            if clockNanoseconds() >= knockAt {
                var silent: Set<Int> = []
                for lane in lanes { silent.formUnion(await lane.ask { $0.silentTopics() }) }
                if let stalled { silent.formUnion(await stalled.ask { $0.silentTopics() }) }
                let topics = silent
                publishers.post { $0.knock(topics) }
                knockAt = clockNanoseconds() + Int64(Self.knockMilliseconds) * 1_000_000
            }
            await pause()
        }
    }

    private func send() async throws(CommandFailure) {
        let beganAt = clockNanoseconds()
        publishers.post { $0.begin() }
        repeat {
            await pause()
            let state = try await publisherState()
            let delivered = try await laneState().delivered
            told(
                .sending(
                    sent: state.sent, delivered: delivered,
                    seconds: Int((clockNanoseconds() - beganAt) / 1_000_000_000)))
            if !state.isSending { return }
        } while true
    }

    /// Waits until all that was acknowledged has come everywhere, or nothing comes any more.
    private func waitForLast() async throws(CommandFailure) {
        var delivered = -1
        var quietSince = clockNanoseconds()
        while clockNanoseconds() - quietSince < Int64(Self.settleSeconds) * 1_000_000_000 {
            let sent = await publishers.ask { $0.summary() }
            let inFlight = try await publisherState().inFlight
            let state = try await laneState()
            told(.waitingForLast(delivered: state.delivered))
            if inFlight == 0, state.delivered >= settings.deliveries(of: sent) { return }
            if state.delivered != delivered {
                delivered = state.delivered
                quietSince = clockNanoseconds()
            }
            await pause()
        }
    }

    /// Lets those that stalled read on, until they hear nothing more.
    private func waitForStalled(_ sent: PublisherLane.Sent) async -> StalledLane.Tally? {
        guard let stalled else { return nil }
        stalled.post { $0.resume() }
        var tally = await stalled.ask { $0.tally() }
        var quietSince = clockNanoseconds()
        while clockNanoseconds() - quietSince < Int64(Self.settleSeconds) * 1_000_000_000 {
            await pause()
            let now = await stalled.ask { $0.tally() }
            if now != tally { quietSince = clockNanoseconds() }
            tally = now
        }
        return await stalled.ask { $0.tally(sent) }
    }

    // MARK: Looking at the lanes

    private func publisherState() async throws(CommandFailure) -> PublisherLane.Progress {
        let state = await publishers.ask { $0.report() }
        if let failure = state.failure { throw failure }
        return state
    }

    private func laneState() async throws(CommandFailure) -> SubscriberLane.Progress {
        var sum = SubscriberLane.Progress()
        for lane in lanes {
            let state = await lane.ask { $0.report() }
            if let failure = state.failure { throw failure }
            sum.ready += state.ready
            sum.live += state.live
            sum.delivered += state.delivered
            sum.readyAt = max(sum.readyAt, state.readyAt)
        }
        if let stalled {
            let state = await stalled.ask { $0.report() }
            if let failure = state.failure { throw failure }
            sum.ready += state.ready
            sum.live += state.live
            sum.readyAt = max(sum.readyAt, state.readyAt)
        }
        return sum
    }

    private func pause() async {
        memory?.look()
        // Nobody cancels a run; if it were cancelled, it would only look more often.
        try? await Task.sleep(for: .milliseconds(Self.pollMilliseconds))
    }
}

/// Notices when a number has not changed for too long.
struct Patience {
    private let seconds: Int
    private var last = -1
    private var changedAt = clockNanoseconds()

    init(seconds: Int) { self.seconds = seconds }

    mutating func check(_ number: Int, _ state: () -> String) throws(CommandFailure) {
        let now = clockNanoseconds()
        if number != last {
            last = number
            changedAt = now
        } else if now - changedAt > Int64(seconds) * 1_000_000_000 {
            throw CommandFailure(
                code: .unreachable,
                message: "nothing has happened for \(seconds) s: \(state())")
        }
    }
}

extension LoopPoster where Handler: SendableMetatype {
    /// Asks the handler something on its loop and waits for the answer.
    ///
    /// - Precondition: the loop runs.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (Handler) -> Answer
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let isPosted = post { continuation.resume(returning: question($0)) }
            precondition(isPosted, "a loop of the bench was asked after its end")
        }
    }
}

extension SubscriberLane.Tally {
    /// Adds what another lane has counted.
    fileprivate mutating func add(_ other: Self) {
        delivered += other.delivered
        duplicated += other.duplicated
        outOfOrder += other.outOfOrder
        lost += other.lost
        astray += other.astray
        foreign += other.foreign
        disconnects += other.disconnects
        compressed += other.compressed
        lastDeliveryAt = max(lastDeliveryAt, other.lastDeliveryAt)
        latency.merge(other.latency)
        connectTime.merge(other.connectTime)
    }
}

extension BenchSettings {
    /// How many deliveries the acknowledged messages make.
    func deliveries(of sent: PublisherLane.Sent) -> Int {
        sent.acknowledged.enumerated().reduce(0) { $0 + $1.element * readers(of: $1.offset) }
    }
}
