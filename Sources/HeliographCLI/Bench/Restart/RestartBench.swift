import HubClient
import Loop

/// A run of the load tool over a restart of the hub: all subscribe, messages are sent, the hub goes
/// and comes back, all return; then everything is counted, and the hub asked what it has stored.
struct RestartBench {
    /// Where a run stands, for the line of progress.
    enum Stage: Sendable {
        case connecting(live: Int)
        case sending(seconds: Int, live: Int, sent: Int)
        case returning(live: Int)
        case asking
    }

    private static let pollMilliseconds = 50
    private static let patienceSeconds = 30
    /// Without a further delivery for this long, the last has come.
    private static let quietMilliseconds: Int64 = 1_000

    private let settings: BenchSettings
    private let publishers: LoopPoster<PublisherLane>
    private let lanes: [LoopPoster<ReturningLane>]
    private let told: (Stage) -> Void

    /// Starts the loops. `told` is called every few milliseconds with where the run stands.
    init(_ settings: BenchSettings, told: @escaping (Stage) -> Void) throws(CommandFailure) {
        self.settings = settings
        self.told = told
        do throws(LoopError) {
            publishers = try EventLoop.start(name: "publishers") { PublisherLane($0, settings) }
            var lanes: [LoopPoster<ReturningLane>] = []
            for number in 0..<settings.loops {
                let mine = Array(
                    stride(from: number, to: settings.connections, by: settings.loops))
                lanes.append(
                    try EventLoop.start(name: "subscribers \(number)") {
                        ReturningLane($0, settings, numbers: mine)
                    })
            }
            self.lanes = lanes
        } catch {
            throw CommandFailure(code: .unreachable, message: "no event loop: \(error)")
        }
    }

    /// Runs. `isLive` is called when all subscribers are live and messages begin to be sent.
    func run(isLive: () -> Void) async throws(CommandFailure) -> RestartReport {
        try await connect()
        isLive()
        try await send()
        try await waitForReturn()
        try await waitForLast()
        let now = clockNanoseconds()
        let sent = await publishers.ask { $0.summary() }
        var tally = ReturningLane.Tally()
        for lane in lanes { tally.add(await lane.ask { $0.tally(sent) }) }
        told(.asking)
        let stored = try await StoredMessages.check(sent, settings)
        for lane in lanes { lane.stop() }
        publishers.stop()
        return RestartReport(
            settings: settings, sent: sent, tally: tally, stored: stored, endedAt: now)
    }

    // MARK: Stages

    private func connect() async throws(CommandFailure) {
        // The publishers first: if there is no hub, one refusal is enough.
        publishers.post { $0.connect() }
        try await waitForPublishers()
        for lane in lanes { lane.post { $0.begin() } }
        try await waitUntilAllAreLive { .connecting(live: $0) }
    }

    private func waitForPublishers() async throws(CommandFailure) {
        var patience = Patience(seconds: Self.patienceSeconds)
        while true {
            let ready = try await publisherState().ready
            if ready == settings.publishers { return }
            try patience.check(ready) {
                "\(ready) of \(settings.publishers) publishers are connected"
            }
            await pause()
        }
    }

    private func waitUntilAllAreLive(
        _ stage: (Int) -> Stage
    ) async throws(CommandFailure) {
        var patience = Patience(seconds: Self.patienceSeconds)
        while true {
            let live = try await laneState().live
            told(stage(live))
            if live == settings.connections { return }
            try patience.check(live) {
                "\(live) of \(settings.connections) subscribers are live"
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
            let live = try await laneState().live
            let seconds = Int((clockNanoseconds() - beganAt) / 1_000_000_000)
            told(.sending(seconds: seconds, live: live, sent: state.sent))
            if !state.isSending { return }
        } while true
    }

    private func waitForReturn() async throws(CommandFailure) {
        try await waitUntilAllAreLive { .returning(live: $0) }
        try await waitForPublishers()
    }

    /// Waits until all mutations have ended and nothing is delivered any more.
    private func waitForLast() async throws(CommandFailure) {
        var delivered = -1
        var quietSince = clockNanoseconds()
        while clockNanoseconds() - quietSince < Self.quietMilliseconds * 1_000_000 {
            let inFlight = try await publisherState().inFlight
            let state = try await laneState()
            if state.delivered != delivered || inFlight > 0 {
                delivered = state.delivered
                quietSince = clockNanoseconds()
            }
            await pause()
        }
    }

    // MARK: Looking at the lanes

    private func publisherState() async throws(CommandFailure) -> PublisherLane.Progress {
        let state = await publishers.ask { $0.report() }
        if let failure = state.failure { throw failure }
        return state
    }

    private func laneState() async throws(CommandFailure) -> ReturningLane.Progress {
        var sum = ReturningLane.Progress()
        for lane in lanes {
            let state = await lane.ask { $0.report() }
            if let failure = state.failure { throw failure }
            sum.connected += state.connected
            sum.live += state.live
            sum.delivered += state.delivered
        }
        return sum
    }

    private func pause() async {
        // Nobody cancels a run; if it were cancelled, it would only look more often.
        try? await Task.sleep(for: .milliseconds(Self.pollMilliseconds))
    }
}
