import Bytes
import HubClient
import JSON
import Loop
import Subprotocol
import Testing

/// A hub on a real socket whose answers depend on the query's text.
private final class ScriptedHub: LoopHandler {
    private let loop: EventLoop
    private var servers: [UInt64: FakeServer] = [:]
    /// What clients said, for the test to wait for.
    private let heard: AsyncStream<String>.Continuation
    private let forbids: Bool

    init(_ loop: EventLoop, forbids: Bool, heard: AsyncStream<String>.Continuation) {
        self.loop = loop
        self.heard = heard
        self.forbids = forbids
    }

    func accepted(_ connection: UInt64, peer: PeerAddress) {
        var server = FakeServer()
        server.acksAtOnce = !forbids
        servers[connection] = server
    }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        servers[connection]?.receive(Array(bytes))
        let messages = servers[connection]?.received ?? []
        servers[connection]?.received = []
        for message in messages { answer(message, connection) }
        guard let output = servers[connection]?.output else { return }
        loop.write(connection, output)
        servers[connection]?.output.removeAll()
    }

    func closed(_ connection: UInt64, _ reason: CloseReason) { servers[connection] = nil }

    func stopped() { heard.finish() }

    private func answer(_ message: ClientMessage, _ connection: UInt64) {
        switch message {
        case .connectionInit:
            heard.yield("init")
            if forbids { servers[connection]?.close(4403, "Forbidden") }
        case .subscribe(let id, let request):
            heard.yield("start \(request.query ?? "")")
            answer(id, request, connection)
        case .complete: heard.yield("complete")
        default: break
        }
    }

    private func answer(_ id: Text, _ request: OperationRequest, _ connection: UInt64) {
        func say(_ message: ServerMessage) { servers[connection]?.say(message) }
        switch request.query {
        case "query echo":
            let response: JSONValue = ["data": .object(request.variables)]
            say(.next(id: id, payload: ByteQueue(response.jsonBytes)))
            say(.complete(id: id))
        case "query empty": say(.complete(id: id))
        case "query refuse":
            say(.error(id: id, errors: ByteQueue(#"[{"message":"no such field"}]"#.utf8)))
        case "subscription three":
            for count in 1...3 {
                say(.next(id: id, payload: ByteQueue("{\"data\":\(count)}".utf8)))
            }
            say(.complete(id: id))
        case "subscription open":
            say(.next(id: id, payload: ByteQueue(#"{"data":"live"}"#.utf8)))
        case "mutation drop": loop.close(connection, .atOnce)
        default: break
        }
    }
}

/// A running hub; `heard` is what clients said to it.
private struct RunningHub {
    let url: Text
    let poster: LoopPoster<ScriptedHub>
    let heard: AsyncStream<String>

    init(forbids: Bool = false) throws {
        let (heard, continuation) = AsyncStream<String>.makeStream()
        var port: UInt16 = 0
        poster = try EventLoop.start(name: "scripted hub") { loop throws(LoopError) in
            port = try loop.listen(host: "127.0.0.1", port: 0)
            return ScriptedHub(loop, forbids: forbids, heard: continuation)
        }
        self.heard = heard
        url = Text("ws://127.0.0.1:\(port)/graphql")
    }

    /// Waits until clients have said this, `count` times from now on.
    func wait(for text: String, count: Int = 1) async {
        var left = count
        for await line in heard where line == text {
            left -= 1
            if left == 0 { return }
        }
    }
}

/// Runs the body against a hub that is stopped afterwards.
private func withHub(
    forbids: Bool = false, _ body: (RunningHub) async throws -> Void
) async throws {
    let hub = try RunningHub(forbids: forbids)
    defer { hub.poster.stop() }
    try await body(hub)
}

private func error(of body: () async throws -> Void) async -> HubError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? HubError
    }
}

struct HubConnectionTests {
    @Test(.timeLimit(.minutes(1)))
    func `operations are answered, refused or empty`() async throws {
        try await withHub { hub in
            let connection = try await HubConnection.connect(hub.url, apiKey: "k")
            let response = try await connection.execute("query echo", variables: ["n": "é"])
            #expect(response == ["data": ["n": "é"]])
            let refused = await error { _ = try await connection.execute("query refuse") }
            #expect(refused?.code == .refused)
            #expect(refused?.message == "no such field")
            #expect(refused?.errors == [["message": "no such field"]])
            let empty = await error { _ = try await connection.execute("query empty") }
            #expect(empty?.code == .badResult)
            connection.close()
            let closed = await error { _ = try await connection.execute("query echo") }
            #expect(closed?.code == .closedHere)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `many operations at once find their own answers`() async throws {
        try await withHub { hub in
            let connection = try await HubConnection.connect(hub.url)
            try await withThrowingTaskGroup(of: (Int, JSONValue).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let variables: JSONObject = ["n": .int(Int64(number))]
                        return (
                            number, try await connection.execute("query echo", variables: variables)
                        )
                    }
                }
                for try await (number, response) in group {
                    #expect(response == ["data": ["n": .int(Int64(number))]])
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a subscription's stream brings its results and ends with it`() async throws {
        try await withHub { hub in
            let connection = try await HubConnection.connect(hub.url)
            var results: [JSONValue] = []
            for try await result in connection.subscribe("subscription three") {
                results.append(result)
            }
            #expect(results == [["data": 1], ["data": 2], ["data": 3]])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `whoever leaves a stream ends the subscription`() async throws {
        try await withHub { hub in
            let connection = try await HubConnection.connect(hub.url)
            for try await _ in connection.subscribe("subscription open") { break }
            await hub.wait(for: "complete")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `the callback form lends bytes and tells the end once`() async throws {
        try await withHub { hub in
            let connection = try await HubConnection.connect(hub.url)
            let (lines, continuation) = AsyncStream<String>.makeStream()
            connection.subscribe("subscription three") { bytes in
                continuation.yield(String(decoding: bytes, as: UTF8.self))
            } ended: { error in
                continuation.yield("ended \(error == nil)")
                continuation.finish()
            }
            var all: [String] = []
            for await line in lines { all.append(line) }
            #expect(all == [#"{"data":1}"#, #"{"data":2}"#, #"{"data":3}"#, "ended true"])
            let stop = connection.subscribe("subscription open") { _ in
            } ended: { _ in
            }
            await hub.wait(for: "start subscription open")
            stop()
            await hub.wait(for: "complete")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a lost connection is won back and its subscriptions go on`() async throws {
        try await withHub { hub in
            let (news, continuation) = AsyncStream<HubConnection.News>.makeStream()
            var configuration = ClientConfiguration(endpoint: try Endpoint(hub.url))
            configuration.backOff.baseNanoseconds = 1_000_000
            let connection = try await HubConnection.connect(configuration) {
                continuation.yield($0)
            }
            var results = connection.subscribe("subscription open").makeAsyncIterator()
            #expect(try await results.next() == ["data": "live"])
            let unknown = await error { _ = try await connection.execute("mutation drop") }
            #expect(unknown?.code == .outcomeUnknown)
            #expect(unknown?.recovery != nil)
            #expect(try await results.next() == ["data": "live"])
            connection.close()
            let last = await error { _ = try await results.next() }
            #expect(last?.code == .closedHere)
            var kinds: [String] = []
            for await item in news {
                switch item {
                case .ready: kinds.append("ready")
                case .lost: kinds.append("lost")
                case .ended: kinds.append("ended")
                }
                if case .ended = item { break }
            }
            #expect(kinds == ["ready", "lost", "ready", "ended"])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a cancelled task stops waiting`() async throws {
        try await withHub { hub in
            let connection = try await HubConnection.connect(hub.url)
            let task = Task { try await connection.execute("mutation hang") }
            await hub.wait(for: "start mutation hang")
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await hub.wait(for: "complete")
            // Cancelled before it began.
            let early = Task {
                try? await Task.sleep(for: .seconds(60))
                return try await connection.execute("mutation hang")
            }
            early.cancel()
            await #expect(throws: CancellationError.self) { try await early.value }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `connecting fails at once where nothing can be won by waiting`() async throws {
        let bad = await error { _ = try await HubConnection.connect("hub.example") }
        #expect(bad?.code == .badURL)
        // A port that was free a moment ago.
        let hub = try RunningHub()
        await withCheckedContinuation { told in hub.poster.stop { told.resume() } }
        let nobody = await error { _ = try await HubConnection.connect(hub.url) }
        #expect(nobody?.code == .notConnected)
        let secure = await error {
            _ = try await HubConnection.connect(Text("wss" + hub.url.string.dropFirst(2)))
        }
        #expect(secure?.code == .notConnected)
        try await withHub(forbids: true) { hub in
            let forbidden = await error { _ = try await HubConnection.connect(hub.url) }
            #expect(forbidden?.code == .forbidden)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `several connections share a loop`() async throws {
        try await withHub { hub in
            let loop = try EventLoop.start(name: "clients") { ClientDriver($0) }
            let configuration = ClientConfiguration(endpoint: try Endpoint(hub.url))
            var connections: [HubConnection] = []
            for _ in 0..<5 {
                connections.append(try await HubConnection.connect(configuration, on: loop))
            }
            connections[0].close()
            for connection in connections.dropFirst() {
                let response = try await connection.execute("query echo", variables: ["a": 1])
                #expect(response == ["data": ["a": 1]])
            }
            loop.stop()
            let stopped = await error {
                _ = try await connections[1].execute("query echo", kind: .query)
            }
            #expect(stopped?.code == .closedHere)
        }
    }
}
