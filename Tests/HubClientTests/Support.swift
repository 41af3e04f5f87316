import Bytes
import HTTP1
import HubClient
import JSON
import Subprotocol
import WebSocket

/// A hub as far as the wire is concerned: our own server roles, and whatever the test says.
struct FakeServer {
    var output = ByteQueue()
    var received: [ClientMessage] = []
    var closeCodes: [UInt16?] = []
    var pongCount = 0
    var request: HTTPHead?
    var acksAtOnce = true
    /// Instead of the upgrade's proper answer.
    var answer: String?
    /// Whether it agrees to permessage-deflate, and compresses all it says from then on.
    var agreesToDeflate = false
    /// Messages that came compressed.
    var compressedCount = 0
    private var deflate: DeflateParameters?
    private let deflater = SharedDeflate()
    private var reader = HTTPReader(role: .server, limits: HTTPLimits(bodyBytesMax: 0))
    private var socket: WebSocketSession?
    private var tape = JSONTape()

    mutating func receive(_ bytes: [UInt8]) {
        var bytes = bytes
        if socket == nil {
            bytes.withUnsafeBytes { reader.append($0) }
            guard case .head(let head)? = try? reader.next() else { return }
            request = head
            guard answer == nil else { return output.append(utf8: answer ?? "") }
            if agreesToDeflate { deflate = Handshake.deflate(for: head) }
            do {
                try Handshake.accept(
                    head, subprotocol: "graphql-transport-ws", deflate: deflate, to: &output)
            } catch {
                preconditionFailure("the client's upgrade request is refused: \(error)")
            }
            bytes = reader.takeRest().array
            socket = WebSocketSession(
                role: .server, limits: WebSocketLimits(),
                inflater: deflate == nil ? nil : Inflater())
        }
        // Each call brings whole frames: the client writes one behind the other.
        compressedCount += bytes.first.map { $0 & 0x40 != 0 } == true ? 1 : 0
        bytes.withUnsafeMutableBytes { buffer in
            socket?.lend(buffer)
            while let event = nextEvent() { take(event) }
            socket?.settle()
        }
    }

    private mutating func nextEvent() -> WebSocketEvent? {
        do {
            return try socket?.next(&output)
        } catch {
            preconditionFailure("the client broke the WebSocket protocol: \(error)")
        }
    }

    private mutating func take(_ event: WebSocketEvent) {
        switch event {
        case .text(let text):
            do {
                received.append(try Dialect.transportWS.decode(text, tape: &tape))
            } catch {
                preconditionFailure("the client sent an invalid message: \(error)")
            }
            if case .connectionInit = received.last, acksAtOnce {
                say(.connectionAck(payload: nil))
            }
        case .close(let code, _): closeCodes.append(code)
        case .pong: pongCount += 1
        case .binary, .ping: break
        }
    }

    mutating func say(_ message: ServerMessage) {
        var text = ByteQueue()
        Dialect.transportWS.encode(message, into: &text)
        text.withBytes { text in
            deflater.begin()
            let body = deflate?.windowBits(of: .server).flatMap {
                deflater.body(of: text, windowBits: $0)
            }
            socket?.appendFrame(.text, body ?? text, isCompressed: body != nil, to: &output)
        }
    }

    mutating func say(raw text: String) {
        ByteQueue(text.utf8).withBytes { socket?.appendFrame(.text, $0, to: &output) }
    }

    mutating func ping() {
        ByteQueue("hi".utf8).withBytes { socket?.appendFrame(.ping, $0, to: &output) }
    }

    mutating func close(_ code: UInt16?, _ reason: Text = "") {
        socket?.appendClose(code, reason: reason, to: &output)
    }
}

/// A session, its driver and a fake server on a simulated clock. `news` is what it said, a line
/// for each event.
struct Bench {
    var session: ClientSession
    var server: FakeServer?
    var news: [String] = []
    var now: Int64 = 0
    /// Whether the server takes connections; otherwise they are refused.
    var isServerUp = true
    var connectTimes: [Int64] = []
    /// What a new connection's server is like.
    var newServer = FakeServer()
    /// Every start that any server was sent since a test last emptied it.
    var startsOfAllServers: [String] = []
    /// All that servers sent.
    var transcript: [UInt8] = []

    init(seed: UInt64 = 1, _ change: (inout ClientConfiguration) -> Void = { _ in }) {
        var configuration = ClientConfiguration(
            endpoint: Endpoint(host: "hub.example", port: 4000))
        change(&configuration)
        session = ClientSession(configuration, random: SeededRandom(seed: seed))
    }

    /// A bench whose session is ready.
    static func ready(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> Bench {
        var bench = Bench(change)
        bench.session.connect(now: 0)
        bench.run()
        bench.news = []
        return bench
    }

    /// Lets both sides talk until neither has more to say.
    mutating func run() {
        while true {
            drain()
            guard var bytes = server?.output.array, !bytes.isEmpty else { return }
            server?.output.removeAll()
            transcript += bytes
            bytes.withUnsafeMutableBytes { buffer in
                session.received(buffer, now: now)
                drain()
            }
        }
    }

    /// Pulls all events, acts as the driver would and hands the output to the server.
    mutating func drain() {
        while let event = session.next() {
            news.append(line(event))
            switch event {
            case .connect:
                connectTimes.append(now)
                if isServerUp {
                    server = newServer
                    session.opened(now: now)
                } else {
                    session.closed("refused", now: now)
                }
            case .disconnect:
                flush()
                server = nil
            default: break
            }
        }
        flush()
    }

    private mutating func flush() {
        var sent: [UInt8] = []
        session.takeOutput { sent += Array($0) }
        guard !sent.isEmpty, server != nil else { return }
        let before = subscribed.count
        server?.receive(sent)
        startsOfAllServers += subscribed.dropFirst(before)
    }

    /// Lets time pass, waking the session whenever it asked for it.
    mutating func pass(seconds: Double) {
        let end = now + Int64(seconds * 1e9)
        while let due = session.wakeAt, due <= end {
            now = max(now, due)
            session.woke(now: now)
            run()
        }
        now = end
    }

    /// The network breaks without a word from the server.
    mutating func breakConnection() {
        server = nil
        session.closed(now: now)
        run()
    }

    mutating func start(
        _ query: Text, _ kind: OperationKind = .subscription
    ) throws -> OperationHandle {
        let request = OperationRequest(query: query)
        let handle = try session.start(request, kind: kind, now: now)
        run()
        return handle
    }

    /// The queries that the present server was sent, with their ids.
    var subscribed: [String] {
        (server?.received ?? []).compactMap { message in
            if case .subscribe(let id, let request) = message {
                "\(id) \(request.query ?? "")"
            } else {
                nil
            }
        }
    }
}

/// An event in one line.
func line(_ event: ClientEvent) -> String {
    switch event {
    case .connect: "connect"
    case .disconnect: "disconnect"
    case .ready: "ready"
    case .next(let handle, let payload):
        "next \(handle.number) \(String(decoding: payload, as: UTF8.self))"
    case .failed(let handle, let failure):
        switch failure {
        case .refused(let errors):
            "refused \(handle.number) \(String(decoding: errors.array, as: UTF8.self))"
        case .outcomeUnknown: "unknown \(handle.number)"
        case .sessionEnded: "ended \(handle.number)"
        }
    case .completed(let handle): "completed \(handle.number)"
    case .disconnected(let error, let retryAt):
        "disconnected: \(error)\(retryAt == nil ? "" : " (retries)")"
    case .gaveUp(let error): "gave up: \(error)"
    }
}

func json(_ text: String) -> ByteQueue { ByteQueue(text.utf8) }
