public import Access
import Broker
import Bytes
public import GraphQL
import HTTP1
import JSON
public import Models
public import Records
import Subprotocol
import WebSocket

/// One queue's whole server: connections, operations, subscriptions. Sans-IO: it is told what
/// happened and says what is to be done through its `Outlet`.
///
/// Owned by one queue (the server) or one test (the simulation); not Sendable. A turn is any
/// number of told events; what is sent in a turn leaves together at its end.
///
///     let shard = Shard(schema: schema, policy: policy, limits: Limits(), outlet: outlet, seed: 1)
///     shard.opened(handle, at: moment)
///     shard.received(handle, bytes, at: moment)
///     shard.changed(changes, at: moment)           // from the store, in commit order
public final class Shard {
    let schema: ModelSchema
    let policy: AccessPolicy
    let limits: Limits
    let validation: ValidationOptions
    let slowConsumerPolicy: SlowConsumerPolicy
    let site: SiteRules
    var rules: OperationRules
    /// The host of the last request that was for this hub, as it was written.
    var knownHost: Text?
    unowned let outlet: any Outlet
    var random: SeededRandom
    var moment = Moment(nanoseconds: 0, wallMilliseconds: 0, committedOffset: 0)

    /// What has been counted since the start.
    public internal(set) var counters = Counters()
    /// How often each limit was reached.
    public internal(set) var limitsReached = LimitCounts()

    var connections: ContiguousArray<Connection?> = []
    var cache: OperationCache
    var remembered: RememberedDocuments
    var date = DateText()
    var tape = JSONTape()
    /// The timetable of the end, once that has begun.
    var drain: Drain?
    /// When the connections are looked over next.
    var nextSweep = Int64.max
    /// The offset of the last change that this shard was told.
    var toldOffset: UInt64
    /// While the outlet is told to close a socket in its turn: the offset up to which the socket
    /// has been told of everything. For tests.
    public internal(set) var promisedOffset: UInt64?
    /// When the operator may be told the same again.
    var noticesDue: [Notice: Int64] = [:]

    var broker = Broker()
    var groups: [GroupContext.Key: GroupContext] = [:]
    var contexts: ContiguousArray<GroupContext?> = []
    var subscriptions: ContiguousArray<Subscription?> = []
    /// What fan-out needs of each subscription, apart so that it reads nothing else.
    var fronts: ContiguousArray<EventFront> = []
    /// The longest head that a front ever had.
    var frontBytesMax = 0
    var freeSubscriptions: [UInt32] = []
    var matched: [Broker.GroupID] = []

    /// Inflates the messages of all sockets.
    let inflater: Inflater
    /// Compresses the payload that is being sent.
    let sharedDeflate = SharedDeflate()

    var tickets: [UInt64: Ticket] = [:]
    var lastTicket: UInt64 = 0
    /// Watches that the store could not take back yet.
    var lostUnwatches: [[RelationPath]] = []

    /// Small bytes on their way out: replies, frame heads. Empty between two calls.
    var scratch = ByteQueue()
    /// The payload of the event being sent; its memory serves the next one.
    var payloadBuffer = ByteQueue()

    /// Who waits for an answer of the store.
    enum Ticket {
        /// An execution's round.
        case running(Running)
        /// A group whose relations are to be watched.
        case watch(GroupContext)
        /// Relations that need not be watched any more.
        case unwatch([RelationPath])
    }

    /// A shard without connections.
    ///
    /// - Parameters:
    ///   - site: which web pages and names are let in.
    ///   - rules: which documents are run, and which statuses tell of their errors.
    ///   - validation: what documents may ask of the schema itself.
    ///   - slowConsumerPolicy: for all subscribers that do not choose another one.
    ///   - seed: start of the shard's random numbers: ids of records, masking of nothing secret.
    ///   - outlet: who carries out what the shard says; must outlive the shard.
    ///   - committedOffset: how far the store has come; all later changes are told.
    public init(
        schema: ModelSchema, policy: AccessPolicy, site: SiteRules = SiteRules(),
        rules: OperationRules = OperationRules(), limits: Limits,
        validation: ValidationOptions = ValidationOptions(),
        slowConsumerPolicy: SlowConsumerPolicy = .close, outlet: any Outlet, seed: UInt64,
        committedOffset: UInt64 = 0
    ) {
        self.schema = schema
        self.policy = policy
        self.site = site
        self.rules = rules
        self.limits = limits
        self.validation = validation
        self.slowConsumerPolicy = slowConsumerPolicy
        self.outlet = outlet
        toldOffset = committedOffset
        random = SeededRandom(seed: seed)
        inflater = Inflater(watchesMax: limits.textsWatchedMax)
        cache = OperationCache(
            countMax: limits.preparedOperationsMax, bytesMax: limits.preparedBytesMax)
        remembered = RememberedDocuments(
            countMax: limits.rememberedDocumentsMax, bytesMax: limits.rememberedBytesMax)
    }

    // MARK: Told

    /// A connection was accepted.
    public func opened(_ handle: UInt64, at moment: Moment) {
        self.moment = moment
        counters.connectionsOpened += 1
        counters.connectionsOpen += 1
        let index = Int(UInt32(truncatingIfNeeded: handle))
        while connections.count <= index { connections.append(nil) }
        precondition(connections[index] == nil, "a connection's slot is still in use")
        let connection = Connection(
            handle: handle, role: .http(HTTPExchange(reader: newReader())),
            lastHeard: moment.nanoseconds, deadline: later(limits.headSecondsMax))
        connections[index] = connection
        scheduleSweep()
        arrived(connection)
    }

    /// Bytes came. They are lent, and may be changed, until this returns.
    public func received(
        _ handle: UInt64, _ bytes: UnsafeMutableRawBufferPointer, at moment: Moment
    ) {
        self.moment = moment
        guard let connection = connection(handle) else { return }
        connection.lastHeard = moment.nanoseconds
        switch connection.role {
        case .http(let exchange):
            receivedHTTP(connection, exchange, UnsafeRawBufferPointer(bytes))
        case .socket(let socket):
            if let stream = socket.stream {
                receivedBehind(stream, connection, UnsafeRawBufferPointer(bytes))
            } else {
                receivedFrames(connection, socket, bytes)
            }
        case .closing: break
        }
    }

    /// The peer sends no more but may still read. Returns whether it still waits for an answer;
    /// if not, the connection may be closed.
    public func peerFinished(_ handle: UInt64, at moment: Moment) -> Bool {
        self.moment = moment
        guard let connection = connection(handle), case .http(let exchange) = connection.role,
            exchange.isBusy
        else { return false }
        exchange.isLast = true
        return true
    }

    /// The connection is gone: by its peer, or by the network.
    public func closed(_ handle: UInt64, at moment: Moment) {
        self.moment = moment
        guard let connection = connection(handle) else { return }
        forget(connection)
    }

    /// The store has answered.
    public func answered(_ ticket: UInt64, _ answers: [StoreAnswer], at moment: Moment) {
        self.moment = moment
        guard let owner = tickets.removeValue(forKey: ticket) else { return }
        switch owner {
        case .running(let running): resume(running, answers)
        case .watch(let group): watched(group, answers)
        case .unwatch(let paths): unwatched(paths, answers)
        }
    }

    // MARK: Help that all parts share

    func connection(_ handle: UInt64) -> Connection? {
        let index = Int(UInt32(truncatingIfNeeded: handle))
        guard index < connections.count, let connection = connections[index],
            connection.handle == handle
        else { return nil }
        return connection
    }

    func later(_ seconds: Int64) -> Int64 { moment.nanoseconds + seconds * 1_000_000_000 }

    func ask(_ requests: [StoreRequest], for owner: Ticket) {
        lastTicket += 1
        tickets[lastTicket] = owner
        outlet.ask(lastTicket, requests)
    }

    /// Sends bytes and keeps the peer's backlog within its limit.
    func send(_ bytes: ByteQueue, to connection: Connection) {
        let waiting = bytes.withBytes { outlet.send(connection.handle, $0, .empty, .empty) }
        keepWithinOutbox(connection, waiting)
    }

    /// Counts that a limit was reached, and has the operator told.
    func note(_ limit: ReachedLimit) {
        limitsReached[limit] += 1
        outlet.reached(limit)
    }

    /// Ends the connection, by the hub's will.
    func close(_ connection: Connection, flushing: Bool) {
        guard self.connection(connection.handle) === connection else { return }
        outlet.close(connection.handle, flushing: flushing)
        forget(connection)
    }

    /// Cancels all that the connection had open, and gives its slot free.
    func forget(_ connection: Connection) {
        let index = Int(UInt32(truncatingIfNeeded: connection.handle))
        guard connections[index] === connection else { return }
        connections[index] = nil
        counters.connectionsOpen -= 1
        if case .socket(let socket) = connection.role {
            freeParked(of: socket)
            let open = socket.operations
            socket.operations = [:]
            // In an order of its own, so that equal histories go on equally.
            for (id, operation) in open.sorted(by: { $0.key < $1.key }) {
                end(operation, id: id, of: connection)
            }
        }
        connection.role = .closing
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes.
    static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

extension Shard {
    /// How many groups of subscribers there are, for tests and operators.
    public var groupCount: Int { groups.count }

    /// What the shard knows of the numbers at `/metrics`. Costs a look at what is being executed.
    public var measures: Measures {
        var measures = Measures()
        measures.counters = counters
        measures.limitsReached = limitsReached
        measures.operationsRunning = tickets.values.count { ticket in
            guard case .running(let running) = ticket else { return false }
            if case .group = running.target { return false }
            return !running.isCancelled
        }
        return measures
    }

    /// How many questions to the store are not answered, for tests and operators.
    public var openTicketCount: Int { tickets.count }
}
