import Bytes
import HTTP1
import HubClient
import Loop
import WebSocket

/// A server that tests clients, after the manner of the Autobahn suite.
struct FuzzingServer: Sendable {
    var endpoint: Endpoint
    /// What it is to call us.
    var agent: Text
    var trust: TLSClientTrust
}

/// Goes through all cases of a fuzzing server, one after the other: asks how many there are,
/// echoes in a connection for each, and asks for the report.
final class EchoClient: LoopHandler {
    /// How the whole run ended: nil for well, otherwise why not.
    typealias Told = @Sendable (String?) -> Void

    private enum Task {
        case count
        case run(UInt64)
        case report
    }

    private enum Stage {
        case connecting
        case handshake(ClientHandshake, HTTPReader)
        case open(Echo)
        /// Nothing more is said: the server is to hang up (RFC 6455 §7.1.1).
        case over
    }

    /// How long the server may take to hang up.
    private static let patienceNanoseconds: Int64 = 5_000_000_000

    private let loop: EventLoop
    private let server: FuzzingServer
    private let told: Told
    private let shared = Echo.Shared()
    private var random = SeededRandom(seed: UInt64.random(in: .min ... .max))
    private var task = Task.count
    private var stage = Stage.connecting
    private var connection: UInt64?
    private var caseCount: UInt64?
    private var dueAt = Int64.max

    init(_ loop: EventLoop, _ server: FuzzingServer, _ told: @escaping Told) {
        self.loop = loop
        self.server = server
        self.told = told
        connect()
    }

    // MARK: One connection after the other

    private func connect() {
        stage = .connecting
        dueAt = .max
        connection = loop.connect(
            host: server.endpoint.host.string, port: server.endpoint.port,
            tls: server.endpoint.isSecure ? server.trust : nil)
    }

    private var target: Text {
        switch task {
        case .count: "/getCaseCount"
        case .run(let number): Text("/runCase?case=\(number)&agent=\(server.agent.string)")
        case .report: Text("/updateReports?agent=\(server.agent.string)")
        }
    }

    private func goOn() {
        switch task {
        case .count:
            guard let caseCount else { return told("the server did not say how many cases it has") }
            task = caseCount == 0 ? .report : .run(1)
        case .run(let number): task = number == caseCount ? .report : .run(number + 1)
        case .report: return told(nil)
        }
        connect()
    }

    // MARK: What the loop tells

    func accepted(_ connection: UInt64, peer: PeerAddress) {}

    func connected(_ connection: UInt64) {
        let handshake = ClientHandshake(subprotocols: [], offersDeflate: true, random: &random)
        var request = ByteQueue()
        handshake.appendRequest(host: server.endpoint.authority, target: target, to: &request)
        loop.write(connection, request)
        let reader = HTTPReader(role: .client, limits: HTTPLimits(bodyBytesMax: 0))
        stage = .handshake(handshake, reader)
    }

    func failed(_ connection: UInt64, _ error: LoopError) { told(error.description) }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        switch stage {
        case .handshake(let handshake, let reader):
            stage = .over
            shakeHands(connection, handshake, reader, UnsafeRawBufferPointer(bytes))
        case .open(let echo):
            stage = .over
            take(connection, echo, bytes)
        case .connecting, .over: break
        }
    }

    func drained(_ connection: UInt64) { loop.resumeReading(connection) }

    func closed(_ connection: UInt64, _ reason: CloseReason) {
        // A fuzzing server that is told to end with its report may hang up without an answer.
        if case .handshake = stage, case .report = task { return told(nil) }
        if case .handshake = stage { return told("the server hung up without an answer") }
        goOn()
    }

    func woke() {
        guard loop.now >= dueAt, let connection else { return }
        dueAt = .max
        loop.close(connection, .atOnce)
    }

    // MARK: Frames

    private func shakeHands(
        _ connection: UInt64, _ handshake: ClientHandshake, _ reader: HTTPReader,
        _ bytes: UnsafeRawBufferPointer
    ) {
        var reader = reader
        let deflate: DeflateParameters?
        reader.append(bytes)
        do {
            guard case .head(let head) = try reader.next() else {
                stage = .handshake(handshake, reader)
                return
            }
            _ = try handshake.check(head)
            deflate = try handshake.deflate(in: head)
        } catch {
            loop.close(connection, .atOnce)
            return told("\(error)")
        }
        var rest = reader.takeRest()
        let echo = Echo(role: .client, deflate: deflate, shared)
        rest.withMutableBytes { take(connection, echo, $0) }
    }

    private func take(
        _ connection: UInt64, _ echo: Echo, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        var echo = echo
        var replies = ByteQueue()
        let outcome = echo.take(bytes, &replies) { text in
            if case .count = task { caseCount = UInt64(String(decoding: text, as: UTF8.self)) }
        }
        loop.write(connection, replies)
        guard case .goesOn = outcome else {
            dueAt = loop.now + Self.patienceNanoseconds
            return loop.wake(at: dueAt)
        }
        if loop.backlogBytes(connection) > 0 { loop.pauseReading(connection) }
        stage = .open(echo)
    }
}
