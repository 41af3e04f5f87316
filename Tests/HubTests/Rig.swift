import Access
import Bytes
import GraphQL
import HTTP1
import Hub
import JSON
import Models
import Records
import Store
import Testing
import WebSocket

/// The chat schema that most tests of the shard use.
let chatSchema = """
    type Thread @model @key(fields: ["location"], name: "byLocation", queryField: "ThreadByLocation") {
      id: ID!
      name: String!
      location: String!
      messages: [Message] @connection(name: "ThreadMessages", sortField: "createdAt")
      createdAt: AWSDateTime!
    }
    type Message @model {
      id: ID!
      body: String!
      thread: Thread @connection(name: "ThreadMessages")
      replies: [Reply] @connection(name: "MessageReplies", sortField: "createdAt")
      createdAt: AWSDateTime!
    }
    type Reply @model {
      id: ID!
      body: String!
      message: Message @connection(name: "MessageReplies")
      createdAt: AWSDateTime!
    }
    """

/// What a shard said, kept for the test to look at.
final class RecordingOutlet: Outlet {
    var sent: [UInt64: ByteQueue] = [:]
    var closed: [UInt64: Bool] = [:]
    var paused: Set<UInt64> = []
    var asks: [(ticket: UInt64, requests: [StoreRequest])] = []
    var wakeAt: Int64?
    /// Limits that were told as reached.
    var reached: [ReachedLimit] = []
    /// Connections whose first request has come.
    var greeted: [UInt64] = []
    /// Connections that wait for the page of numbers.
    var measuring: [UInt64] = []
    var notices: [String] = []
    /// What `send` reports as waiting, for peers that do not read.
    var waiting: [UInt64: Int] = [:]
    /// For whom a call of `Shard.drained` was asked, and how often.
    var awaited: [UInt64: Int] = [:]

    func send(
        _ connection: UInt64, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
        _ third: UnsafeRawBufferPointer
    ) -> Int {
        sent[connection, default: ByteQueue()].append(first)
        sent[connection, default: ByteQueue()].append(second)
        sent[connection, default: ByteQueue()].append(third)
        return waiting[connection] ?? 0
    }

    func awaitDrained(_ connection: UInt64) { awaited[connection, default: 0] += 1 }

    func close(_ connection: UInt64, flushing: Bool) { closed[connection] = flushing }

    func setReading(_ connection: UInt64, _ isReading: Bool) {
        if isReading { paused.remove(connection) } else { paused.insert(connection) }
    }

    func ask(_ ticket: UInt64, _ requests: [StoreRequest]) { asks.append((ticket, requests)) }

    func reached(_ limit: ReachedLimit) { reached.append(limit) }

    func greeted(_ connection: UInt64) { greeted.append(connection) }

    func measure(for connection: UInt64) { measuring.append(connection) }

    func wake(atNanoseconds time: Int64) { wakeAt = time }

    func notify(_ sentence: String) { notices.append(sentence) }
}

/// A shard with a store beside it, driven by hand.
final class Rig {
    static let key = "da2-abcdefghijklmnopqrstuvwxyz"

    let schema: ModelSchema
    let outlet = RecordingOutlet()
    let shard: Shard
    let store: MemoryStore
    var nanoseconds: Int64 = 1_000_000_000
    private var lastHandle: UInt64 = 1 << 32
    private var readers: [UInt64: WebSocketSession] = [:]

    /// A shard over a store of its own, or over one that has been in use.
    init(
        policy: AccessPolicy = .open, site: SiteRules = SiteRules(),
        rules: OperationRules = OperationRules(),
        validation: ValidationOptions = ValidationOptions(),
        slow: SlowConsumerPolicy = .close, over store: MemoryStore? = nil,
        _ adjust: (inout Limits) -> Void = { _ in }
    ) throws {
        schema = try ModelSchema(sdl: Text(chatSchema))
        self.store = store ?? MemoryStore(layout: schema.layout, epoch: "epoch")
        var limits = Limits()
        adjust(&limits)
        shard = Shard(
            schema: schema, policy: policy, site: site, rules: rules, limits: limits,
            validation: validation,
            slowConsumerPolicy: slow, outlet: outlet, seed: 1,
            committedOffset: self.store.committedOffset)
    }

    var moment: Moment {
        Moment(
            nanoseconds: nanoseconds, wallMilliseconds: 1_700_000_000_000,
            committedOffset: store.committedOffset)
    }

    // MARK: Time

    /// Begins the shard's end.
    func drain(seconds: Int64) {
        shard.drain(at: moment, seconds: seconds)
        endTurn()
    }

    func endTurn() { shard.turnEnded(at: moment) }

    /// Lets time go on to the moment that the shard asked for. Returns false if there is none
    /// before `end`.
    func wake(before end: Int64) -> Bool {
        guard let time = outlet.wakeAt, time < end else { return false }
        outlet.wakeAt = nil
        nanoseconds = max(nanoseconds, time)
        shard.woke(at: moment)
        endTurn()
        return true
    }

    /// Lets time pass, with all that the shard wants to do meanwhile.
    func pass(seconds: Double) {
        let end = nanoseconds + Int64(seconds * 1e9)
        while wake(before: end) {}
        nanoseconds = end
        endTurn()
    }

    // MARK: Connections

    func open() -> UInt64 {
        lastHandle += 1
        shard.opened(lastHandle, at: moment)
        return lastHandle
    }

    func receive(_ connection: UInt64, _ bytes: [UInt8]) {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { shard.received(connection, $0, at: moment) }
    }

    func receive(_ connection: UInt64, _ text: String) { receive(connection, Array(text.utf8)) }

    /// All bytes sent to the connection since the last call.
    func takeBytes(_ connection: UInt64) -> [UInt8] {
        outlet.sent.removeValue(forKey: connection)?.array ?? []
    }

    func takeText(_ connection: UInt64) -> String {
        String(decoding: takeBytes(connection), as: UTF8.self)
    }

    // MARK: The store

    /// Lets the store answer until nothing is asked any more.
    func settle() {
        for _ in 0..<1_000 where !outlet.asks.isEmpty { settleOnce() }
    }

    /// Lets the store answer what is asked now.
    func settleOnce() {
        let asks = outlet.asks
        outlet.asks = []
        perform(asks)
    }

    /// Lets the store fail at all that is asked now.
    func failAsks() {
        let asks = outlet.asks
        outlet.asks = []
        for (ticket, requests) in asks {
            let failure = StoreAnswer.failed(StoreFailure(message: "the disk is full"))
            shard.answered(ticket, requests.map { _ in failure }, at: moment)
        }
    }

    private func perform(_ asks: [(ticket: UInt64, requests: [StoreRequest])]) {
        let results = store.perform(asks.flatMap(\.requests))
        var at = 0
        for (ticket, requests) in asks {
            let answers = Array(results.answers[at..<(at + requests.count)])
            at += requests.count
            shard.answered(ticket, answers, at: moment)
        }
        if !results.changes.isEmpty { shard.changed(results.changes, at: moment) }
    }

    /// Commits a message of which the shard is not told yet.
    func commitUntold(_ id: Text) -> [Change] {
        guard let model = schema.layout.modelID(named: "Message") else { return [] }
        let values: [JSONValue] = schema.layout.models[model].fields.map { field in
            switch field.name {
            case "id": .string(id)
            case "body": "b"
            case "createdAt", "updatedAt": "2026-01-01T00:00:00.000Z"
            default: .null
            }
        }
        let write = RecordWrite(key: RecordKey(model: model, id: id), action: .create(values))
        return store.perform([.write(write)]).changes
    }

    // MARK: HTTP

    func post(
        _ query: String, _ variables: JSONObject = [:], headers: String = ""
    ) -> (status: Int, body: JSONValue) {
        let connection = open()
        let body: JSONValue = ["query": .string(Text(query)), "variables": .object(variables)]
        receive(connection, Self.request(body.jsonText, headers: headers))
        settle()
        return Self.response(takeBytes(connection))
    }

    static func request(_ body: String, headers: String = "") -> String {
        "POST /graphql HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\n\(headers)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static func response(_ bytes: [UInt8]) -> (status: Int, body: JSONValue) {
        let text = String(decoding: bytes, as: UTF8.self)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        guard let end = endOfHead(bytes) else { return (status, .null) }
        let rest = String(decoding: bytes[end...], as: UTF8.self)
        return (status, (try? JSONValue(parsing: rest)) ?? .string(Text(rest)))
    }

    /// Where the first head's empty line ends.
    static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return bytes.indices.dropLast(3).first { bytes[$0..<($0 + 4)].elementsEqual(mark) }
            .map { $0 + 4 }
    }

    // MARK: Sockets

    /// Opens a socket: the upgrade and nothing more.
    func socket(
        _ subprotocol: String = "graphql-transport-ws", target: String = "/graphql",
        headers: String = ""
    ) -> UInt64 {
        let connection = open()
        receive(
            connection,
            "GET \(target) HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Protocol: \(subprotocol)\r\n\(headers)\r\n")
        let answer = takeBytes(connection)
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 101 "), "\(text)")
        readers[connection] = WebSocketSession(
            role: .client, limits: WebSocketLimits(),
            inflater: text.contains("permessage-deflate") ? Inflater() : nil)
        if let end = Self.endOfHead(answer), end != answer.count {
            outlet.sent[connection] = ByteQueue(answer[end...])
        }
        return connection
    }

    /// A socket that has been acknowledged.
    func readySocket(
        _ subprotocol: String = "graphql-transport-ws", headers: String = ""
    ) -> UInt64 {
        let connection = socket(subprotocol, headers: headers)
        say(connection, ["type": "connection_init"])
        let first = hear(connection).first
        #expect(first?["type"] == "connection_ack")
        return connection
    }

    func say(_ connection: UInt64, _ message: JSONValue) {
        sayText(connection, message.jsonText)
    }

    func sayText(_ connection: UInt64, _ text: String) {
        var session = WebSocketSession(role: .client, limits: WebSocketLimits(), maskSeed: 7)
        var bytes = ByteQueue()
        Text(text).withBytes { session.appendFrame(.text, $0, to: &bytes) }
        receive(connection, bytes.array)
    }

    /// Sends the text compressed, in fragments of this many bytes.
    func sayCompressed(_ connection: UInt64, _ text: String, fragmentBytes: Int = .max) {
        var session = WebSocketSession(
            role: .client, limits: WebSocketLimits(), maskSeed: 7, inflater: Inflater())
        var bytes = ByteQueue()
        let deflater = Deflater()
        Text(text).withBytes { text in
            guard let body = deflater.deflate(text, saving: -64 - text.count) else { return }
            for start in stride(from: 0, to: body.count, by: min(fragmentBytes, body.count)) {
                let end = fragmentBytes < body.count - start ? start + fragmentBytes : body.count
                session.appendFrame(
                    start == 0 ? .text : .continuation,
                    UnsafeRawBufferPointer(rebasing: body[start..<end]),
                    isFinal: end == body.count, isCompressed: start == 0, to: &bytes)
            }
        }
        receive(connection, bytes.array)
    }

    func subscribe(
        _ connection: UInt64, _ id: Text, _ query: String, _ variables: JSONObject = [:]
    ) {
        beginSubscription(connection, id, query, variables)
        settle()
    }

    /// Says `subscribe`; the store has not answered yet.
    func beginSubscription(
        _ connection: UInt64, _ id: Text, _ query: String, _ variables: JSONObject = [:]
    ) {
        say(
            connection,
            [
                "id": .string(id), "type": "subscribe",
                "payload": ["query": .string(Text(query)), "variables": .object(variables)],
            ])
    }

    /// The messages that the client has received since the last call; a close frame comes as
    /// `{"close": code, "reason": text}`.
    func hear(_ connection: UInt64) -> [JSONValue] {
        var bytes = takeBytes(connection)
        var messages: [JSONValue] = []
        guard var session = readers[connection] else { return [] }
        bytes.withUnsafeMutableBytes { lent in
            session.lend(lent)
            var replies = ByteQueue()
            do {
                while let event = try session.next(&replies) {
                    switch event {
                    case .text(let payload):
                        let text = String(decoding: payload, as: UTF8.self)
                        messages.append((try? JSONValue(parsing: text)) ?? .string(Text(text)))
                    case .close(let code, let reason):
                        messages.append([
                            "close": code.map { .int(Int64($0)) } ?? .null,
                            "reason": .string(Text(utf8: reason)),
                        ])
                    default: continue
                    }
                }
            } catch {
                Issue.record("the shard sent a frame that no client takes: \(error)")
            }
            session.settle()
        }
        readers[connection] = session
        return messages
    }
}
