import Bytes
import Crypto
import GraphQL
import Hub
import Loop
public import Models
import Synchronization

/// A running hub: shards on their loops, the store on its worker, one listener.
///
///     let server = try HubServer.start(configuration, schema: schema)
///     print(server.port)
///     _ = await server.drain()                // all are answered and closed in turn
public final class HubServer: Sendable {
    /// The port that the hub listens on.
    public let port: UInt16

    private let configuration: ServerConfiguration
    private let store: StoreHost
    private let shards: [LoopPoster<ShardHost>]

    private init(
        _ configuration: ServerConfiguration, port: UInt16, store: StoreHost,
        shards: [LoopPoster<ShardHost>]
    ) {
        self.configuration = configuration
        self.port = port
        self.store = store
        self.shards = shards
    }

    /// Opens the store, starts the shards and listens. When it returns, clients can connect.
    ///
    /// - Throws: `StartError`: the port, the data folder or the database is not to be had.
    public static func start(
        _ configuration: ServerConfiguration, schema: ModelSchema
    ) throws(StartError) -> HubServer {
        precondition(configuration.shards >= 1, "a hub has at least one shard")
        ignoreBrokenPipes()
        let store = try StoreHost(
            configuration.storage, layout: schema.layout, report: configuration.report)
        let desk = MetricsDesk(store.directory, version: configuration.version)
        let limits = LimitDesk(
            configuration.limits, shardCount: configuration.shards, report: configuration.report)
        var shards: [LoopPoster<ShardHost>] = []
        do throws(LoopError) {
            for number in 1..<max(1, configuration.shards) {
                shards.append(try startShard(number, configuration, schema, store, desk, limits))
            }
            // The first shard comes last: it accepts for all, so the others must be there.
            let front = Front(others: shards)
            shards.insert(
                try startShard(0, configuration, schema, store, desk, limits, front), at: 0)
            store.connect(shards)
            return HubServer(configuration, port: front.port, store: store, shards: shards)
        } catch {
            for shard in shards { shard.stop() }
            store.stop {}
            throw StartError(error.description)
        }
    }

    private static func startShard(
        _ number: Int, _ configuration: ServerConfiguration, _ schema: ModelSchema,
        _ store: StoreHost, _ desk: MetricsDesk, _ limitDesk: LimitDesk,
        _ front: Front? = nil
    ) throws(LoopError) -> LoopPoster<ShardHost> {
        let seed = SystemRandom().seed()
        let responseBytesMax = configuration.limits.document.responseBytesMax
        var limits = LoopLimits()
        // A slow peer is told so by its shard at `outboxBytesMax`; the loop's own limit only has
        // to let one answer of the largest size through behind that.
        limits.backlogBytesMax = configuration.limits.outboxBytesMax + 2 * responseBytesMax
        limits.handshakeMilliseconds = Int(configuration.limits.handshakeSecondsMax) * 1_000
        // The gate counts them for all loops.
        limits.connectionsMax = .max
        return try EventLoop.start(name: "heliograph.shard.\(number)", limits: limits) {
            loop throws(LoopError) in
            let host = ShardHost(
                number: number, loop: loop, store: store, desk: desk, limits: limitDesk)
            host.attach(
                Shard(
                    schema: schema, policy: configuration.access, site: configuration.site,
                    limits: configuration.limits,
                    validation: ValidationOptions(
                        suggestsNames: configuration.showsSchema,
                        allowsIntrospection: configuration.showsSchema),
                    slowConsumerPolicy: configuration.slowConsumerPolicy, outlet: host, seed: seed,
                    committedOffset: store.committedOffset))
            try front?.listen(configuration, host)
            return host
        }
    }

    /// Stops in good order: stops listening, closes every connection in turn within the configured
    /// time, answered and with a code that makes its client come again, and closes the store.
    public func drain() async -> DrainSummary {
        let seconds = configuration.drainSeconds
        let summary = await withTaskGroup(of: DrainSummary.self) { group in
            for shard in shards {
                group.addTask {
                    await withCheckedContinuation { done in
                        let isPosted = shard.post {
                            $0.drain(withinSeconds: seconds) { done.resume(returning: $0) }
                        }
                        if !isPosted { done.resume(returning: DrainSummary()) }
                    }
                }
            }
            return await group.reduce(DrainSummary(), +)
        }
        await withCheckedContinuation { done in store.stop { done.resume() } }
        return summary
    }

    /// Ends a drain that is under way, or has only been asked for: `drain` returns in a moment.
    public func cutDrainShort() {
        for shard in shards { shard.post { $0.cutShort() } }
    }
}

/// The listener of the first shard, which deals the connections out to all in turn.
private final class Front: Sendable {
    private let others: [LoopPoster<ShardHost>]
    private let found = Atomic<UInt16>(0)

    init(others: [LoopPoster<ShardHost>]) { self.others = others }

    /// The port that is listened on.
    var port: UInt16 { found.load(ordering: .acquiring) }

    func listen(_ configuration: ServerConfiguration, _ host: ShardHost) throws(LoopError) {
        let others = others
        let gate = ConnectionGate(configuration.limits)
        var turn = 0
        let route: (AcceptedSocket) -> Void = { [unowned host] socket in
            switch gate.admit(socket.peer) {
            case .failure(let refused):
                host.noteOwn(refused.limit)
                // To say anything over TLS would take the handshake that is to be spared.
                guard !socket.isSecure else {
                    return socket.refuse(saying: UnsafeRawBufferPointer(start: nil, count: 0))
                }
                ConnectionRefusal.answer(for: refused.limit, of: configuration.limits)
                    .withBytes { socket.refuse(saying: $0) }
            case .success(let admission):
                turn = (turn + 1) % (others.count + 1)
                if turn == 0 {
                    host.loop.adopt(socket, with: admission)
                } else {
                    others[turn - 1].post { $0.loop.adopt(socket, with: admission) }
                }
            }
        }
        let port = try host.loop.listen(
            host: configuration.host, port: configuration.port, tls: configuration.tls,
            route: route)
        found.store(port, ordering: .releasing)
    }
}
