import Bytes
import HTTP1
import JSON
import Subprotocol
import WebSocket

/// A peer that breaks rules. It asks for nothing that changes the store, and what it is told is
/// nobody's business: the hub must only live on, keep its limits and forget it.
final class HostilePeer: Peer {
    /// What it does once it is connected.
    private enum Habit: CaseIterable {
        /// Bytes without sense.
        case garbage
        /// Half a request, and then nothing.
        case halfRequest
        /// Requests without end, answers unread.
        case pipelining
        /// A socket, then bytes that are no frames.
        case brokenFrames
        /// A socket, then messages of every wrong kind.
        case wrongMessages
        /// Operations begun and ended as fast as they can be written.
        case flood
        /// Subscribes to everything and reads nothing.
        case deafness
        /// Pings without end, pongs unread.
        case pings
    }

    let name: String
    private let run: Run
    private var link: Link?
    private var random: SeededRandom
    private var habit = Habit.garbage
    private var session = WebSocketSession(role: .client, limits: WebSocketLimits())
    private var rounds = 0
    private var visits = 0

    init(_ number: Int, _ run: Run) {
        name = "hostile \(number)"
        self.run = run
        random = run.world.newRandom()
        scheduleVisit()
    }

    private var world: World { run.world }

    private func scheduleVisit() {
        world.after(random.skewed(.milliseconds(10)...(.seconds(3)))) { [self] in
            guard run.isBusy else { return }
            if link == nil { visit() }
            scheduleVisit()
        }
    }

    private func visit() {
        habit = random.pick(Habit.allCases)
        visits += 1
        rounds = 0
        session = WebSocketSession(role: .client, limits: WebSocketLimits(), maskSeed: 1)
        world.note("\(name): comes for \(habit)")
        link = run.network.connect(self)
        let present = visits
        world.after(random.skewed(.seconds(1)...(.seconds(60)))) { [self] in
            if visits == present { leave() }
        }
    }

    func leave() {
        link?.close()
        link = nil
    }

    // MARK: The network tells

    func opened(_ link: Link) {
        guard link === self.link else { return }
        switch habit {
        case .pipelining, .deafness, .pings: link.setPeerReading(random.chance(30))
        default: break
        }
        switch habit {
        case .garbage, .halfRequest, .pipelining: break
        default: upgrade()
        }
        goOn()
    }

    func received(_ link: Link, _ bytes: UnsafeMutableRawBufferPointer) {}

    func finished(_ link: Link) {
        // One in two leaves its own end open for as long as the hub bears it.
        if random.chance(50) { leave() }
    }

    func broken(_ link: Link) {
        if link === self.link { self.link = nil }
    }

    // MARK: Misbehaving

    private func goOn() {
        let present = visits
        act()
        rounds += 1
        guard rounds < 8 else { return }
        world.after(random.skewed(.milliseconds(1)...(.milliseconds(500)))) { [self] in
            if visits == present, link != nil { goOn() }
        }
    }

    private func act() {
        switch habit {
        case .garbage: write(randomBytes(400))
        case .halfRequest:
            if rounds == 0 { write(random.pick(Self.beginnings)) }
        case .pipelining:
            let body = "{\"query\":\"{listThreads {items {id messages {items {id}}}}}\"}"
            write(
                String(
                    repeating: "POST /graphql HTTP/1.1\r\nHost: h\r\n"
                        + "Content-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", count: 40))
        case .brokenFrames:
            if rounds > 0 { write(randomBytes(60)) } else { say("{\"type\":\"connection_init\"}") }
        case .wrongMessages:
            if random.chance(60), rounds == 0 { say("{\"type\":\"connection_init\"}") }
            for _ in 0..<3 { say(random.pick(Self.wrongMessages)) }
        case .flood: flood()
        case .deafness: subscribeToAll()
        case .pings:
            for _ in 0..<200 { frame(.ping, String(repeating: "p", count: 120)) }
        }
    }

    private func flood() {
        if rounds == 0 { say("{\"type\":\"connection_init\"}") }
        let filter = "{thread: {location: {eq: \\\"north\\\"}}}"
        let queries = [
            "{listMessages {items {id thread {name}}}}",
            "subscription {onCreateMessage(filter: \(filter)) {id thread {name}}}",
        ]
        for index in 0..<60 {
            let query = random.pick(queries)
            say("{\"id\":\"\(index)\",\"type\":\"subscribe\",\"payload\":{\"query\":\"\(query)\"}}")
            say("{\"id\":\"\(index)\",\"type\":\"complete\"}")
        }
    }

    private func subscribeToAll() {
        guard rounds == 0 else { return }
        say("{\"type\":\"connection_init\"}")
        for (index, field) in ["onCreateMessage", "onUpdateMessage"].enumerated() {
            let query = "subscription {\(field) {id body thread {name messages {items {id}}}}}"
            say("{\"id\":\"\(index)\",\"type\":\"subscribe\",\"payload\":{\"query\":\"\(query)\"}}")
        }
    }

    private static let beginnings = [
        "GET /graphql HT", "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{",
        "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n", "\r\n\r\n",
        "POST /graphql HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n",
    ]

    private static let wrongMessages = [
        "", "[]", "null", "{}", "{\"type\":1}", "{\"type\":\"nonsense\"}", "{\"type\":\"next\"}",
        "{\"type\":\"connection_init\",\"payload\":[]}", "{\"type\":\"subscribe\"}",
        "{\"id\":\"\",\"type\":\"subscribe\",\"payload\":{\"query\":\"{getThread(id:1){id}}\"}}",
        "{\"id\":\"a\",\"type\":\"subscribe\",\"payload\":{\"query\":\"{\"}}",
        "{\"id\":\"a\",\"type\":\"start\",\"payload\":{\"query\":\"{__typename}\"}}",
        "{\"id\":\"b\",\"type\":\"subscribe\",\"payload\":{\"query\":\"{nothing}\"}}",
        "{\"id\":\"c\",\"type\":\"subscribe\",\"payload\":"
            + "{\"query\":\"subscription {onCreateMessage {id}}\"}}",
        "{\"id\":\"d\",\"type\":\"subscribe\",\"payload\":"
            + "{\"query\":\"subscription {onCreateMessage(id: 1.5) {id}}\",\"variables\":3}}",
        "{\"id\":\"zz\",\"type\":\"complete\"}", "{\"type\":\"pong\"}", "{\"type\":\"ping\"}",
        "{\"type\":\"connection_terminate\"}", "{\"id\":\"\u{0}\",\"type\":\"complete\"}",
        "{\"id\":\"\(String(repeating: "i", count: 300))\",\"type\":\"subscribe\",\"payload\":"
            + "{\"query\":\"{__typename}\"}}", String(repeating: "[", count: 500),
        "{\"id\":\"e\",\"type\":\"subscribe\",\"payload\":{\"query\":\""
            + String(repeating: "{a", count: 900) + "\"}}",
    ]

    // MARK: Writing

    private func upgrade() {
        let dialect = random.pick(["graphql-transport-ws", "graphql-transport-ws", "graphql-ws"])
        write(
            "GET /graphql HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Protocol: \(dialect)\r\n\r\n")
    }

    private func say(_ text: String) { frame(random.chance(3) ? .binary : .text, text) }

    private func frame(_ opcode: WebSocketOpcode, _ text: String) {
        var bytes = ByteQueue()
        Text(text).withBytes { session.appendFrame(opcode, $0, to: &bytes) }
        write(bytes.array)
    }

    private func write(_ text: String) { write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { link?.write($0) } }

    private func randomBytes(_ countMax: Int) -> [UInt8] {
        (0..<Int.random(in: 1...countMax, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
    }
}
