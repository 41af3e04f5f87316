import Access
import Bytes
import Crypto
import Dispatch
import Glibc
import Hub
import HubServer
import Loop
import Models
import Records

/// `heliograph serve SCHEMA`.
enum ServeCommand: Command {
    static let syntax = CommandSyntax(
        name: "serve", summary: "Serves the API of a GraphQL schema with @model types.",
        words: ["SCHEMA"],
        groups: [
            (
                "where",
                [
                    Option("--host", "ADDRESS", "address to listen on", defaultText: "127.0.0.1"),
                    Option("--port", "N", "port; 0 picks a free one", defaultText: "8080"),
                ]
            ),
            (
                "data",
                [
                    Option(
                        "--data", "DIR", "folder for records and API key", defaultText: "./data"),
                    Option("--memory", nil, "keep records in memory only"),
                ]
            ),
            (
                "access",
                [
                    Option(
                        "--api-key", "KEY", "the key that clients must show",
                        defaultText: "made once, kept in the data folder"),
                    Option("--no-auth", nil, "let everybody in; on loopback addresses only"),
                    Option(
                        "--no-introspection", nil,
                        "tell nobody the schema: no __schema, no __type, no spelling hints"),
                ]
            ),
            ServeSite.options,
            ServeOperations.options,
            ServeEncryption.options,
            (
                "work",
                [
                    Option("--shards", "N", "event loops, 1 to 64", defaultText: "number of cores"),
                    Option(
                        "--message-bytes-max", "N", "bytes of one message or request body",
                        defaultText: "\(Limits().messageBytesMax)"),
                    Option(
                        "--limit", "NAME=VALUE",
                        "set any limit, several times; heliograph limits lists them",
                        isRepeatable: true),
                    Option(
                        "--slow-consumers", "POLICY",
                        "\(SlowConsumerPolicy.allNames), unless a client chooses",
                        defaultText: "close"),
                    Option(
                        "--drain-seconds", "N", "seconds that a stop spreads the closes over",
                        defaultText: "10"),
                ]
            ),
        ],
        examples: [
            "heliograph serve Examples/IsolationNation/schema.graphql",
            "heliograph serve schema.graphql --memory --no-auth --port 0",
            "heliograph serve schema.graphql --host :: --tls-cert chain.pem --tls-key key.pem",
        ])

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitCode {
        let host = arguments.values["--host"] ?? "127.0.0.1"
        let port = try arguments.integer("--port", default: 8080, in: 0...65_535)
        let cores = max(1, min(64, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let shards = try arguments.integer("--shards", default: cores, in: 1...64)
        let limits = try Limits(arguments)
        let drain = try arguments.integer("--drain-seconds", default: 10, in: 0...3_600)
        if arguments.switches.contains("--memory"), arguments.values["--data"] != nil {
            throw .usage("--memory keeps no data folder: give --data or --memory, not both")
        }
        let site = try ServeSite.rules(
            arguments, isOpen: arguments.switches.contains("--no-auth"))
        let schema = try loadSchema(arguments.words[0], orElse: .cannotStart)
        try refuseUnenforced(schema, arguments.words[0])
        let rules = try ServeOperations.rules(arguments, schema, limits)
        let storage: ServerConfiguration.Storage =
            arguments.switches.contains("--memory")
            ? .memory : .folder(arguments.values["--data"] ?? "./data")
        // Records and key are for this user's eyes only, whatever the folder's own mode is.
        umask(0o077)
        let identity = try ServeEncryption.identity(arguments)
        let access = try access(arguments, host: host, storage)
        var configuration = ServerConfiguration(
            host: host, port: UInt16(port), storage: storage, access: access.policy,
            shards: shards, limits: limits, drainSeconds: Int64(drain))
        configuration.site = site
        configuration.rules = rules
        configuration.tls = identity
        configuration.showsSchema = !arguments.switches.contains("--no-introspection")
        configuration.version = HeliographCommand.version
        configuration.slowConsumerPolicy =
            try arguments.slowConsumerPolicy("--slow-consumers") ?? .close
        configuration.report = { Console.err("heliograph: \($0)") }
        let server: HubServer
        do throws(StartError) {
            server = try HubServer.start(configuration, schema: schema)
        } catch {
            // A key that has just been made is shown this once, also if the rest goes wrong.
            if access.isNewKey { for line in access.lines { Console.err(line) } }
            throw CommandFailure(code: .cannotStart, message: error.description)
        }
        // With nothing to read again, SIGHUP does what it always does.
        let isReloadable = identity != nil || ServeOperations.isReloadable(arguments)
        let signals = SignalQueue(isReloadable ? [.hangUp] : [])
        announce(server, configuration, schema, arguments, access.lines)
        await signals.untilStopped {
            identity.map(ServeEncryption.reload)
            ServeOperations.reload(arguments, schema, limits, on: server)
        }
        await stop(server, within: drain, signals)
        return .success
    }

    /// Stops in good order, or at once when a second signal comes.
    private static func stop(
        _ server: HubServer, within seconds: Int, _ signals: SignalQueue
    ) async {
        Console.err(
            "stopping: finishing what is in flight, for at most \(seconds) s; a second signal ends "
                + "at once")
        let beganAt = clockNanoseconds()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await signals.untilStopped()
                if !Task.isCancelled { server.cutDrainShort() }
            }
            let summary = await server.drain()
            group.cancelAll()
            let time = Figure.fraction(Double(clockNanoseconds() - beganAt) / 1e9)
            let cut = summary.cut == 0 ? "" : ", \(Figure.count(summary.cut)) of them unfinished"
            Console.err(
                "stopped: \(Figure.count(summary.connections, "connection")) closed in \(time) s"
                    + cut)
        }
    }

    /// What cannot be enforced yet is not served: it would be open to everybody.
    private static func refuseUnenforced(
        _ schema: ModelSchema, _ path: String
    ) throws(CommandFailure) {
        guard let first = schema.unenforced.first else { return }
        let count = schema.unenforced.count
        let others = count == 1 ? "" : "; \(count) such rules are in the schema"
        throw CommandFailure(
            code: .cannotStart,
            message: "\(path), \(first)\(others) (take them out to serve the records to everybody "
                + "who has the API key)")
    }

    private static func announce(
        _ server: HubServer, _ configuration: ServerConfiguration, _ schema: ModelSchema,
        _ arguments: Arguments, _ accessLines: [String]
    ) {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        let address = "\(host):\(server.port)/graphql"
        let models = schema.layout.models.map(\.name.string).joined(separator: ", ")
        let store =
            switch configuration.storage {
            case .memory: "in memory: records are gone when the hub stops"
            case .folder(let path): "\(path)/heliograph.sqlite"
            }
        Console.err("heliograph \(HeliographCommand.version)")
        Console.err("  schema   \(arguments.words[0]): \(models)")
        Console.err("  store    \(store)")
        Console.err("  shards   \(configuration.shards)")
        for line in accessLines { Console.err("  access   \(line)") }
        ServeSite.announce(arguments)
        ServeOperations.announce(arguments, configuration.rules)
        if let identity = configuration.tls { ServeEncryption.announce(identity) }
        let s = configuration.tls == nil ? "" : "s"
        Console.out("listening http\(s)://\(address) ws\(s)://\(address)")
    }

    // MARK: Access

    /// Who gets in, and what the banner says of it.
    private struct Admission {
        var policy: AccessPolicy
        var lines: [String]
        var isNewKey = false
    }

    private static func access(
        _ arguments: Arguments, host: String, _ storage: ServerConfiguration.Storage
    ) throws(CommandFailure) -> Admission {
        if arguments.switches.contains("--no-auth") {
            guard arguments.values["--api-key"] == nil else {
                throw .usage(
                    "--no-auth asks for no key and --api-key names one: give one of the two")
            }
            guard isLoopback(host) else {
                throw .usage(
                    "--no-auth lets everybody in and is taken on loopback addresses only, not on "
                        + "\(host): leave it out, or listen on 127.0.0.1")
            }
            return Admission(policy: .open, lines: ["everybody on this machine (--no-auth)"])
        }
        if let text = arguments.values["--api-key"] {
            do throws(APIKeyError) {
                return Admission(
                    policy: .apiKey(try APIKey(Text(text))),
                    lines: ["the API key given with --api-key"])
            } catch {
                throw .usage("--api-key: \(error)")
            }
        }
        return try keptKey(storage)
    }

    private static func keptKey(
        _ storage: ServerConfiguration.Storage
    ) throws(CommandFailure) -> Admission {
        guard case .folder(let path) = storage else {
            let key = APIKey(randomBytes: SystemRandom().bytes(APIKey.randomByteCount))
            return Admission(
                policy: .apiKey(key), lines: ["API key, until the hub stops: \(key.secret)"])
        }
        do throws(StartError) {
            let folder = try DataFolder(path: path)
            let (key, isNew) = try folder.apiKey()
            let line =
                isNew
                ? "API key, shown this once and kept in \(folder.keyPath): \(key.secret)"
                : "the API key in \(folder.keyPath)"
            return Admission(policy: .apiKey(key), lines: [line], isNewKey: isNew)
        } catch {
            throw CommandFailure(code: .cannotStart, message: error.description)
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "::1" || host.hasPrefix("127.")
    }
}

/// Waits for the signals that a server is told.
final class SignalQueue: Sendable {
    private let stream: AsyncStream<ProcessSignal>
    // Keeps the watch alive; never touched again, so sharing it is safe.
    private nonisolated(unsafe) let watch: SignalWatch

    init(_ more: Set<ProcessSignal> = []) {
        let (stream, told) = AsyncStream<ProcessSignal>.makeStream()
        self.stream = stream
        watch = SignalWatch(
            more.union([.terminate, .interrupt]), on: DispatchQueue(label: "heliograph.signals")
        ) { told.yield($0) }
    }

    /// Returns at the first signal to stop; `hungUp` is called at each SIGHUP before.
    func untilStopped(hungUp: () -> Void = {}) async {
        for await signal in stream {
            guard signal == .hangUp else { return }
            hungUp()
        }
    }
}
