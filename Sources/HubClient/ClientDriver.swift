import Bytes
public import Loop

/// Runs any number of client sessions on one event loop.
///
/// The only part of the room that meets sockets and the clock.
///
///     let loop = try EventLoop.start(name: "clients") { ClientDriver($0) }
///     loop.post { driver in
///         let client = driver.add(configuration) { client, event in … }
///         client.connect()
///     }
public final class ClientDriver: LoopHandler {
    private let loop: EventLoop
    private var clients: [Int: LoopClient] = [:]
    /// Clients by the index in their connection's handle.
    private var byIndex: [LoopClient?] = []
    private var lastNumber = 0
    private var wakes = WakeList()
    private var armedAt = Int64.max
    private let compression = Compression()

    /// Sessions due within this time of one another are woken together.
    private static let wakeGrainNanoseconds: Int64 = 5_000_000

    /// A driver of the loop it is made on.
    public init(_ loop: EventLoop) { self.loop = loop }

    /// How many clients there are.
    public var clientCount: Int { clients.count }

    /// The loop's time, for the sessions.
    var now: Int64 { loop.now }

    /// Makes a client. Nothing happens until it is told to connect or to start an operation.
    public func add(
        _ configuration: ClientConfiguration, _ handler: @escaping LoopClient.EventHandler
    ) -> LoopClient {
        lastNumber += 1
        // Seeded from the system's random source: mask keys must not be guessed (RFC 6455 §10.3).
        let random = SeededRandom(seed: UInt64.random(in: .min ... .max))
        let client = LoopClient(
            ClientSession(configuration, random: random, compression), number: lastNumber,
            driver: self, handler: handler)
        clients[lastNumber] = client
        return client
    }

    /// The client of that number, unless it was removed.
    public func client(_ number: Int) -> LoopClient? { clients[number] }

    func remove(_ client: LoopClient) {
        if let connection = client.connection {
            unbind(client)
            loop.close(connection, .atOnce)
        }
        clients[client.number] = nil
        client.driver = nil
        client.handler = nil
        client.owner = nil
    }

    // MARK: What the loop tells

    /// Never happens: nothing listens here.
    public func accepted(_ connection: UInt64, peer: PeerAddress) {
        loop.close(connection, .atOnce)
    }

    /// A client's connection is open.
    public func connected(_ connection: UInt64) {
        guard let client = client(of: connection) else { return }
        client.session.opened(now: loop.now)
        pull(client)
    }

    /// A client's connection will not be.
    public func failed(_ connection: UInt64, _ error: LoopError) {
        end(connection, Text(error.description))
    }

    /// Bytes for a client.
    public func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        guard let client = client(of: connection) else { return }
        client.session.received(bytes, now: loop.now)
        pull(client)
    }

    /// A client's connection is over.
    public func closed(_ connection: UInt64, _ reason: CloseReason) {
        end(connection, Self.text(reason))
    }

    /// Wakes the sessions that asked for it.
    public func woke() {
        armedAt = .max
        let now = loop.now
        while let (due, number) = wakes.popFirst(upTo: now) {
            // An earlier time of the same client has taken this one's place.
            guard let client = clients[number], client.armedAt == due else { continue }
            client.armedAt = .max
            if let wanted = client.session.wakeAt, wanted <= now {
                client.session.woke(now: now)
                pull(client)
            } else {
                schedule(client)
            }
        }
        if let next = wakes.firstDue { arm(next) }
    }

    /// The loop has stopped, and no client goes on.
    public func stopped() {
        for client in clients.values {
            client.close()
        }
    }

    // MARK: Between session and loop

    /// Pulls all that a session has to say. Calls from within the client's own handler are left
    /// to the pull that is under way.
    func pull(_ client: LoopClient) {
        guard !client.isPulling else { return }
        client.isPulling = true
        while let event = client.session.next() {
            switch event {
            case .connect: open(client)
            case .disconnect: close(client)
            default: client.handler?(client, event)
            }
        }
        client.isPulling = false
        flush(client)
        if client.isLeaving { remove(client) }
        schedule(client)
    }

    func setReading(_ client: LoopClient, _ isReading: Bool) {
        guard let connection = client.connection else { return }
        if isReading { loop.resumeReading(connection) } else { loop.pauseReading(connection) }
    }

    private func open(_ client: LoopClient) {
        let configuration = client.session.configuration
        let endpoint = configuration.endpoint
        let connection = loop.connect(
            host: endpoint.host.string, port: endpoint.port,
            tls: endpoint.isSecure ? configuration.trust : nil)
        let index = Int(UInt32(truncatingIfNeeded: connection))
        while byIndex.count <= index { byIndex.append(nil) }
        byIndex[index] = client
        client.connection = connection
    }

    private func close(_ client: LoopClient) {
        flush(client)
        guard let connection = client.connection else { return }
        unbind(client)
        loop.close(connection, .afterFlush())
    }

    private func flush(_ client: LoopClient) {
        guard let connection = client.connection else { return }
        client.session.takeOutput { loop.write(connection, $0) }
    }

    private func client(of connection: UInt64) -> LoopClient? {
        let index = Int(UInt32(truncatingIfNeeded: connection))
        guard index < byIndex.count, let client = byIndex[index], client.connection == connection
        else { return nil }
        return client
    }

    private func unbind(_ client: LoopClient) {
        guard let connection = client.connection else { return }
        client.connection = nil
        byIndex[Int(UInt32(truncatingIfNeeded: connection))] = nil
    }

    private func end(_ connection: UInt64, _ reason: Text?) {
        guard let client = client(of: connection) else { return }
        unbind(client)
        client.session.closed(reason, now: loop.now)
        pull(client)
    }

    /// Puts the client on the list for the time that its session wants, unless it stands there
    /// with an earlier one: then it is asked again at that time.
    private func schedule(_ client: LoopClient) {
        guard let due = client.session.wakeAt, due < client.armedAt else { return }
        client.armedAt = due
        wakes.add(due, client.number)
        arm(due)
    }

    private func arm(_ due: Int64) {
        let due = max(due, loop.now + Self.wakeGrainNanoseconds)
        guard due < armedAt else { return }
        armedAt = due
        loop.wake(at: due)
    }

    private static func text(_ reason: CloseReason) -> Text? {
        switch reason {
        case .closedHere, .deadlinePassed: nil
        case .closedByPeer: "the server ended the connection"
        case .cutOff: "the connection was cut off"
        case .broken(let code): Text("the connection broke (system error \(code))")
        case .backlogFull: "the server did not take what was sent"
        case .loopStopped: "the event loop was stopped"
        }
    }
}
