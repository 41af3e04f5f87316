import Hub
import JSON

/// `heliograph bench`.
enum BenchCommand: Command {
    static let syntax = CommandSyntax(
        name: "bench", summary: "Measures deliveries, their latency and their order on a hub.",
        words: [],
        groups: [
            HubTarget.options,
            (
                "load",
                [
                    Option(
                        "--connections", "N", "subscribers, each with a socket of its own",
                        defaultText: "100"),
                    Option(
                        "--topics", "T", "topics that they are spread over", defaultText: "10"),
                    Option(
                        "--rate", "R",
                        "messages a second in all; 0: as fast as they are acknowledged",
                        defaultText: "100"),
                    Option("--duration", "S", "seconds to send", defaultText: "10"),
                    Option("--payload", "N", "bytes of a message's body", defaultText: "200"),
                    Option(
                        "--publishers", "N", "sockets that send; a topic has one of them",
                        defaultText: "4"),
                    Option(
                        "--window", "N", "mutations under way on one of them, 1 to 900",
                        defaultText: "512; 64 with --rate 0"),
                    Option(
                        "--stalled", "P%", "share of the subscribers that stop reading once live",
                        defaultText: "0%"),
                    Option(
                        "--slow-consumer", "POLICY",
                        "what those ask for: \(SlowConsumerPolicy.allNames)",
                        defaultText: "as the hub has it"),
                    Option(
                        "--loops", "N", "event loops of the subscribers, 1 to 64",
                        defaultText: "half the cores"),
                    Option(
                        "--compress", nil,
                        "offer permessage-deflate, as browsers do; off, so that runs compare"),
                ]
            ),
            (
                "operations, each as it is or as @file",
                [
                    Option(
                        "--subscription", "DOC", "with the variable $topic",
                        defaultText: "onCreateMessage of a thread"),
                    Option(
                        "--mutation", "DOC", "with the variables $topic and $body",
                        defaultText: "createMessage"),
                    Option(
                        "--prepare", "DOC",
                        "a mutation with $topic, run once for each topic before",
                        defaultText: "none"),
                ]
            ),
            (
                "output",
                [
                    Option("--json", nil, "one JSON object instead of the table"),
                    Option(
                        "--hub-pid", "N", "process of a hub on this machine: tells its memory too",
                        defaultText: "none"),
                ]
            ),
            (
                "restart",
                [
                    Option(
                        "--reconnect", nil,
                        "outlive a restart of the hub, and tell what was lost and who came back"),
                    Option(
                        "--stored", "DOC",
                        "query of what is stored, with $topic and $after for its nextToken",
                        defaultText: "listMessages"),
                ]
            ),
        ],
        examples: [
            "heliograph serve Examples/IsolationNation/schema.graphql --memory --no-auth",
            "heliograph bench --connections 1000 --topics 10 --rate 300 --duration 10",
            "heliograph bench --rate 0 --json",
            "heliograph bench --connections 5000 --topics 50 --rate 200 --duration 20 --reconnect",
            "heliograph bench --stalled 10% --slow-consumer drop-oldest --payload 4000",
        ],
        notes: """
            The messages are records on the hub: measure one whose data may go. Latency runs from
            the writing of a message to its reading by a subscriber. Exit code 1: something was
            lost, duplicated, out of order or astray (of a topic that was not asked for), or a
            subscriber that had stalled was not told to the number what it missed.
            """)

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitCode {
        let settings = try BenchSettings(arguments)
        if settings.isOverRestart {
            return try await runOverRestart(
                settings, isJSON: arguments.switches.contains("--json"))
        }
        let report: BenchReport
        do throws(CommandFailure) {
            report = try await Bench(settings) { show($0, settings) }.run()
        } catch {
            Console.endProgress()
            throw error
        }
        Console.endProgress()
        Console.out(
            arguments.switches.contains("--json") ? report.json.jsonText : report.table)
        return report.isClean ? .success : .failure
    }

    private static func runOverRestart(
        _ settings: BenchSettings, isJSON: Bool
    ) async throws(CommandFailure) -> ExitCode {
        let report: RestartReport
        do throws(CommandFailure) {
            report = try await RestartBench(settings) { show($0, settings) }.run {
                Console.endProgress()
                Console.err(
                    "live: \(Figure.count(settings.connections, "subscriber")), sending for "
                        + "\(settings.durationSeconds) s; restart the hub")
            }
        } catch {
            Console.endProgress()
            throw error
        }
        Console.endProgress()
        Console.out(isJSON ? report.json.jsonText : report.table)
        return report.isClean ? .success : .failure
    }

    private static func show(_ stage: RestartBench.Stage, _ settings: BenchSettings) {
        let all = Figure.count(settings.connections)
        let line =
            switch stage {
            case .connecting(let live): "live \(Figure.count(live)) of \(all)"
            case .sending(let seconds, let live, let sent):
                "\(seconds) of \(settings.durationSeconds) s: live \(Figure.count(live)) of "
                    + "\(all), sent \(Figure.count(sent))"
            case .returning(let live): "waiting for all: live \(Figure.count(live)) of \(all)"
            case .asking: "asking what is stored"
            }
        Console.progress(line)
    }

    /// The line of progress.
    private static func show(_ stage: Bench.Stage, _ settings: BenchSettings) {
        let all = Figure.count(settings.connections)
        let line =
            switch stage {
            case .connecting(let ready): "connected \(Figure.count(ready)) of \(all)"
            case .waitingForLive(let live): "live \(Figure.count(live)) of \(all)"
            case .sending(let sent, let delivered, let seconds):
                "\(seconds) of \(settings.durationSeconds) s: sent \(Figure.count(sent)), "
                    + "delivered \(Figure.count(delivered))"
            case .waitingForLast(let delivered):
                "waiting for the last: delivered \(Figure.count(delivered))"
            }
        Console.progress(line)
    }
}
