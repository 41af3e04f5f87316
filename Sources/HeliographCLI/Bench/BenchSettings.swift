import Bytes
import Glibc
import Hub
import JSON
import Subprotocol

/// What a bench run is to do.
struct BenchSettings: Sendable {
    var target: HubTarget
    /// All subscribers.
    var connections: Int
    /// Subscribers that stop reading once all are live.
    var stalled: Int
    /// What those ask the hub to do; nil: what it does for all.
    var stalledPolicy: SlowConsumerPolicy?
    var topics: Int
    /// Messages a second in all; 0 for as many as are acknowledged.
    var rate: Int
    var durationSeconds: Int
    var payloadBytes: Int
    var publishers: Int
    /// Mutations that one publisher has under way at most.
    var window: Int
    var loops: Int
    /// Whether clients offer permessage-deflate.
    var compresses: Bool
    var subscription: Text
    var mutation: Text
    /// Whether the hub is restarted during the run.
    var isOverRestart: Bool
    /// Asks for what the mutations have stored.
    var stored: Text
    /// A mutation to run once for each topic before all else.
    var preparation: Text?
    /// The hub's process, whose memory is to be told; it runs on this machine.
    var hubProcess: Int?
    /// Names the run in its topics and bodies.
    var run: UInt32

    static let defaultSubscription: Text = """
        subscription Listen($topic: ID!) { onCreateMessage(messageThreadId: $topic) { id body } }
        """
    static let defaultMutation: Text = """
        mutation Send($topic: ID!, $body: String!) { createMessage(input: {
        messageThreadId: $topic, messageAuthorId: "bench", body: $body}) { id } }
        """

    /// Descriptors besides the sockets: standard streams, loops, libraries.
    private static let spareDescriptors = 64

    init(_ arguments: Arguments) throws(CommandFailure) {
        target = try HubTarget(arguments)
        // The others are to get everything, however busy this machine is.
        stalledPolicy = target.slowConsumer
        target.slowConsumer = nil
        connections = try arguments.integer("--connections", default: 100, in: 1...1_000_000)
        stalled = try Self.share(arguments, "--stalled", of: connections)
        topics = try arguments.integer("--topics", default: 10, in: 1...1_000_000)
        rate = try arguments.integer("--rate", default: 100, in: 0...1_000_000)
        durationSeconds = try arguments.integer("--duration", default: 10, in: 1...86_400)
        payloadBytes = try arguments.integer("--payload", default: 200, in: 1...1_000_000)
        publishers = try arguments.integer(
            "--publishers", default: min(4, topics), in: 1...10_000)
        // Within what a hub lets one connection have open at once (1,000 on Heliograph).
        window = try arguments.integer("--window", default: rate == 0 ? 64 : 512, in: 1...900)
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        loops = try arguments.integer("--loops", default: max(1, cores / 2), in: 1...64)
        compresses = arguments.switches.contains("--compress")
        subscription = try Self.operation(arguments, "--subscription", Self.defaultSubscription)
        mutation = try Self.operation(arguments, "--mutation", Self.defaultMutation)
        isOverRestart = arguments.switches.contains("--reconnect")
        stored = try Self.operation(arguments, "--stored", StoredMessages.defaultQuery)
        preparation = try arguments.values["--prepare"].map { argument throws(CommandFailure) in
            Text(try OperationText.text(argument))
        }
        hubProcess =
            arguments.values["--hub-pid"] == nil
            ? nil : try arguments.integer("--hub-pid", default: 0, in: 1...4_194_304)
        run = UInt32.random(in: .min ... .max)
        publishers = min(publishers, topics)
        loops = min(loops, readers)
        try Self.raiseDescriptorLimit(to: connections + publishers + Self.spareDescriptors)
    }

    private static func operation(
        _ arguments: Arguments, _ name: String, _ fallback: Text
    ) throws(CommandFailure) -> Text {
        guard let argument = arguments.values[name] else { return fallback }
        return Text(try OperationText.text(argument))
    }

    /// Subscribers that read all that they are sent. They have the lower numbers.
    var readers: Int { connections - stalled }

    /// How many of them a topic has: they are spread evenly.
    func readers(of topic: Int) -> Int {
        readers / topics + (topic < readers % topics ? 1 : 0)
    }

    /// A share of a number, as `10%`.
    private static func share(
        _ arguments: Arguments, _ option: String, of whole: Int
    ) throws(CommandFailure) -> Int {
        guard let text = arguments.values[option] else { return 0 }
        guard text.hasSuffix("%"), let percent = Int(text.dropLast()), (0...99).contains(percent)
        else { throw .usage("\(option) takes a share from 0% to 99%, such as 10%") }
        return whole * percent / 100
    }

    /// The value of `$topic`.
    func topicName(_ topic: Int) -> Text { Text("bench-\(String(run, radix: 16))-\(topic)") }

    func subscribeRequest(_ topic: Int) -> OperationRequest {
        OperationRequest(
            query: subscription, variables: ["topic": .string(topicName(topic))])
    }

    private static func raiseDescriptorLimit(to wanted: Int) throws(CommandFailure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        guard limit.rlim_max >= wanted else {
            throw .usage(
                "so many connections need \(wanted) file descriptors and this process may have "
                    + "\(limit.rlim_max): lower --connections, or raise the limit as root "
                    + "(ulimit -Hn \(wanted))")
        }
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = rlim_t(wanted)
        // If it is refused, the first connection beyond the limit says so.
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
