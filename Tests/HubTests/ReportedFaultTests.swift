import Bytes
import HTTP1
import Hub
import JSON
import Testing
import WebSocket

/// Faults that others have reported of systems like this one, as a client would bring them about.
@Suite struct ReportedFaultTests {
    private static let creation =
        #"createThread(input: {name: "n", location: "l"}) { id }"#

    private func answer(_ rig: Rig, _ request: String) -> (status: Int, body: JSONValue) {
        answer(rig, Array(request.utf8))
    }

    private func answer(_ rig: Rig, _ request: [UInt8]) -> (status: Int, body: JSONValue) {
        let connection = rig.open()
        rig.receive(connection, request)
        rig.settle()
        return Rig.response(rig.takeBytes(connection))
    }

    private func threadCount(_ rig: Rig) -> Int? {
        let answer = rig.post("{ listThreads { items { id } } }").body
        return answer["data"]?["listThreads"]?["items"]?.items?.count
    }

    // B077
    @Test(arguments: [
        ("mutation M { CREATE }", nil, 405), ("#x\nmutation M { CREATE }", nil, 405),
        ("query Q { __typename } mutation M { CREATE }", "M", 405),
        ("query Q { __typename } mutation M { CREATE }", nil, 400),
        ("mutation A { CREATE } mutation B { CREATE }", "B", 405),
        ("mutation A { CREATE } mutation B { CREATE }", "", 400),
    ])
    func `no dress makes a mutation run over GET or HEAD`(
        text: String, name: String?, status: Int
    ) throws {
        let rig = try Rig()
        let document = text.replacing("CREATE", with: Self.creation)
        var query = ByteQueue()
        PercentCoding.append(Text(document), to: &query)
        let target =
            "/graphql?query=" + String(decoding: query.array, as: UTF8.self)
            + (name.map { "&operationName=\($0)" } ?? "")
        for method in ["GET", "HEAD"] {
            let request = "\(method) \(target) HTTP/1.1\r\nHost: hub\r\n\r\n"
            #expect(answer(rig, request).status == status)
        }
        #expect(threadCount(rig) == 0)
        // The same over POST works.
        guard let name, !name.isEmpty else { return }
        let body: JSONValue = [
            "query": .string(Text(document)), "operationName": .string(Text(name)),
        ]
        #expect(answer(rig, Rig.request(body.jsonText)).body["data"]?["createThread"] != nil)
        #expect(threadCount(rig) == 1)
    }

    // B078
    @Test(arguments: [
        "text/plain", "text/plain; charset=utf-8", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "text/plain; a=application/json", "application/jsonx",
        "", nil,
    ])
    func `what a browser posts without asking first makes no record`(type: String?) throws {
        let rig = try Rig()
        let body: JSONValue = ["query": .string(Text("mutation { \(Self.creation) }"))]
        func request(_ type: String?) -> String {
            "POST /graphql HTTP/1.1\r\nHost: hub\r\n"
                + (type.map { "Content-Type: \($0)\r\n" } ?? "")
                + "Content-Length: \(body.jsonText.utf8.count)\r\n\r\n\(body.jsonText)"
        }
        #expect(answer(rig, request(type)).status == 415)
        #expect(threadCount(rig) == 0)
        #expect(answer(rig, request("application/json; charset=utf-8")).status == 200)
        #expect(threadCount(rig) == 1)
    }

    // B081
    @Test(arguments: [
        ("1", true), ("1.0", true), ("1E+2", true), ("1e2", true), ("10e-1", true),
        ("9223372036854775808", false), ("-9223372036854775809", false),
        ("18446744073709551616", false), ("2147483648", false), ("-2147483649", false),
        ("1.5", false), ("1e400", false), ("-1e400", false), ("1e2147483648", false),
        (String(repeating: "9", count: 400), false), ("\"1\"", false), ("true", false),
    ])
    func `a number is an Int where it is whole and fits, and nothing traps`(
        number: String, isTaken: Bool
    ) throws {
        let query = "query($n: Int) { listThreads(limit: $n) { items { id } } }"
        let request = Rig.request("{\"query\":\"\(query)\",\"variables\":{\"n\":\(number)}}")
        let (status, body) = answer(try Rig(), request)
        #expect((body["data"]?["listThreads"] != nil) == isTaken)
        #expect((body["errors"] != nil) == !isTaken)
        #expect(status == 200 || !isTaken && status == 400)
    }

    // B081
    @Test(arguments: [
        "01", "NaN", "+1", "1.", ".5", "1e", "0x1", "-", "Infinity", "1 2", "1}} x",
    ])
    func `what is no number is no JSON`(number: String) throws {
        let text = "{\"query\":\"{ __typename }\",\"variables\":{\"n\":\(number)}}"
        #expect(answer(try Rig(), Rig.request(text)).status == 400)
    }

    // B082
    @Test(arguments: [
        Array(#"\ud800"#.utf8), Array(#"\udff3"#.utf8), Array(#"\ud83d\ud83d"#.utf8), [0xff],
        [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0xaf],
        Array("a\u{0}b".utf8), Array("a\nb".utf8),
    ])
    func `half characters and broken UTF-8 are refused, and the hub goes on`(
        bytes: [UInt8]
    ) throws {
        let rig = try Rig()
        let start = Array(#"{"query":"query($s: String) { __typename }","variables":{"s":""#.utf8)
        let body = start + bytes + Array("\"}}".utf8)
        let head =
            "POST /graphql HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        #expect(answer(rig, Array(head.utf8) + body).status == 400)
        // As the id of an operation: its socket is closed, no other.
        let other = rig.readySocket()
        let socket = rig.readySocket()
        var session = WebSocketSession(role: .client, limits: WebSocketLimits(), maskSeed: 7)
        var frame = ByteQueue()
        let message =
            Array("{\"id\":\"".utf8) + bytes
            + Array(#"","type":"subscribe","payload":{"query":"{ __typename }"}}"#.utf8)
        message.withUnsafeBytes { session.appendFrame(.text, $0, to: &frame) }
        rig.receive(socket, frame.array)
        rig.settle()
        let code = rig.hear(socket).first?["close"]
        #expect(code == 4_400 || code == 1_007)
        rig.say(other, ["type": "ping"])
        #expect(rig.hear(other).first?["type"] == "pong")
    }

    // B061, B062
    @Test func `a head that drips and a connection that is silent end at their time`() throws {
        let rig = try Rig()
        let dripping = rig.open()
        let silent = rig.open()
        for letter in "GET / HTTP/" where rig.outlet.closed[dripping] == nil {
            rig.receive(dripping, String(letter))
            rig.nanoseconds += 1_000_000_000
            rig.shard.woke(at: rig.moment)
        }
        // Ten seconds from the start, and not from the last byte.
        #expect(rig.nanoseconds == 11_000_000_000)
        #expect(rig.takeText(dripping).hasPrefix("HTTP/1.1 408 "))
        #expect(rig.outlet.closed[dripping] == true)
        #expect(rig.outlet.closed[silent] == true)
        #expect(rig.takeBytes(silent).isEmpty)
        #expect(rig.shard.counters.connectionsOpen == 0)
    }

    // B032
    @Test func `pongs do not pile up for a peer that never reads them`() throws {
        let rig = try Rig { $0.outboxBytesMax = 10_000 }
        let socket = rig.readySocket()
        var session = WebSocketSession(role: .client, limits: WebSocketLimits(), maskSeed: 7)
        var pings = ByteQueue()
        let payload = [UInt8](repeating: 0x66, count: 125)
        for _ in 0..<100 {
            payload.withUnsafeBytes { session.appendFrame(.ping, $0, to: &pings) }
        }
        rig.outlet.waiting[socket] = 0
        for _ in 0..<10 where rig.outlet.closed[socket] == nil {
            rig.receive(socket, pings.array)
            let sent = rig.outlet.sent[socket]?.count ?? 0
            rig.outlet.waiting[socket] = sent
        }
        #expect(rig.outlet.closed[socket] == true)
        // What went out before is the limit, and at most one read's pongs beside it.
        #expect((rig.outlet.sent[socket]?.count ?? 0) <= 10_000 + 2 * 12_700 + 200)
        #expect(rig.shard.counters.slowConsumers == 1)
    }
}
