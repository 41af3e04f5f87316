import Bytes
import HubClient
import JSON
import Loop
import Synchronization

/// `heliograph subscribe 'subscription …'`.
enum SubscribeCommand: Command {
    static let syntax = CommandSyntax(
        name: "subscribe", summary: "Prints each event of a subscription as a line of JSON.",
        words: ["SUBSCRIPTION"],
        groups: [
            HubTarget.options,
            ("operation", OperationText.options),
            (
                "end",
                [
                    Option(
                        "--count", "N", "end after N events, 1 to 1000000000",
                        defaultText: "until Ctrl-C"),
                    Option(
                        "--seconds", "N", "end after N seconds, 1 to 31536000",
                        defaultText: "until Ctrl-C"),
                ]
            ),
            ("reading", [HubTarget.slowConsumerOption]),
            ("output", [Option("--quiet", nil, "say nothing of the connection's state")]),
        ],
        examples: [
            "heliograph subscribe 'subscription { onCreateMessage { id body } }'",
            "heliograph subscribe @replies.graphql --variables '{\"thread\": \"t1\"}' --count 1",
        ])

    /// What may happen while the command runs.
    private enum Happening: Sendable {
        case ready
        case live(isProven: Bool)
        case lost(reason: String, retryMilliseconds: Int64)
        case refused(HubError)
        case completed
        /// All that was wanted has been printed, or nobody is left to read it.
        case enough
    }

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitCode {
        let operation = try OperationText(arguments)
        guard operation.kind == .subscription else {
            throw .usage("the operation is no subscription: heliograph publish runs it")
        }
        let target = try HubTarget(arguments)
        let count = try arguments.integer("--count", default: .max, in: 1...1_000_000_000)
        let seconds = try arguments.integer("--seconds", default: 0, in: 1...31_536_000)
        // Whoever reads our output may stop at any time: that is an end, not a fault.
        ignoreBrokenPipes()
        let (happenings, told) = AsyncStream<Happening>.makeStream()
        let watch = SignalQueue()
        let ends = Task {
            await watch.untilStopped()
            told.yield(.enough)
        }
        let clock = Task {
            guard seconds > 0 else { return }
            try await Task.sleep(for: .seconds(seconds))
            told.yield(.enough)
        }
        defer {
            ends.cancel()
            clock.cancel()
        }
        let hub = try await connect(target, told)
        defer { hub.close() }
        let printer = EventPrinter(countMax: count)
        hub.subscribe(operation.query, variables: operation.variables) { payload in
            if !printer.print(payload) { told.yield(.enough) }
        } ended: { error in
            told.yield(error.map { .refused($0) } ?? .completed)
        }
        let voice = Voice(target: target, isQuiet: arguments.switches.contains("--quiet"))
        return try await follow(happenings, hub, told, voice, operation)
    }

    private static func connect(
        _ target: HubTarget, _ told: AsyncStream<Happening>.Continuation
    ) async throws(CommandFailure) -> HubConnection {
        do {
            return try await HubConnection.connect(target.configuration) { news in
                switch news {
                case .ready: told.yield(.ready)
                case .lost(let reason, let wait):
                    told.yield(.lost(reason: reason, retryMilliseconds: wait))
                // The subscription's own end follows and says more.
                case .ended: break
                }
            }
        } catch let error as HubError {
            throw target.failure(error)
        } catch {
            throw CommandFailure(code: .unreachable, message: "\(error)")
        }
    }

    /// Tells people what happens, until something ends the command.
    private static func follow(
        _ happenings: AsyncStream<Happening>, _ hub: HubConnection,
        _ told: AsyncStream<Happening>.Continuation, _ voice: Voice, _ operation: OperationText
    ) async throws(CommandFailure) -> ExitCode {
        var isToldLive = false
        for await happening in happenings {
            switch happening {
            case .ready:
                isToldLive = false
                voice.say("connected to \(voice.target.endpoint)")
                Task { told.yield(.live(isProven: await isLive(hub))) }
            // A probe that outlived its connection was repeated on the next one.
            case .live where isToldLive: break
            case .live(let isProven):
                isToldLive = true
                voice.say(isProven ? "live" : "subscribed (this hub does not tell when it is live)")
            case .lost(let reason, let wait):
                let tenths = (wait + 50) / 100
                voice.say("lost: \(reason); retrying in \(tenths / 10).\(tenths % 10) s")
            case .refused(let error) where error.code == .refused:
                for line in ErrorReport.lines(error.errors, document: operation.query) {
                    Console.err(line)
                }
                return .failure
            case .refused(let error): throw voice.target.failure(error)
            case .completed:
                voice.say("the hub has ended the subscription")
                return .success
            case .enough: return .success
            }
        }
        return .success
    }

    /// True once the subscription that was sent before this call is surely live.
    private static func isLive(_ hub: HubConnection) async -> Bool {
        guard let probe = await LiveProbe(hub) else { return false }
        // A probe that fails proves nothing; the connection's own news tell why.
        return (try? await hub.execute(probe.query, kind: .query)) != nil
    }

    /// News of the connection, for people.
    private struct Voice: Sendable {
        var target: HubTarget
        var isQuiet: Bool

        func say(_ line: String) { if !isQuiet { Console.err(line) } }
    }
}

/// Writes events to standard output, one a line, on the connection's queue.
private final class EventPrinter: Sendable {
    private let countMax: Int
    private let count = Atomic<Int>(0)

    init(countMax: Int) { self.countMax = countMax }

    /// Returns false once no more is to be printed.
    func print(_ payload: UnsafeRawBufferPointer) -> Bool {
        let number = count.add(1, ordering: .relaxed).newValue
        guard number <= countMax else { return false }
        return Console.out(line: payload) && number < countMax
    }
}
