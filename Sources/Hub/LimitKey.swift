import GraphQL

/// One limit as an operator sees it: a name for `--limit NAME=VALUE`, a unit, a range.
///
/// The command line, the shards' counters, the log and `/metrics` all call a limit by this name.
public struct LimitKey: Sendable {
    /// Where the value stands.
    private enum Place: Sendable {
        case count(any WritableKeyPath<Limits, Int> & Sendable)
        case seconds(any WritableKeyPath<Limits, Int64> & Sendable)
    }

    /// The name, with the unit in it: `connections-per-address-max`.
    public let name: String
    /// What is counted: `bytes of one WebSocket message or HTTP body`.
    public let unit: String
    /// The values it may have.
    public let range: ClosedRange<Int>
    private let place: Place

    private init(
        _ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable, _ unit: String,
        _ range: ClosedRange<Int>
    ) {
        self.name = name
        self.unit = unit
        self.range = range
        place = .count(path)
    }

    private init(
        _ name: String, _ path: any WritableKeyPath<Limits, Int64> & Sendable, _ unit: String,
        _ range: ClosedRange<Int>
    ) {
        self.name = name
        self.unit = unit
        self.range = range
        place = .seconds(path)
    }

    /// The value in these limits.
    public func value(in limits: Limits) -> Int {
        switch place {
        case .count(let path): limits[keyPath: path]
        case .seconds(let path): Int(limits[keyPath: path])
        }
    }

    /// Sets the value.
    ///
    /// - Precondition: it is in the range.
    public func set(_ value: Int, in limits: inout Limits) {
        precondition(range.contains(value), "\(value) is out of the range of \(name)")
        switch place {
        case .count(let path): limits[keyPath: path] = value
        case .seconds(let path): limits[keyPath: path] = Int64(value)
        }
    }

    /// The key of this name.
    public static func named(_ name: String) -> LimitKey? { all.first { $0.name == name } }

    /// All limits, in the order of the reference's table.
    public static let all: [LimitKey] = [
        // Connections.
        LimitKey(
            "connections-max", \.connectionsMax, "connections of the whole hub", 1...10_000_000),
        LimitKey(
            "connections-per-address-max", \.connectionsPerAddressMax,
            "connections of one address, or of one /64 with IPv6", 1...10_000_000),
        LimitKey(
            "handshakes-max", \.handshakesMax,
            "connections of the whole hub before their first request", 1...10_000_000),
        LimitKey(
            "handshake-seconds-max", \.handshakeSecondsMax, "seconds for a TLS handshake",
            1...3_600),
        LimitKey(
            "head-seconds-max", \.headSecondsMax, "seconds to the end of a request's head",
            1...3_600),
        LimitKey(
            "body-seconds-max", \.bodySecondsMax, "seconds from a head to the end of its body",
            1...86_400),
        LimitKey(
            "rest-seconds-max", \.restSecondsMax, "seconds between two requests of a connection",
            1...86_400),
        LimitKey(
            "init-seconds-max", \.initSecondsMax, "seconds from the upgrade to connection_init",
            1...3_600),
        LimitKey(
            "ping-after-seconds", \.pingAfterSeconds, "seconds of silence before a ping",
            1...86_400),
        LimitKey(
            "silence-seconds-max", \.silenceSecondsMax, "seconds of silence of a socket",
            2...86_400),
        LimitKey(
            "keep-alive-seconds", \.keepAliveSeconds, "seconds between two ka messages", 1...300),
        LimitKey(
            "event-stream-keep-alive-seconds", \.eventStreamKeepAliveSeconds,
            "seconds between two comments of an event stream", 1...300),
        LimitKey(
            "returns-per-second", \.returnsPerSecond,
            "clients of a stopping shard asked to come again in each second", 1...1_000_000),
        // Messages and requests.
        LimitKey(
            "message-bytes-max", \.messageBytesMax,
            "bytes of one WebSocket message, inflated, or HTTP body", 1_024...1_073_741_824),
        LimitKey(
            "message-fragments-max", \.messageFragmentsMax, "fragments of one WebSocket message",
            1...1_073_741_824),
        LimitKey(
            "compressed-payload-bytes-min", \.compressedPayloadBytesMin,
            "bytes of a payload from which it is compressed", 1...1_073_741_824),
        LimitKey(
            "texts-watched-max", \.textsWatchedMax,
            "compressed texts looked into while they come, of one shard", 0...1_000_000),
        LimitKey(
            "head-bytes-max", \.headBytesMax, "bytes of a request's head", 1_024...1_048_576),
        LimitKey(
            "head-fields-max", \.headFieldsMax, "header fields of a request", 16...10_000),
        LimitKey(
            "target-bytes-max", \.targetBytesMax, "bytes of a request's target", 64...1_048_576),
        LimitKey(
            "pipelined-bytes-max", \.pipelinedBytesMax,
            "bytes of requests behind the one being answered", 1_024...1_073_741_824),
        // Operations.
        LimitKey(
            "subscriptions-per-connection-max", \.subscriptionsPerConnectionMax,
            "subscriptions open on one connection", 1...1_000_000),
        LimitKey(
            "operations-per-connection-max", \.operationsPerConnectionMax,
            "operations in flight on one connection", 1...1_000_000),
        LimitKey(
            "operation-id-bytes-max", \.operationIDBytesMax, "bytes of an operation's id",
            36...65_536),
        LimitKey(
            "subscription-bytes-max", \.subscriptionBytesMax,
            "bytes of the message that opens a subscription", 256...1_073_741_824),
        LimitKey(
            "document-bytes-max", \.document.bytesMax, "bytes of a document", 256...1_073_741_824),
        LimitKey(
            "document-tokens-max", \.document.tokensMax, "tokens of a document",
            16...100_000_000),
        LimitKey(
            "document-depth-max", \.document.depthMax,
            "levels of selections, values, list types and planned fields", 4...200),
        LimitKey(
            "document-aliases-max", \.document.aliasesMax, "aliases in a document",
            1...10_000_000),
        LimitKey(
            "document-spreads-max", \.document.spreadsMax,
            "spreads of named fragments in a document", 1...10_000_000),
        LimitKey(
            "document-directives-max", \.document.directivesMax, "directives in a document",
            1...10_000_000),
        LimitKey(
            "document-directives-per-place-max", \.document.directivesPerPlaceMax,
            "directives at one place of a document", 1...10_000_000),
        LimitKey(
            "document-steps-max", \.document.stepsMax,
            "steps of comparing a document's fields and following its variables",
            1_000...1_000_000_000),
        LimitKey(
            "document-errors-max", \.document.errorsMax, "errors reported for one document",
            1...10_000),
        LimitKey(
            "document-plan-fields-max", \.document.planFieldsMax,
            "fields of a document after fragments are put in", 16...10_000_000),
        LimitKey(
            "root-fields-max", \.document.rootFieldsMax,
            "fields of an operation's root after fragments are put in", 1...10_000_000),
        LimitKey(
            "cost-max", \.document.costMax,
            "cost of an operation by estimate: fields, and 10 for a question to the store",
            1...1_000_000_000_000_000),
        LimitKey(
            "result-nodes-max", \.document.resultNodesMax, "fields and list items of a response",
            16...1_000_000_000),
        LimitKey(
            "result-bytes-max", \.document.responseBytesMax, "bytes of a response",
            1_024...536_870_912),
        LimitKey(
            "execution-rounds-max", \.executionRoundsMax,
            "rounds of questions to the store for one root field", 4...10_000),
        LimitKey(
            "execution-seconds-max", \.executionSecondsMax,
            "seconds that an operation or event may wait for the store", 1...86_400),
        LimitKey(
            "records-per-operation-max", \.recordsPerOperationMax,
            "records read by one operation", 1...100_000_000),
        LimitKey(
            "records-per-ask-max", \.recordsPerAskMax, "records asked for in one question",
            1...1_000_000),
        LimitKey(
            "prepared-operations-max", \.preparedOperationsMax, "prepared operations remembered",
            1...1_000_000),
        LimitKey(
            "prepared-bytes-max", \.preparedBytesMax, "bytes of their texts",
            1_024...1_073_741_824),
        LimitKey(
            "remembered-documents-max", \.rememberedDocumentsMax,
            "documents of one shard remembered under their hashes", 1...1_000_000),
        LimitKey(
            "remembered-bytes-max", \.rememberedBytesMax, "bytes of those documents",
            1_024...1_073_741_824),
        // Slow readers.
        LimitKey(
            "outbox-bytes-max", \.outboxBytesMax, "bytes waiting for one slow reader",
            4_096...1_073_741_824),
        LimitKey(
            "queued-bytes-max", \.queuedBytesMax,
            "bytes waiting for all slow readers of the hub", 65_536...1_099_511_627_776),
        LimitKey(
            "parking-bytes-min", \.parkingBytesMin,
            "bytes waiting for one slow reader before its events are parked",
            1_024...1_073_741_824),
        LimitKey(
            "parked-bytes-max", \.parkedBytesMax,
            "bytes of events parked for one connection, 128 beside each",
            1_024...1_073_741_824),
        LimitKey(
            "changes-per-group-max", \.changesPerGroupMax,
            "changes waiting for one subscription's earlier event", 1...100_000_000),
    ]
}
