public import Bytes
import HTTP1
public import JSON
public import Subprotocol
import WebSocket

/// One client's whole conversation with a hub: connect, back off, run operations.
///
/// The room's central type. It is told what happens and says what to do; it has no socket and no
/// clock, so the same code runs over `ClientDriver` and in simulation. It speaks
/// `graphql-transport-ws`.
///
///     session.connect(now: now)                       // or start(…): operations connect too
///     session.received(bytes, now: now)               // opened, closed, woke likewise
///     while let event = session.next() { … }          // commands and news, until nil
///     session.takeOutput { send($0) }                 // bytes for the network
///     wake(at: session.wakeAt)
///
/// After each call of a verb the owner does the last three, in that order. It may call further
/// verbs between two events. News of a connection that the session has given up (after
/// `.disconnect`) must not be told.
///
/// Subscriptions and queries survive a lost connection: they are sent again. A mutation that was
/// under way does not: it fails with `OperationFailure.outcomeUnknown`.
public struct ClientSession {
    /// Where the session stands.
    public enum Phase: Sendable, Hashable {
        /// Nothing is wanted of it.
        case idle
        /// The driver is opening a connection.
        case connecting
        /// The upgrade was asked for.
        case handshaking
        /// `connection_init` was sent.
        case initialising
        /// Acknowledged.
        case ready
        /// Until the next attempt.
        case waiting
        /// It gave up; only `connect` starts anew.
        case ended
    }

    struct Operation {
        var request: OperationRequest
        var kind: OperationKind
        /// Whether it went out on the present connection.
        var isSent = false
    }

    /// What the session was told at its start. Credentials may be changed between attempts.
    public var configuration: ClientConfiguration
    /// Where the session stands.
    public internal(set) var phase = Phase.idle
    /// When `woke` is to be called, on the clock of the calls' `now`; nil for never. A call that
    /// comes early does no harm.
    public internal(set) var wakeAt: Int64?
    /// Attempts in a row that ended before an acknowledgement.
    public internal(set) var failedAttempts = 0

    /// Why the session gave up, while it is `ended`.
    public internal(set) var endedBy: ClientError?

    var random: SeededRandom
    var output = ByteQueue()
    var line = EventLine()
    var handshake: ClientHandshake?
    var reader: HTTPReader?
    var socket: WebSocketSession?
    /// What the present connection's server agreed to.
    var deflate: DeflateParameters?
    let compression: Compression
    var isLent = false
    /// Frames that came in one piece with the answer to the upgrade.
    var hasRest = false
    var tape = JSONTape()
    var scratch = ByteQueue()
    var operations: [OperationHandle: Operation] = [:]
    var lastNumber: UInt64 = 0
    /// Waits since the last acknowledgement, or since the moment that the server had asked for.
    var waits = 0
    /// When the server that sent us away asked us to come again.
    var hintedAt: Int64?
    /// When something was last heard of the server.
    var heardAt: Int64 = 0
    /// Until when a sign of life must come, if the server was asked for one.
    var pongDueAt: Int64?
    /// The time of the last call.
    var now: Int64 = 0

    /// An idle session.
    ///
    /// - Parameter random: for waits, mask keys and the handshake's key: seed it from the
    ///   system's random source, or from the run's seed in simulation.
    public init(_ configuration: ClientConfiguration, random: SeededRandom) {
        self.init(configuration, random: random, Compression())
    }

    /// An idle session that shares its compression with others of the same owner.
    init(_ configuration: ClientConfiguration, random: SeededRandom, _ compression: Compression) {
        self.configuration = configuration
        self.random = random
        self.compression = compression
    }

    /// Whether the server of the present connection agreed to compress long messages.
    public var isCompressed: Bool { deflate != nil }

    /// How many operations are under way or wait for the connection.
    public var operationCount: Int { operations.count }

    // MARK: What the owner wants

    /// Opens the connection if there is none, at once even if a wait is under way.
    public mutating func connect(now: Int64) {
        self.now = now
        switch phase {
        case .ended:
            failedAttempts = 0
            waits = 0
            endedBy = nil
            beginAttempt()
        case .idle, .waiting: beginAttempt()
        case .connecting, .handshaking, .initialising, .ready: break
        }
    }

    /// Starts an operation; it goes out once the connection is ready. Connects if need be.
    ///
    /// - Throws: `tooManyOperations`, or once the session has given up, why it has.
    public mutating func start(
        _ request: OperationRequest, kind: OperationKind, now: Int64
    ) throws(ClientError) -> OperationHandle {
        self.now = now
        if phase == .ended { throw endedBy ?? .closedHere }
        guard operations.count < configuration.operationsMax else {
            throw .tooManyOperations(limit: configuration.operationsMax)
        }
        lastNumber += 1
        let handle = OperationHandle(number: lastNumber)
        operations[handle] = Operation(request: request, kind: kind)
        switch phase {
        case .ready: send(handle)
        case .idle: beginAttempt()
        case .connecting, .handshaking, .initialising, .waiting, .ended: break
        }
        return handle
    }

    /// Changes what a subscription will be sent with after a lost connection, for instance the
    /// position to resume from. An operation that is over is ignored.
    public mutating func setExtensions(_ extensions: JSONObject, of handle: OperationHandle) {
        operations[handle]?.request.extensions = extensions
    }

    /// Stops listening to an operation; nothing more of it is told. One that is over is ignored.
    public mutating func stop(_ handle: OperationHandle, now: Int64) {
        self.now = now
        guard let operation = operations.removeValue(forKey: handle) else { return }
        if phase == .ready, operation.isSent { send(.complete(id: handle.id)) }
        // Nobody is left to try again for (B166).
        if phase == .waiting, operations.isEmpty, !configuration.retriesWithoutOperations {
            phase = .idle
            wakeAt = nil
        }
    }

    /// Ends the connection in good order. Operations that are not over fail.
    public mutating func disconnect(now: Int64) {
        self.now = now
        guard phase != .ended else { return }
        dropTransport(closeCode: 1000, reason: "Normal Closure")
        giveUp(.closedHere)
    }

    // MARK: Output

    /// Bytes for the network that were not taken yet.
    public var outputBytes: Int { output.count }

    /// Lends the bytes for the network once and forgets them. Not called if there are none.
    public mutating func takeOutput(_ body: (UnsafeRawBufferPointer) -> Void) {
        guard !output.isEmpty else { return }
        output.withBytes(body)
        output.removeAll(keepingCapacity: true)
    }
}
