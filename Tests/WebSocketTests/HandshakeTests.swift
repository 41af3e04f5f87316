import Bytes
import HTTP1
import Testing
import WebSocket

@Suite struct HandshakeTests {
    private static let fields = [
        "Host: hub", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ]

    /// A request with some of its fields replaced, left out or added.
    private func request(
        _ line: String = "GET /graphql HTTP/1.1", replacing changes: [String: String?] = [:],
        adding added: [String] = []
    ) throws -> HTTPHead {
        var lines = Self.fields.compactMap { field -> String? in
            let name = String(field.prefix { $0 != ":" })
            return changes[name] ?? field
        }
        lines += added
        let text = ([line] + lines).map { $0 + "\r\n" }.joined() + "\r\n"
        return try head(text, role: .server)
    }

    private func head(_ text: String, role: HTTPRole) throws -> HTTPHead {
        var reader = HTTPReader(role: role, limits: HTTPLimits(bodyBytesMax: 100))
        Array(text.utf8).withUnsafeBytes { reader.append($0) }
        guard case .head(let head) = try reader.next() else { throw HTTPError.cutShort }
        return head
    }

    private func answer(_ head: HTTPHead, subprotocol: Text? = nil) -> String {
        var output = ByteQueue()
        do throws(HandshakeRefusal) {
            try Handshake.accept(
                head, subprotocol: subprotocol, deflate: Handshake.deflate(for: head),
                to: &output)
        } catch {
            error.append(to: &output)
        }
        return String(decoding: output.array, as: UTF8.self)
    }

    @Test func `the RFC's example is accepted with its accept value`() throws {  // §1.3
        #expect(
            answer(try request())
                == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
    }

    // B048, B051, B071, B072
    @Test(arguments: [
        ("Connection", "Connection: keep-alive, Upgrade"),
        ("Connection", "connection:Upgrade,keep-alive"), ("Connection", "CONNECTION: UPGRADE"),
        ("Connection", "Connection: , upgrade ,"), ("Upgrade", "upgrade: WebSocket"),
        ("Upgrade", "UPGRADE: h2c, websocket"), ("Host", "Host: [2001:db8::1]:8443"),
        ("Host", "Host: localhost"),
        ("Sec-WebSocket-Key", "sec-websocket-key:dGhlIHNhbXBsZSBub25jZQ=="),
    ])
    func `legal ways to write the fields are accepted`(name: String, field: String) throws {
        #expect(answer(try request(replacing: [name: field])).hasPrefix("HTTP/1.1 101 "))
        let absolute = try request("GET http://hub/graphql HTTP/1.1", replacing: [name: field])
        #expect(answer(absolute).hasPrefix("HTTP/1.1 101 "))
    }

    @Test(arguments: [
        ("Connection", "Connection: keep-alive", 400), ("Connection", "X: Upgrade", 400),
        ("Upgrade", "Upgrade: h2c", 426), ("Upgrade", "X: websocket", 426),
        ("Upgrade", "Upgrade: websockets", 426),
        ("Sec-WebSocket-Version", "Sec-WebSocket-Version: 8", 426),
        ("Sec-WebSocket-Version", "Sec-WebSocket-Version: 130", 426),
        ("Sec-WebSocket-Version", "X: 13", 426),
        ("Sec-WebSocket-Key", "X: y", 400), ("Sec-WebSocket-Key", "Sec-WebSocket-Key:", 400),
        ("Sec-WebSocket-Key", "Sec-WebSocket-Key: c2hvcnQ=", 400),
        ("Sec-WebSocket-Key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZSE=", 400),
        ("Sec-WebSocket-Key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j*Q==", 400),
    ])
    func `a faulty field is refused with its status`(
        name: String, field: String, status: Int
    ) throws {  // B055
        let answer = answer(try request(replacing: [name: field]))
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
    }

    @Test func `the refusal of a version names ours`() throws {
        let answer = answer(
            try request(replacing: ["Sec-WebSocket-Version": "Sec-WebSocket-Version: 8"]))
        #expect(answer.contains("\r\nSec-WebSocket-Version: 13\r\n"))
        #expect(answer.contains("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"))
    }

    // B056
    @Test func `method and HTTP version are looked at`() throws {
        for method in ["POST", "PUT", "HEAD", "OPTIONS", "get"] {
            let answer = answer(try request("\(method) /graphql HTTP/1.1"))
            #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("\r\nAllow: GET\r\n"))
        }
        #expect(answer(try request("GET / HTTP/1.0")).hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `two keys, two versions or a body are refused`() throws {
        for field in [Self.fields[3], "Content-Length: 5", "Transfer-Encoding: chunked"] {
            #expect(answer(try request(adding: [field])).hasPrefix("HTTP/1.1 400 "))
        }
        #expect(answer(try request(adding: [Self.fields[4]])).hasPrefix("HTTP/1.1 426 "))
        #expect(answer(try request(adding: ["Content-Length: 0"])).hasPrefix("HTTP/1.1 101 "))
    }

    // B045, B046
    @Test(arguments: [
        "x-webkit-deflate-frame", "constructor", "__proto__", "a=b", ",;c", ";", "a=\"b",
        String(repeating: "x, ", count: 2_000),
        "a; b=\"" + String(repeating: "\\\\", count: 3_500),
    ])
    func `other extensions than permessage-deflate are declined`(offer: String) throws {
        let answer = answer(try request(adding: ["Sec-WebSocket-Extensions: \(offer)"]))
        #expect(answer.hasPrefix("HTTP/1.1 101 "))
        #expect(!answer.contains("Extensions"))
    }

    // B057
    @Test func `exactly the chosen subprotocol is answered`() throws {
        let one = try request(adding: ["Sec-WebSocket-Protocol: graphql-ws, graphql-transport-ws"])
        let two = try request(adding: [
            "Sec-WebSocket-Protocol: graphql-ws", "sec-websocket-protocol: graphql-transport-ws,",
        ])
        for head in [one, two] {
            #expect(Handshake.offeredSubprotocols(head) == ["graphql-ws", "graphql-transport-ws"])
            let answer = answer(head, subprotocol: "graphql-transport-ws")
            #expect(answer.contains("\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n"))
            #expect(!self.answer(head).contains("Protocol: "))
        }
    }

    @Test func `only a request that names websocket wants it`() throws {
        #expect(Handshake.isWanted(by: try request()))
        #expect(!Handshake.isWanted(by: try request(replacing: ["Upgrade": "Upgrade: h2c"])))
        #expect(!Handshake.isWanted(by: try request(replacing: ["Upgrade": "X: y"])))
    }

    // B063, B030
    @Test func `a request in pieces is read, and the frame behind it`() throws {
        var random = SeededRandom(seed: 5)
        let client = ClientHandshake(subprotocols: [], random: &random)
        var bytes = ByteQueue()
        client.appendRequest(host: "hub", target: "/graphql", to: &bytes)
        bytes.append(text("first"))
        for size in [1, 7, 40, bytes.count] {
            var reader = HTTPReader(role: .server, limits: HTTPLimits(bodyBytesMax: 0))
            var session: WebSocketSession?
            var replies = ByteQueue()
            var events: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                var piece = Array(bytes.array[start..<min(start + size, bytes.count)])
                if session == nil {
                    piece.withUnsafeBytes { reader.append($0) }
                    guard case .head(let head) = try reader.next() else { continue }
                    #expect(answer(head).hasPrefix("HTTP/1.1 101 "))
                    session = WebSocketSession(role: .server, limits: testLimits)
                    piece = reader.takeRest().array
                }
                pull(piece, &session!, &replies, &events)
            }
            #expect(events == ["text first"])
        }
    }

    // MARK: Client

    @Test func `client and server agree`() throws {
        var random = SeededRandom(seed: 5)
        let client = ClientHandshake(
            subprotocols: ["graphql-transport-ws", "graphql-ws"], random: &random)
        var bytes = ByteQueue()
        client.appendRequest(
            host: "hub:8080", target: "/graphql?x=y",
            fields: [HTTPField("Authorization", "secret")], to: &bytes)
        let request = try head(String(decoding: bytes.array, as: UTF8.self), role: .server)
        #expect(request.host == "hub:8080")
        #expect(request.target == "/graphql?x=y")
        #expect(request.value(of: "Authorization") == "secret")
        #expect(Handshake.offeredSubprotocols(request) == client.subprotocols)
        let response = try head(answer(request, subprotocol: "graphql-ws"), role: .client)
        #expect(try client.check(response) == "graphql-ws")
        let plain = try head(answer(request), role: .client)
        #expect(try client.check(plain) == nil)
    }

    @Test func `each handshake has a key of its own`() throws {
        var random = SeededRandom(seed: 5)
        var keys: Set<Text> = []
        for _ in 0..<20 {
            let client = ClientHandshake(subprotocols: [], random: &random)
            var bytes = ByteQueue()
            client.appendRequest(host: "h", target: "/", to: &bytes)
            let request = try head(String(decoding: bytes.array, as: UTF8.self), role: .server)
            keys.insert(try #require(request.value(of: "Sec-WebSocket-Key")))
            #expect(request.count(of: "Sec-WebSocket-Protocol") == 0)
        }
        #expect(keys.count == 20)
    }

    // B176
    @Test(arguments: [
        ("HTTP/1.1 101 ", "HTTP/1.1 200 ", HandshakeFailure.status(200)),
        ("HTTP/1.1 101 ", "HTTP/1.1 401 ", .status(401)), ("Upgrade: websocket\r\n", "", .upgrade),
        ("Upgrade: websocket", "Upgrade: h2c", .upgrade),
        ("Connection: Upgrade", "Connection: close", .connection),
        ("Accept: ", "Accept: x", .accept), ("Sec-WebSocket-Accept", "X", .accept),
        ("\r\n\r\n", "\r\nSec-WebSocket-Accept: x\r\n\r\n", .accept),
        ("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n", .extension),
        ("Protocol: a", "Protocol: c", .subprotocol), ("Protocol: a", "Protocol: A", .subprotocol),
        ("Protocol: a", "Protocol: a, b", .subprotocol), ("Protocol: a", "Protocol:", .subprotocol),
        ("\r\n\r\n", "\r\nSec-WebSocket-Protocol: a\r\n\r\n", .subprotocol),
    ])
    func `a wrong answer fails the client's handshake`(
        part: String, wrong: String, failure: HandshakeFailure
    ) throws {
        var random = SeededRandom(seed: 5)
        let client = ClientHandshake(subprotocols: ["a", "b"], random: &random)
        var bytes = ByteQueue()
        client.appendRequest(host: "h", target: "/", to: &bytes)
        let request = try head(String(decoding: bytes.array, as: UTF8.self), role: .server)
        let right = answer(request, subprotocol: "a")
        let start = try #require(right.firstRange(of: part))
        let spoiled = right.replacingCharacters(in: start, with: wrong)
        let response = try head(spoiled, role: .client)
        #expect(throws: failure) { _ = try client.check(response) }
        #expect(!failure.description.isEmpty)
    }
}

extension String {
    /// The string with a range replaced, without Foundation.
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
