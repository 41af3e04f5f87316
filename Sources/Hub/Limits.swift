public import GraphQL
import HTTP1
import WebSocket

/// Every limit that an operator may set, with its unit in its name. Reaching one is counted,
/// logged at most once a period and told to the peer. `LimitKey.all` has their names on the
/// command line and their ranges.
public struct Limits: Sendable, Hashable {
    /// Bytes of one WebSocket message, as it is or inflated, or of one HTTP body.
    public var messageBytesMax = 1_048_576
    /// Fragments of one WebSocket message.
    public var messageFragmentsMax = 131_072
    /// Bytes of the head of an HTTP request.
    public var headBytesMax = 16_384
    /// Header fields of an HTTP request.
    public var headFieldsMax = 100
    /// Bytes of the target of an HTTP request.
    public var targetBytesMax = 8_192
    /// What a document may cost, and its answer.
    public var document = DocumentLimits()
    /// Bytes of a payload from which it is compressed, for clients that agreed to that.
    public var compressedPayloadBytesMin = 1_024
    /// Compressed texts of one shard that are looked into while they come in parts.
    public var textsWatchedMax = 16
    /// Bytes of further requests that may wait behind the one being answered.
    public var pipelinedBytesMax = 65_536
    /// Bytes of an operation id that a client chooses.
    public var operationIDBytesMax = 256
    /// Subscriptions open on one connection.
    public var subscriptionsPerConnectionMax = 1_000
    /// Operations in flight on one connection; those that were ended but wait for the store are
    /// still counted.
    public var operationsPerConnectionMax = 1_000
    /// Bytes of the message that opens a subscription: it is kept for as long as that lives.
    public var subscriptionBytesMax = 65_536
    /// Connections of the whole hub.
    public var connectionsMax = 100_000
    /// Connections of one address; of one /64 network with IPv6.
    public var connectionsPerAddressMax = 20_000
    /// Connections of the whole hub whose first request is not there yet, TLS handshake included.
    public var handshakesMax = 10_000
    /// Seconds that a TLS handshake may take.
    public var handshakeSecondsMax: Int64 = 10
    /// Bytes that may wait for a peer that reads too slowly; beyond, it is closed (retryable).
    public var outboxBytesMax = 4_194_304
    /// Bytes that wait for a peer from which on events are parked where they may be dropped or
    /// replaced (`SlowConsumerPolicy`): what was handed to the network cannot be taken back.
    public var parkingBytesMin = 65_536
    /// Bytes of events that may be parked for one connection, 128 counted for each beside its
    /// payload; beyond, the oldest are dropped, or the connection is closed (retryable).
    public var parkedBytesMax = 1_048_576
    /// Bytes that may wait for all slow peers of the whole hub together; beyond, those for whom
    /// most waits are closed.
    public var queuedBytesMax = 268_435_456
    /// Changes that may wait for a group whose earlier event is still being executed.
    public var changesPerGroupMax = 10_000
    /// Rounds of asking the store that one root field of an operation may take.
    public var executionRoundsMax = 64
    /// Seconds that an operation, or an event of a subscription, may wait for the store.
    public var executionSecondsMax: Int64 = 30
    /// Records that one operation may read altogether.
    public var recordsPerOperationMax = 100_000
    /// Records that one question to the store may bring about; more are asked for in slices.
    public var recordsPerAskMax = 10_000
    /// Prepared operations that are remembered.
    public var preparedOperationsMax = 1_000
    /// Bytes of operation texts that are remembered with them.
    public var preparedBytesMax = 8_388_608
    /// Documents that a shard remembers under their hashes (automatic persisted queries).
    public var rememberedDocumentsMax = 10_000
    /// Bytes of those documents.
    public var rememberedBytesMax = 8_388_608
    /// Seconds from the opening of a connection to the end of its first request head, and from
    /// the first byte of a later head to its end.
    public var headSecondsMax: Int64 = 10
    /// Seconds from the end of a head to the end of its body.
    public var bodySecondsMax: Int64 = 30
    /// Seconds that an HTTP connection may rest between two requests.
    public var restSecondsMax: Int64 = 75
    /// Seconds from the upgrade to `connection_init`.
    public var initSecondsMax: Int64 = 10
    /// Seconds without a byte from a socket before the hub pings it.
    public var pingAfterSeconds: Int64 = 20
    /// Seconds without a byte from a socket before it is dropped.
    public var silenceSecondsMax: Int64 = 50
    /// Seconds between two keep-alive messages on dialects that have them.
    public var keepAliveSeconds: Int64 = 25
    /// Seconds between two comments on an event stream.
    public var eventStreamKeepAliveSeconds: Int64 = 12
    /// Clients of one shard that a stopping hub asks to come again in each second.
    public var returnsPerSecond = 2_000

    /// The defaults.
    public init() {}
}

extension Limits {
    /// What the reader of a request takes.
    var http: HTTPLimits {
        HTTPLimits(
            headBytesMax: headBytesMax, fieldCountMax: headFieldsMax,
            targetBytesMax: targetBytesMax, bodyBytesMax: messageBytesMax)
    }

    /// What the reader of a message takes.
    var webSocket: WebSocketLimits {
        WebSocketLimits(messageBytesMax: messageBytesMax, fragmentCountMax: messageFragmentsMax)
    }
}
