import Bytes
import Glibc
import Hub
import HubClient
import JSON
import Loop

/// Which hub a command talks to, and with which key.
struct HubTarget: Sendable {
    /// Where a key was found, for the message when the hub refuses it.
    enum KeySource: Sendable, Hashable {
        case option
        case environment
        case file
        case none
    }

    /// The options of every command that talks to a running hub.
    static let options: (heading: String, options: [Option]) = (
        "hub",
        [
            Option("--url", "URL", "where the hub is", defaultText: defaultURL),
            Option(
                "--api-key", "KEY", "its API key",
                defaultText: "$\(keyVariable), then \(keyFile) for a hub on this machine"),
            Option(
                "--ca-file", "FILE", "PEM file of the authority to trust, for wss and https",
                defaultText: "those the system trusts"),
            Option(
                "--insecure", nil, "trust any certificate; for a hub on this machine only"),
        ]
    )

    /// What commands that subscribe can ask of the hub for all their subscriptions.
    static let slowConsumerOption = Option(
        "--slow-consumer", "POLICY",
        "\(SlowConsumerPolicy.allNames), where this reads too slowly",
        defaultText: "as the hub has it")

    private static let defaultURL = "ws://127.0.0.1:8080/graphql"
    private static let keyVariable = "HELIOGRAPH_API_KEY"
    private static let keyFile = "./data/api-key"

    var endpoint: Endpoint
    var key: Text?
    var keySource: KeySource
    var trust: TLSClientTrust
    /// What the hub is asked to do if this program reads too slowly; nil: what it does for all.
    var slowConsumer: SlowConsumerPolicy?

    init(_ arguments: Arguments) throws(CommandFailure) {
        do throws(EndpointError) {
            endpoint = try Endpoint(Text(arguments.values["--url"] ?? Self.defaultURL))
        } catch {
            throw .usage("--url: \(error)")
        }
        trust = try Self.trust(arguments, endpoint)
        slowConsumer = try arguments.slowConsumerPolicy("--slow-consumer")
        (key, keySource) = Self.findKey(arguments, isLocal: Self.isLoopback(endpoint.host))
    }

    /// What a client connects with.
    var configuration: ClientConfiguration {
        var configuration = ClientConfiguration(endpoint: endpoint)
        configuration.trust = trust
        if let key { configuration.setAPIKey(key) }
        if let slowConsumer { configuration.setSlowConsumer(slowConsumer) }
        return configuration
    }

    private static func trust(
        _ arguments: Arguments, _ endpoint: Endpoint
    ) throws(CommandFailure) -> TLSClientTrust {
        let file = arguments.values["--ca-file"]
        let isInsecure = arguments.switches.contains("--insecure")
        if !endpoint.isSecure, file != nil || isInsecure {
            throw .usage(
                "\(isInsecure ? "--insecure" : "--ca-file") is for encrypted connections: "
                    + "give a --url that begins with wss:// or https://")
        }
        guard let file else {
            guard isInsecure else { return .system }
            guard isLoopback(endpoint.host) else {
                throw .usage(
                    "--insecure believes whoever answers and is taken for a hub on this machine "
                        + "only, not for \(endpoint.host): name its authority with --ca-file FILE")
            }
            return .anybody
        }
        if isInsecure { throw .usage("--ca-file and --insecure exclude each other") }
        do throws(TLSError) {
            return try TLSClientTrust(authoritiesIn: file)
        } catch {
            throw .usage("--ca-file: \(error)")
        }
    }

    private static func findKey(
        _ arguments: Arguments, isLocal: Bool
    ) -> (Text?, KeySource) {
        if let key = arguments.values["--api-key"] { return (Text(key), .option) }
        if let key = getenv(keyVariable), key.pointee != 0 {
            return (Text(String(cString: key)), .environment)
        }
        // The key of a hub on this machine never leaves it. A file that cannot be read counts as
        // none: the hub's refusal then says where a key is looked for.
        guard isLocal, let bytes = try? contents(of: keyFile, bytesMax: 1_024) else {
            return (nil, .none)
        }
        let line = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
        return line.isEmpty ? (nil, .none) : (Text(String(line)), .file)
    }

    private static func isLoopback(_ host: Text) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    // MARK: Failures

    /// What to tell when no connection came about or the hub ended it for good.
    func failure(_ error: HubError) -> CommandFailure {
        switch error.code {
        case .forbidden: CommandFailure(code: .unreachable, message: credentialsMessage)
        case .notConnected:
            CommandFailure(
                code: .unreachable,
                message: "no connection to \(endpoint): \(Self.reason(error)) (start a hub with "
                    + "heliograph serve, or name another with --url)")
        default: CommandFailure(code: .unreachable, message: error.description)
        }
    }

    /// What the network said, without the words around it.
    private static func reason(_ error: HubError) -> String {
        guard case .connectionLost(let reason?)? = error.underlying as? ClientError else {
            return error.message
        }
        return reason.string
    }

    private var credentialsMessage: String {
        let places = "--api-key KEY, $\(Self.keyVariable) or \(Self.keyFile)"
        return switch keySource {
        case .none:
            "the hub at \(endpoint) wants an API key and none was found (give it by \(places))"
        case .option: "the hub at \(endpoint) refused the API key given with --api-key"
        case .environment:
            "the hub at \(endpoint) refused the API key in $\(Self.keyVariable) "
                + "(--api-key KEY overrules it)"
        case .file:
            "the hub at \(endpoint) refused the API key in \(Self.keyFile) (it may be another "
                + "hub's: --api-key KEY overrules it)"
        }
    }
}

extension ClientConfiguration {
    /// Asks the hub for a policy for all subscriptions of the connection.
    mutating func setSlowConsumer(_ policy: SlowConsumerPolicy) {
        var payload = initPayload ?? [:]
        payload["heliograph"] = ["slowConsumer": .string(Text(policy.rawValue))]
        initPayload = payload
    }
}

extension Arguments {
    /// The policy that an option names; nil if it is not given.
    func slowConsumerPolicy(_ option: String) throws(CommandFailure) -> SlowConsumerPolicy? {
        guard let name = values[option] else { return nil }
        guard let policy = SlowConsumerPolicy(rawValue: name) else {
            throw .usage("\(option) takes \(SlowConsumerPolicy.allNames)")
        }
        return policy
    }
}
