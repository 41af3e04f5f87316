import GraphQL

/// A limit that was reached. Its raw value is the name that operators know it by: that of its
/// `LimitKey`, or for what the system limits `open-files`.
public enum ReachedLimit: String, Sendable, Hashable, CaseIterable {
    case connections = "connections-max"
    case connectionsPerAddress = "connections-per-address-max"
    case handshakes = "handshakes-max"
    case handshakeSeconds = "handshake-seconds-max"
    case headSeconds = "head-seconds-max"
    case bodySeconds = "body-seconds-max"
    case restSeconds = "rest-seconds-max"
    case initSeconds = "init-seconds-max"
    case silenceSeconds = "silence-seconds-max"
    case messageBytes = "message-bytes-max"
    case messageFragments = "message-fragments-max"
    case headBytes = "head-bytes-max"
    case headFields = "head-fields-max"
    case targetBytes = "target-bytes-max"
    case pipelinedBytes = "pipelined-bytes-max"
    case subscriptionsPerConnection = "subscriptions-per-connection-max"
    case operationsPerConnection = "operations-per-connection-max"
    case operationIDBytes = "operation-id-bytes-max"
    case subscriptionBytes = "subscription-bytes-max"
    case documentBytes = "document-bytes-max"
    case documentTokens = "document-tokens-max"
    case documentDepth = "document-depth-max"
    case documentAliases = "document-aliases-max"
    case documentSpreads = "document-spreads-max"
    case documentDirectives = "document-directives-max"
    case documentDirectivesPerPlace = "document-directives-per-place-max"
    case documentSteps = "document-steps-max"
    case documentPlanFields = "document-plan-fields-max"
    case rootFields = "root-fields-max"
    case cost = "cost-max"
    case resultNodes = "result-nodes-max"
    case resultBytes = "result-bytes-max"
    case executionRounds = "execution-rounds-max"
    case executionSeconds = "execution-seconds-max"
    case recordsPerOperation = "records-per-operation-max"
    case outboxBytes = "outbox-bytes-max"
    case parkedBytes = "parked-bytes-max"
    case queuedBytes = "queued-bytes-max"
    case changesPerGroup = "changes-per-group-max"
    /// The system gives the process no more descriptors.
    case openFiles = "open-files"

    init(_ limit: DocumentLimit) {
        guard let reached = ReachedLimit(rawValue: limit.rawValue) else {
            preconditionFailure("\(limit.rawValue) is no limit of the hub")
        }
        self = reached
    }

    /// Whether reaching it is how things go, so that nobody needs to read of it.
    var isOrdinary: Bool { self == .restSeconds || self == .pipelinedBytes }

    /// Its place among all.
    var index: Int { Self.indices[self] ?? 0 }

    private static let indices = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}

/// How often each limit was reached.
public struct LimitCounts: Sendable, Hashable {
    private var counts = [UInt64](repeating: 0, count: ReachedLimit.allCases.count)

    /// None was.
    public init() {}

    /// How often this one was.
    public subscript(_ limit: ReachedLimit) -> UInt64 {
        get { counts[limit.index] }
        set { counts[limit.index] = newValue }
    }

    /// Adds another's counts.
    public mutating func add(_ other: LimitCounts) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }
}
