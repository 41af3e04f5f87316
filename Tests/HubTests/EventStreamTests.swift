import Access
import Bytes
import Hub
import JSON
import Testing

/// GraphQL over server-sent events, distinct connections mode, to the byte.
@Suite struct EventStreamTests {
    private static let onCreate = "subscription { onCreateThread { id name } }"

    private func post(
        _ query: String, version: String = "1.1", extensions: String = "", headers: String = ""
    ) -> String {
        let body = "{\"query\":\"\(query)\"\(extensions)}"
        return "POST /graphql HTTP/\(version)\r\nHost: hub\r\nContent-Type: application/json\r\n"
            + "Accept: text/event-stream\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n"
            + body
    }

    private func get(_ query: String, accept: String = "text/event-stream") -> String {
        var encoded = ""
        for byte in query.utf8 {
            let hex = String(byte, radix: 16)
            encoded += "%" + (hex.count == 1 ? "0" + hex : hex)
        }
        return "GET /graphql?query=\(encoded) HTTP/1.1\r\nHost: hub\r\nAccept: \(accept)\r\n\r\n"
    }

    private func open(_ rig: Rig, _ request: String) -> UInt64 {
        let connection = rig.open()
        rig.receive(connection, request)
        rig.settle()
        return connection
    }

    /// A chunk with this in it.
    private func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    private func bodyOf(_ answer: String) -> String {
        guard let end = Rig.endOfHead(Array(answer.utf8)) else { return answer }
        return String(decoding: Array(answer.utf8)[end...], as: UTF8.self)
    }

    private func event(_ id: String) -> String {
        "{\"data\":{\"onCreateThread\":{\"id\":\"\(id)\",\"name\":\"name of \(id)\"}}}"
    }

    private func next(_ data: String) -> String { "event: next\ndata: \(data)\n\n" }
    private let complete = "event: complete\ndata:\n\n"

    @Test func `a subscription by POST and by GET gets its events, one a chunk`() throws {
        let rig = try Rig()
        for request in [post(Self.onCreate), get(Self.onCreate), get(Self.onCreate, accept: "*/*")]
        {
            let connection = open(rig, request)
            let opening = rig.takeText(connection)
            #expect(opening.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(opening.contains("Content-Type: text/event-stream; charset=utf-8\r\n"))
            #expect(opening.contains("Cache-Control: no-cache\r\n"))
            #expect(opening.contains("X-Accel-Buffering: no\r\n"))
            #expect(opening.contains("Transfer-Encoding: chunked\r\n"))
            #expect(bodyOf(opening) == chunk(":\n\n"))
            rig.createThread("t\(connection)")
            #expect(rig.takeText(connection) == chunk(next(event("t\(connection)"))))
        }
        #expect(rig.shard.counters.events == 3)
        #expect(rig.shard.counters.deliveries == 6)
        #expect(rig.shard.groupCount == 1)
    }

    @Test func `sockets and streams of one operation share one execution`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.subscribe(socket, "1", Self.onCreate)
        let stream = open(rig, post(Self.onCreate))
        let old = open(rig, post(Self.onCreate, version: "1.0"))
        #expect(!rig.takeText(old).contains("Transfer-Encoding"))
        _ = rig.takeText(stream)
        rig.createThread("t")
        #expect(rig.shard.counters.events == 1)
        #expect(rig.hear(socket).first?["payload"]?.jsonText == event("t"))
        #expect(rig.takeText(stream) == chunk(next(event("t"))))
        #expect(rig.takeText(old) == next(event("t")))
    }

    @Test func `a query and a mutation get one result, and the connection goes on`() throws {
        let rig = try Rig()
        let create =
            "mutation { createThread(input: {id: \\\"t\\\", name: \\\"n\\\", location: \\\"x\\\"}) "
            + "{ id } }"
        let connection = open(rig, post(create))
        #expect(
            bodyOf(rig.takeText(connection)) == chunk(":\n\n")
                + chunk(next("{\"data\":{\"createThread\":{\"id\":\"t\"}}}")) + chunk(complete)
                + "0\r\n\r\n")
        rig.receive(connection, get("{ __typename }") + get("{ __typename }"))
        rig.settle()
        let answer = rig.takeText(connection)
        #expect(answer.components(of: next("{\"data\":{\"__typename\":\"Query\"}}")) == 2)
        #expect(rig.outlet.closed[connection] == nil)
        rig.receive(connection, get("mutation { __typename }"))
        #expect(rig.takeText(connection).hasPrefix("HTTP/1.1 405 "))
    }

    @Test(arguments: ["{ nothing }", "{ ", "subscription { onCreateThread(x: 1) { id } }"])
    func `errors of the document come as a stream`(query: String) throws {
        let rig = try Rig()
        for request in [post(query), get(query)] {
            let answer = rig.takeText(open(rig, request))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains("event: next\ndata: {\"errors\":[{\"message\":"))
            #expect(answer.hasSuffix(chunk(complete) + "0\r\n\r\n"))
        }
    }

    @Test func `who has no key gets no stream, and what is no request gets its error in one`()
        throws
    {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let stranger = rig.takeText(open(rig, post(Self.onCreate)))
        #expect(stranger.hasPrefix("HTTP/1.1 401 "))
        #expect(stranger.contains("Content-Type: application/json"))
        let known = "x-api-key: \(Rig.key)\r\n"
        let malformed = post(Self.onCreate, extensions: ",", headers: known)
        let answer = rig.takeText(open(rig, malformed))
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("event: next\ndata: {\"errors\":["))
    }

    @Test func `a subscription that asked for JSON is told of the stream`() throws {
        let rig = try Rig()
        let answer = rig.takeText(open(rig, get(Self.onCreate, accept: "application/json")))
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.contains("Accept: text/event-stream"))
    }

    @Test func `a client that leaves ends its subscription at once`() throws {
        let rig = try Rig()
        let connection = open(rig, post(Self.onCreate))
        #expect(rig.shard.counters.subscriptionsLive == 1)
        rig.shard.closed(connection, at: rig.moment)
        #expect(rig.shard.counters.subscriptionsLive == 0)
        #expect(rig.shard.groupCount == 0)
    }

    @Test func `a comment comes every twelve seconds`() throws {
        let rig = try Rig()
        let connection = open(rig, post(Self.onCreate))
        _ = rig.takeText(connection)
        rig.pass(seconds: 10)
        #expect(rig.takeText(connection) == "")
        rig.pass(seconds: 90)
        #expect(rig.takeText(connection).components(of: chunk(":\n\n")) >= 7)
        #expect(rig.outlet.closed[connection] == nil)
    }

    @Test func `a client that reads too slowly is closed, without the end of the response`() throws
    {
        let rig = try Rig { $0.outboxBytesMax = 1_000 }
        let connection = open(rig, post(Self.onCreate))
        _ = rig.takeText(connection)
        rig.outlet.waiting[connection] = 1_001
        rig.createThread("t")
        #expect(rig.outlet.closed[connection] == true)
        #expect(!rig.takeText(connection).hasSuffix("0\r\n\r\n"))
        #expect(rig.shard.counters.slowConsumers == 1)
    }

    @Test func `one that would rather miss events is told how many`() throws {
        let rig = try Rig {
            $0.parkingBytesMin = 100
            $0.parkedBytesMax = 1_024
        }
        let extensions = ",\"extensions\":{\"heliograph\":{\"slowConsumer\":\"drop-oldest\"}}"
        let connection = open(rig, post(Self.onCreate, extensions: extensions))
        rig.outlet.waiting[connection] = 200
        for number in 0..<40 { rig.createThread("t\(number)") }
        _ = rig.takeText(connection)
        rig.outlet.waiting[connection] = 0
        for _ in 0..<40 { rig.shard.drained(connection, at: rig.moment) }
        let text = rig.takeText(connection)
        #expect(text.contains("event: next\ndata: {\"extensions\":{\"heliograph\":{\"dropped\":"))
        #expect(text.hasSuffix("\"name of t39\"}}}\n\n\r\n"))
    }

    @Test func `a stopping hub asks streams to come again, at different times`() throws {
        let rig = try Rig()
        let connection = open(rig, post(Self.onCreate))
        _ = rig.takeText(connection)
        rig.drain(seconds: 5)
        rig.pass(seconds: 6)
        let text = rig.takeText(connection)
        #expect(text.contains("retry: "))
        #expect(!text.contains("complete"))
        #expect(text.hasSuffix("0\r\n\r\n"))
        #expect(rig.outlet.closed[connection] == true)
    }

    @Test func `requests behind a stream wait, but not without bound`() throws {
        let rig = try Rig { $0.pipelinedBytesMax = 1_024 }
        let connection = open(rig, post(Self.onCreate))
        rig.receive(connection, get("{ __typename }"))
        #expect(rig.outlet.closed[connection] == nil)
        rig.receive(connection, String(repeating: "x", count: 1_025))
        #expect(rig.outlet.closed[connection] == true)
        #expect(rig.shard.counters.subscriptionsLive == 0)
    }
}

extension String {
    /// How often the other stands in this.
    fileprivate func components(of other: String) -> Int {
        var count = 0
        var rest = Substring(self)
        while let place = rest.firstRange(of: other) {
            count += 1
            rest = rest[place.upperBound...]
        }
        return count
    }
}
