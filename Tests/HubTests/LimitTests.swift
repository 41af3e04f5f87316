import Bytes
import GraphQL
import HTTP1
import JSON
import Testing
import WebSocket

@testable import Hub

/// Each limit of a shard, reached: told to the peer, counted, told to the operator.
@Suite struct LimitTests {
    private static let subscription = "subscription { onCreateMessage { id } }"
    private static let query: JSONValue = ["query": "{ listThreads { nextToken } }"]

    /// Reaches a limit of HTTP and returns what the peer is told.
    private func refused(
        _ limit: ReachedLimit, _ request: String, after seconds: Int64 = 0,
        _ adjust: (inout Limits) -> Void = { _ in }
    ) throws -> String {
        let rig = try Rig(adjust)
        let connection = rig.open()
        rig.receive(connection, request)
        if seconds > 0 {
            rig.nanoseconds += seconds * 1_000_000_000
            rig.shard.woke(at: rig.moment)
        }
        #expect(rig.outlet.reached == [limit])
        #expect(rig.shard.measures.limitsReached[limit] == 1)
        return String(rig.takeText(connection).prefix(12))
    }

    @Test func `limits of HTTP requests`() throws {
        let long = String(repeating: "x", count: 2_000)
        let head = "GET /graphql HTTP/1.1\r\nHost: hub\r\n"
        #expect(
            try refused(.headBytes, "\(head)A: \(long)\r\n") { $0.headBytesMax = 1_024 }
                == "HTTP/1.1 431")
        let fields = String(repeating: "A: b\r\n", count: 20)
        #expect(
            try refused(.headFields, "\(head)\(fields)\r\n") { $0.headFieldsMax = 16 }
                == "HTTP/1.1 431")
        #expect(
            try refused(.targetBytes, "GET /\(long) HTTP/1.1\r\n") { $0.targetBytesMax = 64 }
                == "HTTP/1.1 414")
        #expect(
            try refused(.messageBytes, Rig.request(long)) { $0.messageBytesMax = 1_024 }
                == "HTTP/1.1 413")
    }

    @Test func `time-outs of HTTP requests`() throws {
        #expect(try refused(.headSeconds, "GET /", after: 10) == "HTTP/1.1 408")
        #expect(try refused(.headSeconds, "", after: 10) == "")
        let begun = "POST /graphql HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\n"
        #expect(
            try refused(.bodySeconds, "\(begun)Content-Length: 9\r\n\r\n{", after: 30)
                == "HTTP/1.1 408")
        #expect(
            try refused(.restSeconds, "GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n", after: 75)
                == "HTTP/1.1 200")
    }

    @Test func `a connection is through its handshakes with its first request's head`() throws {
        let rig = try Rig()
        let connection = rig.open()
        rig.receive(connection, "GET /healthz HTTP/1.1\r\nHost: hub\r\n")
        #expect(rig.outlet.greeted == [])
        rig.receive(connection, "\r\nGET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        #expect(rig.outlet.greeted == [connection])
    }

    @Test func `a message over the limit, in bytes or fragments`() throws {
        let rig = try Rig {
            $0.messageBytesMax = 1_024
            $0.messageFragmentsMax = 2
        }
        let long = rig.readySocket()
        rig.sayText(long, String(repeating: " ", count: 2_000))
        #expect(rig.hear(long).first?["close"] == 1009)
        let many = rig.readySocket()
        var session = WebSocketSession(role: .client, limits: WebSocketLimits(), maskSeed: 7)
        var bytes = ByteQueue()
        for number in 0..<3 {
            session.appendFrame(
                number == 0 ? .text : .continuation, .empty, isFinal: false, to: &bytes)
        }
        rig.receive(many, bytes.array)
        let close = rig.hear(many).first
        #expect(close?["close"] == 1008)
        #expect(close?["reason"]?.text?.string.hasSuffix("(--limit message-fragments-max)") == true)
        #expect(rig.outlet.reached == [.messageBytes, .messageFragments])
    }

    @Test func `subscriptions and operations of a connection have limits of their own`() throws {
        let rig = try Rig {
            $0.subscriptionsPerConnectionMax = 2
            $0.operationsPerConnectionMax = 1
        }
        let socket = rig.readySocket()
        for id in ["a", "b", "c"] { rig.subscribe(socket, .init(id), Self.subscription) }
        #expect(rig.outlet.reached == [.subscriptionsPerConnection])
        let refusal = rig.hear(socket)
        #expect(refusal.map { $0["id"] } == ["c"])
        #expect(refusal.first?.jsonText.contains("Max number of 2 subscriptions") == true)
        for id in ["1", "2"] as [JSONValue] {
            rig.say(socket, ["id": id, "type": "subscribe", "payload": Self.query])
        }
        #expect(rig.outlet.reached.last == .operationsPerConnection)
        let second = rig.hear(socket)
        #expect(second.map { $0["id"] } == ["2"])
        #expect(second.first?.jsonText.contains("1 operations are in flight") == true)
        rig.settle()
        #expect(rig.hear(socket).map { $0["type"] } == ["next", "complete"])
        rig.say(socket, ["id": "3", "type": "subscribe", "payload": Self.query])
        rig.say(socket, ["id": "a", "type": "complete"])
        rig.settle()
        #expect(rig.hear(socket).map { $0["type"] } == ["next", "complete"])
        rig.subscribe(socket, "c", Self.subscription)
        #expect(rig.hear(socket) == [])
        #expect(rig.outlet.reached.count == 2)
    }

    @Test func `an id and a subscription that are too long`() throws {
        let rig = try Rig { $0.subscriptionBytesMax = 256 }
        let socket = rig.readySocket()
        rig.subscribe(
            socket, "a", Self.subscription + String(repeating: " ", count: 300))
        rig.subscribe(socket, .init(String(repeating: "i", count: 300)), Self.subscription)
        #expect(rig.outlet.reached == [.subscriptionBytes, .operationIDBytes])
    }

    @Test func `no connection_init, and no sign of life`() throws {
        let rig = try Rig()
        let socket = rig.socket()
        rig.nanoseconds += 10_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.hear(socket).first?["close"] == 4408)
        _ = rig.readySocket()
        rig.nanoseconds += 50_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.outlet.reached == [.initSeconds, .silenceSeconds])
    }

    @Test func `an operation that reads too much, or too deep`() throws {
        let rig = try Rig { $0.recordsPerOperationMax = 0 }
        let answer = rig.post("{ listThreads { items { id } } }")
        #expect(answer.body.jsonText.contains("reads more than 0 records"))
        #expect(rig.outlet.reached == [.recordsPerOperation])
    }

    @Test(arguments: [
        (
            ReachedLimit.documentBytes,
            "{ listThreads { nextToken } } #\(String(repeating: "x", count: 300))"
        ),
        (.documentTokens, "{ \(String(repeating: "__typename ", count: 60)) }"),
        (.documentDepth, "{ listThreads { items { messages { items { id } } } } }"),
        (.documentAliases, "{ a: __typename b: __typename c: __typename }"),
        (.documentSpreads, "{ ...F ...F ...F } fragment F on Query { __typename }"),
        (.documentDirectives, "{ a: __typename @skip(if: true) __typename @skip(if: true) }"),
        (.documentDirectivesPerPlace, "{ __typename @skip(if: true) @include(if: true) }"),
        (.documentSteps, "{ \(String(repeating: "__typename ", count: 1_100)) }"),
        (.documentPlanFields, "{ \(String(repeating: "__typename ", count: 300)) }"),
        (.rootFields, "{ listThreads { nextToken } listMessages { nextToken } __typename }"),
        (.cost, "{ listThreads { items { id } } }"),
    ])
    func `a document over its limits`(limit: ReachedLimit, document: String) throws {
        let rig = try Rig {
            switch limit {
            case .documentBytes: $0.document.bytesMax = 300
            case .documentTokens: $0.document.tokensMax = 50
            case .documentDepth: $0.document.depthMax = 4
            case .documentAliases: $0.document.aliasesMax = 2
            case .documentSpreads: $0.document.spreadsMax = 2
            case .documentDirectives: $0.document.directivesMax = 1
            case .documentDirectivesPerPlace: $0.document.directivesPerPlaceMax = 1
            case .documentSteps: $0.document.stepsMax = 1_000
            case .documentPlanFields: $0.document.planFieldsMax = 16
            case .rootFields: $0.document.rootFieldsMax = 2
            case .cost: $0.document.costMax = 100
            default: Issue.record("\(limit) is no limit of documents")
            }
        }
        let errors = rig.post(document).body["errors"]?.items
        #expect(errors?.count == 1)
        #expect(errors?[0]["message"]?.text?.string.contains("(\(limit.rawValue))") == true)
        #expect(rig.outlet.reached == [limit])
    }

    @Test func `a result over its limit`() throws {
        let rig = try Rig { $0.document.resultNodesMax = 16 }
        for number in 0..<20 {
            _ = rig.post(
                "mutation { createThread(input: { name: \"\(number)\", location: \"x\" }) { id } }")
        }
        let answer = rig.post("{ listThreads { items { id name } } }")
        #expect(answer.body["errors"] != nil)
        #expect(rig.outlet.reached == [.resultNodes])
        #expect(answer.body.jsonText.contains("16 values (result-nodes-max)"))
    }

    @Test func `a result of too many bytes`() throws {
        let rig = try Rig { $0.document.responseBytesMax = 1_024 }
        let answer = rig.post("{ __schema { types { name fields { name } } } }")
        #expect(answer.body.jsonText.contains("1024 bytes (result-bytes-max)"))
        #expect(rig.outlet.reached == [.resultBytes])
    }

    @Test func `too many rounds of questions`() throws {
        let rig = try Rig { $0.executionRoundsMax = 1 }
        _ = rig.post(
            "mutation { createThread(input: { name: \"a\", location: \"x\" }) { id } }")
        let answer = rig.post("{ listThreads { items { messages { nextToken } } } }")
        #expect(answer.body.jsonText.contains("more than 1 rounds of reading"))
        #expect(rig.outlet.reached == [.executionRounds])
    }

    @Test func `requests piled up behind one that is being answered`() throws {
        let rig = try Rig { $0.pipelinedBytesMax = 1_024 }
        let connection = rig.open()
        let request = Rig.request(Self.query.jsonText)
        rig.receive(connection, request)
        for _ in 0..<20 { rig.receive(connection, request) }
        #expect(rig.outlet.paused == [connection])
        #expect(Set(rig.outlet.reached) == [.pipelinedBytes])
        rig.settle()
        #expect(rig.outlet.paused == [])
    }

    @Test func `changes that wait for an event which the store does not answer`() throws {
        let rig = try Rig { $0.changesPerGroupMax = 2 }
        let socket = rig.readySocket()
        rig.subscribe(
            socket, "1",
            "subscription { onCreateMessage { id thread { id } replies { nextToken } } }")
        for id: Text in ["a", "b", "c"] { rig.shard.changed(rig.commitUntold(id), at: rig.moment) }
        #expect(rig.outlet.reached == [])
        rig.shard.changed(rig.commitUntold("d"), at: rig.moment)
        #expect(rig.outlet.reached == [.changesPerGroup])
        #expect(rig.hear(socket).last?["close"] == 1013)
    }

    @Test func `a slow reader, alone or among too many`() throws {
        let rig = try Rig { $0.outboxBytesMax = 10 }
        let slow = rig.readySocket()
        rig.outlet.waiting[slow] = 11
        rig.say(slow, ["type": "ping"])
        #expect(rig.hear(slow).last?["close"] == 1013)
        let other = rig.readySocket()
        rig.shard.tooMuchQueued(other, at: rig.moment)
        #expect(rig.outlet.closed[other] == false)
        rig.shard.tooMuchQueued(other, at: rig.moment)
        #expect(rig.outlet.reached == [.outboxBytes, .queuedBytes])
        #expect(rig.shard.counters.slowConsumers == 2)
        #expect(rig.shard.counters.connectionsOpen == 0)
    }

    @Test func `what readers take is the operator's choice`() {
        let limits = Limits()
        #expect(limits.http == HTTPLimits(bodyBytesMax: limits.messageBytesMax))
        #expect(limits.webSocket == WebSocketLimits())
    }
}
