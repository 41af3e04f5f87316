import Access
import Bytes
import Hub
import JSON
import Testing

/// HTTP beyond GraphQL: methods, connections, bodies and what every answer bears.
@Suite struct HTTPRuleTests {
    private static let body = "{\"query\":\"{ __typename }\"}"
    private static let get = "GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: hub\r\n"

    private func answer(_ rig: Rig, _ request: String) -> (text: String, isClosed: Bool) {
        let connection = rig.open()
        rig.receive(connection, request)
        rig.settle()
        return (rig.takeText(connection), rig.outlet.closed[connection] != nil)
    }

    private func answer(_ request: String) throws -> (text: String, isClosed: Bool) {
        answer(try Rig(), request)
    }

    @Test(arguments: ["/graphql", "/graphql/realtime", "/graphql?query=x", "/healthz", "*"])
    func `OPTIONS is answered by the methods that are served`(target: String) throws {
        let (text, isClosed) = try answer("OPTIONS \(target) HTTP/1.1\r\nHost: hub\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        let methods = target == "/healthz" ? "GET, HEAD, OPTIONS" : "GET, HEAD, POST, OPTIONS"
        #expect(text.contains("\r\nAllow: \(methods)\r\n"))
        #expect(!text.contains("Access-Control"))
        #expect(!isClosed)
    }

    @Test func `OPTIONS of nothing is not found`() throws {
        #expect(
            try answer("OPTIONS /nothing HTTP/1.1\r\nHost: hub\r\n\r\n").text.hasPrefix(
                "HTTP/1.1 404 "))
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH", "TRACE", "get", "post", "GETT", "PROPFIND"])
    func `another method is answered by those that are served`(method: String) throws {
        for (path, methods) in [
            ("/graphql", "GET, HEAD, POST, OPTIONS"), ("/healthz", "GET, HEAD, OPTIONS"),
        ] {
            let (text, isClosed) = try answer("\(method) \(path) HTTP/1.1\r\nHost: hub\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 405 "))
            #expect(text.contains("\r\nAllow: \(methods)\r\n"))
            #expect(!isClosed)
        }
    }

    @Test(arguments: [
        "/graphql?query=%7B__typename%7D", "/graphql", "/healthz", "/nothing",
        "/graphql?query=mutation%7B__typename%7D",
    ])
    func `HEAD has the head of GET and no body`(target: String) throws {
        let rig = try Rig()
        let asked = answer(rig, "HEAD \(target) HTTP/1.1\r\nHost: hub\r\n\r\n")
        let got = answer(rig, "GET \(target) HTTP/1.1\r\nHost: hub\r\n\r\n")
        let end = try #require(got.text.firstRange(of: "\r\n\r\n")).upperBound
        #expect(asked.text == got.text[..<end])
        #expect(!got.text[end...].isEmpty)
        #expect(asked.isClosed == got.isClosed)
    }

    @Test func `HEAD is followed by the next answer and changes nothing`() throws {
        let rig = try Rig()
        let head = Self.get.replacing("GET", with: "HEAD")
        let text = answer(rig, "\(head)\r\n\(head)\r\n\(Self.get)\r\n").text
        #expect(text.split(separator: "HTTP/1.1 200 OK\r\n").count == 3)
        #expect(text.split(separator: "__typename").count == 2)
        let create = "mutation%7BcreateThread(input:%7Bname:%22n%22,location:%22l%22%7D)%7Bid%7D%7D"
        let refused = answer(rig, "HEAD /graphql?query=\(create) HTTP/1.1\r\nHost: hub\r\n\r\n")
        #expect(refused.text.hasPrefix("HTTP/1.1 405 "))
        let threads = rig.post("{ listThreads { items { id } } }").body
        #expect(threads["data"]?["listThreads"]?["items"]?.items?.count == 0)
    }

    @Test func `every answer bears the date`() throws {
        for request in [
            Rig.request(Self.body), "GET\r\n\r\n", "GET /nothing HTTP/1.1\r\nHost: hub\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: hub\r\n\r\n",
            "\(Self.get)Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        ] {
            let text = try answer(request).text
            #expect(text.contains("\r\nDate: Tue, 14 Nov 2023 22:13:20 GMT\r\n"), "\(text)")
        }
    }

    @Test func `HTTP 1_0 is told that its connection is kept, or it is not`() throws {
        let request = "GET /healthz HTTP/1.0\r\n"
        let (plain, isPlainClosed) = try answer("\(request)\r\n")
        #expect(plain.contains("\r\nConnection: close\r\n") && isPlainClosed)
        let (kept, isClosed) = try answer("\(request)Connection: keep-alive\r\n\r\n")
        #expect(kept.contains("\r\nConnection: keep-alive\r\n") && !isClosed)
        let newer = try answer("GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        #expect(!newer.text.contains("Connection:") && !newer.isClosed)
        let last = try answer(
            "GET /healthz HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n\(request)\r\n")
        #expect(last.text.contains("\r\nConnection: close\r\n") && last.isClosed)
        #expect(last.text.split(separator: "HTTP/1.1 200").count == 1)
    }

    @Test(arguments: ["GET", "HEAD"], ["Content-Length: 5", "Transfer-Encoding: chunked"])
    func `GET and HEAD with a body are refused and nothing behind them is read`(
        method: String, field: String
    ) throws {
        let (text, isClosed) = try answer(
            "\(method) /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: hub\r\n\(field)\r\n\r\n"
                + "GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400 "))
        #expect(text.contains("\r\nConnection: close\r\n") && isClosed)
        #expect(text.split(separator: "HTTP/1.1").count == 1)
        #expect(try answer("\(Self.get)Content-Length: 0\r\n\r\n").text.hasPrefix("HTTP/1.1 200 "))
    }

    /// Clients of HTTP/2 ask for it in passing, Java's with every first request.
    @Test func `a wish for a protocol that is not spoken is passed over`() throws {
        let wish = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"
        let (posted, isClosed) = try answer(Rig.request(Self.body, headers: wish))
        #expect(posted.hasPrefix("HTTP/1.1 200 ") && !isClosed)
        #expect(try answer("\(Self.get)\(wish)\r\n").text.hasPrefix("HTTP/1.1 200 "))
    }

    // B055, B056, B065
    @Test(arguments: [
        ("GET /graphql HTTP/1.1", "Upgrade: h2c", 400), ("GET /graphql HTTP/1.1", "X: y", 400),
        ("POST /graphql HTTP/1.1", "Upgrade: websocket", 405),
        ("PUT /graphql HTTP/1.1", "Upgrade: websocket", 405),
        ("HEAD /graphql HTTP/1.1", "Upgrade: websocket", 405),
        ("GET /graphql HTTP/1.0", "Upgrade: websocket", 400),
        ("GET /nothing HTTP/1.1", "Upgrade: websocket", 404),
    ])
    func `what is no upgrade by the letter is none`(
        line: String, upgrade: String, status: Int
    ) throws {
        let (text, isClosed) = try answer(
            "\(line)\r\nHost: hub\r\nConnection: Upgrade\r\n\(upgrade)\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                + "GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        #expect(!text.contains("101 Switching"))
        guard upgrade.hasSuffix("websocket") else { return }
        // Behind a refused upgrade nothing is read.
        #expect(text.contains("\r\nConnection: close\r\n") && isClosed)
        #expect(text.split(separator: "Date: ").count == 2)
        #expect(!line.hasPrefix("HEAD") || text.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [
        ("Content-Encoding: gzip", 415), ("Content-Encoding: identity", 200),
        ("Content-Encoding:", 200), ("Content-Type: application/json", 415),
        ("Content-Type: text/plain", 415),
    ])
    func `a body that is packed or of two types is refused`(field: String, status: Int) throws {
        let text = try answer(Rig.request(Self.body, headers: "\(field)\r\n")).text
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(text.contains("\r\nAccept-Encoding: identity\r\n") == field.hasSuffix("gzip"))
    }

    @Test(arguments: [
        ("", "application/json", "/graphql", 401), ("KEY", "text/plain", "/graphql", 415),
        ("KEY", "application/json", "/nothing", 404),
        ("KEY", "application/json", "/healthz", 405),
    ])
    func `a long body that nobody will read is refused at its head`(
        key: String, type: String, path: String, status: Int
    ) throws {
        let credentials = key.isEmpty ? "" : "x-api-key: \(Rig.key)\r\n"
        func head(_ framing: String) -> String {
            "POST \(path) HTTP/1.1\r\nHost: hub\r\nContent-Type: \(type)\r\n\(credentials)"
                + "\(framing)\r\n\r\n"
        }
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        for framing in [
            "Content-Length: 65537", "Transfer-Encoding: chunked",
            "Content-Length: 26\r\nExpect: 100-continue",
        ] {
            let (text, isClosed) = answer(rig, head(framing))
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(framing): \(text)")
            #expect(text.contains("\r\nConnection: close\r\n") && isClosed)
        }
        let asked = answer(
            rig, "OPTIONS *" + head("Transfer-Encoding: chunked").dropFirst(5 + path.count))
        #expect(asked.text.hasPrefix("HTTP/1.1 413 ") && asked.isClosed)
        // A short one is read, and the connection kept.
        let (text, isClosed) = answer(rig, head("Content-Length: 26") + Self.body)
        #expect(text.hasPrefix("HTTP/1.1 \(status) ") && !isClosed)
    }

    // B074
    @Test func `leave to send a body is given where it will be read`() throws {
        let rig = try Rig()
        let connection = rig.open()
        let request = Rig.request(Self.body, headers: "Expect: 100-continue\r\n")
        rig.receive(connection, String(request.dropLast(Self.body.count)))
        #expect(rig.takeText(connection) == "HTTP/1.1 100 Continue\r\n\r\n")
        rig.receive(connection, Self.body)
        #expect(rig.takeText(connection).hasPrefix("HTTP/1.1 200 "))
        let (text, isClosed) = answer(rig, Rig.request(Self.body, headers: "Expect: tea\r\n"))
        #expect(text.hasPrefix("HTTP/1.1 417 ") && isClosed)
    }

    // B066, B067, B068, B069, B070, B083, B085
    @Test(arguments: [
        (
            400,
            "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n"
        ),
        (
            400,
            "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        (501, "POST /graphql HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        (
            400,
            "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n"
        ),
        (
            413,
            "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                + "Content-Length: 1099511627776\r\n\r\n"
        ),
        (400, "GET /healthz HTTP/1.1\r\n\r\n"), (400, "GET /healthz HTTP/1.1\nHost: h\n\n"),
        (400, "GET /healthz HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
        (400, "GET /healthz HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n"),
        (400, "GET /healthz HTTP/1.1\r\nHost: h\r\nA : b\r\n\r\n"),
        (505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), (501, "CONNECT h:443 HTTP/1.1\r\n"),
        (400, "\u{16}\u{3}\u{1}"), (414, "GET /\(String(repeating: "a", count: 9_000)) "),
        (431, "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "a", count: 20_000))"),
    ])
    func `a malformed request is refused with its status, and the connection ends`(
        status: Int, request: String
    ) throws {
        let rig = try Rig()
        let connection = rig.open()
        rig.receive(connection, Rig.request(Self.body) + request)
        rig.receive(connection, Rig.request(Self.body))
        let text = rig.takeText(connection)
        let answers = text.split(separator: "HTTP/1.1 ")
        // What was whole before it is answered, what comes behind it is not.
        #expect(answers.count == 2)
        #expect(answers.first?.hasPrefix("200 ") == true)
        #expect(answers.last?.hasPrefix("\(status) ") == true, "\(text)")
        #expect(answers.last?.contains("\r\nConnection: close\r\n") == true)
        #expect(rig.outlet.closed[connection] == true)
        #expect(rig.shard.counters.protocolErrors == 1)
    }

    @Test(arguments: [0, 1, 3])
    func `a slow body is ended in time, its client told why`(pieces: Int) throws {
        let rig = try Rig()
        let connection = rig.open()
        let request = Rig.request(Self.body, headers: "Origin: http://a.example\r\n")
        rig.receive(connection, String(request.dropLast(Self.body.count)))
        for piece in Self.body.prefix(pieces) {
            rig.nanoseconds += 9_000_000_000
            rig.shard.woke(at: rig.moment)
            rig.receive(connection, String(piece))
        }
        #expect(rig.outlet.closed[connection] == nil)
        rig.nanoseconds = 1_000_000_000 + 31_000_000_000
        rig.shard.woke(at: rig.moment)
        let text = rig.takeText(connection)
        #expect(text.hasPrefix("HTTP/1.1 408 ") && text.contains("\r\nConnection: close\r\n"))
        #expect(rig.outlet.closed[connection] == true)
        #expect(rig.shard.counters.timeouts == 1)
    }

    // B075
    @Test func `requests behind the one that is answered wait unread within their limit`() throws {
        let rig = try Rig()
        let connection = rig.open()
        let slow = Rig.request("{\"query\":\"{ listThreads { nextToken } }\"}")
        let count = 65_536 / slow.utf8.count + 10
        rig.receive(connection, slow)
        rig.receive(connection, String(repeating: slow, count: count - 1))
        #expect(rig.outlet.paused.contains(connection))
        rig.settle()
        #expect(!rig.outlet.paused.contains(connection))
        #expect(rig.takeText(connection).split(separator: "HTTP/1.1 200").count == count)
        rig.receive(connection, slow)
        rig.settle()
        #expect(rig.takeText(connection).hasPrefix("HTTP/1.1 200"))
    }
}
