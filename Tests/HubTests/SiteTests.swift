import Access
import Bytes
import Hub
import JSON
import Testing

/// Web pages from elsewhere and names that lead here: CORS, Origin, Host.
@Suite struct SiteTests {
    private static let page = "http://localhost:5173"
    private static let body = "{\"query\":\"{ __typename }\"}"

    private func rules(_ origins: Text..., names: [Text] = []) throws -> SiteRules {
        var rules = SiteRules()
        for origin in origins { try rules.admit(origin: origin) }
        for name in names { try rules.admit(hostName: name) }
        return rules
    }

    /// The whole answer, and whether the connection was closed behind it.
    private func answer(_ rig: Rig, _ request: String) -> (text: String, isClosed: Bool) {
        let connection = rig.open()
        rig.receive(connection, request)
        rig.settle()
        return (rig.takeText(connection), rig.outlet.closed[connection] != nil)
    }

    private func preflight(
        _ rig: Rig, origin: String, path: String = "/graphql", asking names: String? = nil
    ) -> String {
        let asked = names.map { "Access-Control-Request-Headers: \($0)\r\n" } ?? ""
        return answer(
            rig,
            "OPTIONS \(path) HTTP/1.1\r\nHost: hub:8080\r\nOrigin: \(origin)\r\n"
                + "Access-Control-Request-Method: POST\r\n\(asked)\r\n"
        ).text
    }

    private func upgrade(_ rig: Rig, host: String = "hub:8080", origins: String...) -> String {
        let lines = origins.map { "Origin: \($0)\r\n" }.joined()
        return answer(
            rig,
            "GET /graphql HTTP/1.1\r\nHost: \(host)\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\(lines)"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
        ).text
    }

    // MARK: CORS

    @Test func `a page that is let in is told what it may send`() throws {
        let rig = try Rig(
            policy: .apiKey(try APIKey(Text(Rig.key))),
            site: try rules("https://app.example", "http://localhost:5173"))
        for path in ["/graphql", "/graphql/realtime", "/graphql?x=y", "/healthz"] {
            let text = preflight(rig, origin: Self.page, path: path)
            #expect(text.hasPrefix("HTTP/1.1 204 No Content\r\n"), "\(text)")
            #expect(text.contains("\r\nAccess-Control-Allow-Origin: \(Self.page)\r\n"))
            #expect(text.contains("\r\nVary: Origin\r\n"))
            #expect(text.contains("\r\nAccess-Control-Max-Age: 7200\r\n"))
            #expect(!text.contains("Credentials"))
            #expect(!text.contains("Content-Length"))
            #expect(text.hasSuffix("\r\n\r\n"))
        }
        let text = preflight(rig, origin: Self.page)
        #expect(text.contains("\r\nAccess-Control-Allow-Methods: GET, HEAD, POST, OPTIONS\r\n"))
        for name in [
            "content-type", "authorization", "x-api-key", "x-amz-user-agent", "x-amz-date",
            "x-amz-security-token", "apollo-require-preflight",
        ] {
            #expect(text.contains("\(name),"), "\(name)")
        }
    }

    @Test func `what else a page asks to send is let through, if it is a name at all`() throws {
        let rig = try Rig(site: try rules("http://localhost:5173"))
        let text = preflight(
            rig, origin: Self.page, asking: "Content-Type,X-Mine, traceparent,,a b,x-mine,é")
        let line = try #require(
            text.split(separator: "\r\n").first { $0.hasPrefix("Access-Control-Allow-Headers: ") })
        #expect(line.hasSuffix("x-requested-with, x-mine, traceparent"))
    }

    @Test func `answers to a page that is let in may be read by it, errors too`() throws {
        let rig = try Rig(
            policy: .apiKey(try APIKey(Text(Rig.key))), site: try rules("http://localhost:5173"))
        let origin = "Origin: \(Self.page)\r\n"
        let key = "x-api-key: \(Rig.key)\r\n"
        for (request, status) in [
            (Rig.request(Self.body, headers: origin + key), 200),
            (Rig.request(Self.body, headers: origin), 401),
            (Rig.request("not JSON", headers: origin + key), 400),
            (Rig.request(Self.body, headers: "\(origin)\(key)Accept: text/html\r\n"), 406),
            ("GET /nothing HTTP/1.1\r\nHost: hub\r\n\(origin)\r\n", 404),
            ("PUT /graphql HTTP/1.1\r\nHost: hub\r\n\(origin)Content-Length: 0\r\n\r\n", 405),
            ("GET /healthz HTTP/1.1\r\nHost: hub\r\n\(origin)\r\n", 200),
            (
                "POST /graphql HTTP/1.1\r\nHost: hub\r\n\(origin)\(key)"
                    + "Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n", 413
            ),
        ] {
            let text = answer(rig, request).text
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
            #expect(text.contains("\r\nAccess-Control-Allow-Origin: \(Self.page)\r\n"))
            #expect(text.contains("\r\nVary: Origin\r\n"))
        }
    }

    @Test(arguments: [
        "http://localhost:5174", "https://localhost:5173", "http://evil.example", "null",
        "http://localhost:5173.evil.example", "http://localhost", "", "*",
        "http://localhost:5173, http://localhost:5173", "http://localhost:5173/",
    ])
    func `another page is not let in and is told what its operator may do`(
        origin: String
    ) throws {
        let rig = try Rig(site: try rules("http://localhost:5173"))
        let refused = preflight(rig, origin: origin)
        #expect(refused.hasPrefix("HTTP/1.1 403 "), "\(refused)")
        #expect(refused.contains("--cors-origin"))
        #expect(!refused.contains("Access-Control"))
        // A browser that does not ask before shows the page nothing of the answer.
        let simple = answer(
            rig,
            "GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: hub\r\n"
                + "Origin: \(origin)\r\n\r\n"
        ).text
        #expect(simple.hasPrefix("HTTP/1.1 200 "))
        #expect(!simple.contains("Access-Control"))
        #expect(simple.contains("\r\nVary: Origin\r\n"))
    }

    @Test func `caches are told of the origin also where none is named`() throws {
        let text = answer(
            try Rig(site: try rules("http://localhost:5173")), Rig.request(Self.body)
        ).text
        #expect(text.contains("\r\nVary: Origin\r\n"))
        #expect(!text.contains("Access-Control"))
    }

    @Test func `without an origin that is let in nothing is said of any`() throws {
        let rig = try Rig()
        let texts = [
            answer(rig, Rig.request(Self.body, headers: "Origin: \(Self.page)\r\n")).text,
            preflight(rig, origin: Self.page),
        ]
        for text in texts {
            #expect(!text.contains("Access-Control"))
            #expect(!text.contains("Vary"))
        }
        #expect(texts[1].hasPrefix("HTTP/1.1 403 "))
    }

    @Test func `all pages are let in where the operator says so`() throws {
        let rig = try Rig(site: try rules("*"))
        for origin in [Self.page, "null", "https://anywhere.example"] {
            let text = preflight(rig, origin: origin)
            #expect(text.hasPrefix("HTTP/1.1 204 "))
            #expect(text.contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
            #expect(upgrade(rig, origins: origin).hasPrefix("HTTP/1.1 101 "))
        }
        let text = answer(rig, Rig.request(Self.body)).text
        #expect(text.contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
        #expect(!text.contains("Vary"))
    }

    // MARK: Sockets

    @Test(arguments: [
        ("hub:8080", "http://hub:8080"), ("hub:8080", "ws://hub:8080"),
        ("hub", "https://hub"), ("hub:443", "https://hub"), ("HUB", "http://hub"),
        ("[::1]:8080", "http://[::1]:8080"),
    ])
    func `a page of the hub's own host, and who names it, opens sockets`(
        host: String, origin: String
    ) throws {
        #expect(upgrade(try Rig(), host: host, origins: origin).hasPrefix("HTTP/1.1 101 "))
        // Clients that are no browsers name it too, whatever pages are let in besides.
        let rig = try Rig(site: try rules("https://app.example"))
        #expect(upgrade(rig, host: host, origins: origin).hasPrefix("HTTP/1.1 101 "))
    }

    @Test func `a client that names no origin opens sockets`() throws {
        #expect(upgrade(try Rig()).hasPrefix("HTTP/1.1 101 "))
        let rig = try Rig(site: try rules("https://app.example"))
        #expect(upgrade(rig).hasPrefix("HTTP/1.1 101 "))
        #expect(upgrade(rig, origins: "https://app.example").hasPrefix("HTTP/1.1 101 "))
        #expect(upgrade(rig, origins: "https://APP.example:443").hasPrefix("HTTP/1.1 101 "))
        #expect(rig.shard.counters.originsRefused == 0)
    }

    @Test(arguments: [
        ("http://localhost:5173", "--cors-origin http://localhost:5173 to let them in"),
        ("http://evil.example", "--cors-origin http://evil.example to let them in"),
        ("null", "without an origin of their own"), ("", "without an origin of their own"),
        ("http://hub:8080/", "without an origin of their own"),
        ("http://hub", "--cors-origin http://hub to let them in"),
        ("capacitor://hub:8080", "--cors-origin capacitor://hub:8080 to let them in"),
    ])
    func `a page of another origin opens no socket and is told the way`(
        origin: String, says: String
    ) throws {
        let rig = try Rig()
        let connection = rig.open()
        rig.receive(
            connection,
            "GET /graphql HTTP/1.1\r\nHost: hub:8080\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nOrigin: \(origin)\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                + Rig.request(Self.body))
        let text = rig.takeText(connection)
        #expect(text.hasPrefix("HTTP/1.1 403 "), "\(text)")
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.contains(says))
        #expect(rig.outlet.closed[connection] == true)
        #expect(rig.shard.counters.originsRefused == 1)
    }

    @Test func `the operator is told of refusals, of each kind once a minute`() throws {
        let rig = try Rig(site: try rules(names: ["hub.example"]))
        for origin in ["http://a.example", "http://b.example", "http://a.example"] {
            _ = upgrade(rig, host: "hub.example", origins: origin)
            _ = preflight(rig, origin: origin)
        }
        _ = upgrade(rig, host: "evil.example")
        #expect(
            rig.outlet.notices == [
                "pages of http://a.example are not let in: start the hub with --cors-origin "
                    + "http://a.example to let them in",
                "this hub is not known as hub: if that name is yours, start it with --host-name hub",
            ])
        #expect(rig.shard.counters.originsRefused == 3)
        #expect(rig.shard.counters.misdirected == 4)
        rig.nanoseconds += 60_000_000_000
        _ = upgrade(rig, host: "hub.example", origins: "http://b.example")
        #expect(rig.outlet.notices.count == 3)
        #expect(rig.outlet.notices.last?.contains("http://b.example") == true)
    }

    @Test func `two origins are none`() throws {
        let rig = try Rig(site: try rules("https://app.example"))
        let text = upgrade(rig, origins: "https://app.example", "https://app.example")
        #expect(text.hasPrefix("HTTP/1.1 403 "))
    }

    // MARK: Host

    @Test(arguments: [
        ("127.0.0.1:8080", 200), ("127.9.9.9", 200), ("localhost:8080", 200), ("LOCALHOST", 200),
        ("app.localhost", 200), ("[::1]:8080", 200), ("[2001:db8::1]:8443", 200),
        ("192.0.2.1", 200), ("hub.example:1", 200), ("HUB.example.", 200),
        ("evil.example", 421), ("evil.example:8080", 421), ("x.hub.example", 421),
        ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421), ("", 421),
    ])
    func `a hub that knows its names is asked under no other`(
        host: String, status: Int
    ) throws {
        let rig = try Rig(site: try rules(names: ["Hub.Example"]))
        let post = Rig.request(Self.body).replacing("Host: hub\r\n", with: "Host: \(host)\r\n")
        let (text, isClosed) = answer(rig, post)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        #expect(isClosed == (status == 421))
        let name = host.split(separator: ":").first ?? ""
        #expect(status == 200 || host.isEmpty || text.contains("start it with --host-name \(name)"))
        let socket = upgrade(rig, host: host)
        #expect(socket.hasPrefix("HTTP/1.1 \(status == 200 ? 101 : 421) "))
        // Load balancers ask by whatever name they have.
        let health = answer(rig, "GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n").text
        #expect(health.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `an absolute target says whom the request is for`() throws {
        let rig = try Rig(site: try rules(names: ["hub.example"]))
        func get(_ target: String, host: String) -> String {
            answer(rig, "GET \(target)?query=%7B__typename%7D HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                .text
        }
        #expect(get("http://hub.example/graphql", host: "evil").hasPrefix("HTTP/1.1 200 "))
        #expect(get("http://evil/graphql", host: "hub.example").hasPrefix("HTTP/1.1 421 "))
    }

    @Test func `without names of its own a hub is asked under any, with local ones under those`()
        throws
    {
        let text = Rig.request(Self.body)
        #expect(answer(try Rig(), text).text.hasPrefix("HTTP/1.1 200 "))
        var local = SiteRules()
        local.admitLocalNamesOnly()
        #expect(answer(try Rig(site: local), text).text.hasPrefix("HTTP/1.1 421 "))
        #expect(
            answer(
                try Rig(site: local), text.replacing("Host: hub\r\n", with: "Host: localhost\r\n")
            )
            .text.hasPrefix("HTTP/1.1 200 "))
    }

    // MARK: The operator's side

    @Test(arguments: [
        "", "null", "app.example", "https://app.example/", "https://app.example/path", "https://",
        "https://*.app.example", "app.example:443", "https://bücher.example",
        "https://a.example https://b.example", "https://a.example,https://b.example",
    ])
    func `what is no origin cannot be let in`(text: Text) {
        var rules = SiteRules()
        #expect(throws: SiteRuleError.self) { try rules.admit(origin: text) }
        #expect(rules == SiteRules())
    }

    @Test(arguments: ["", "hub.example:80", "http://hub.example", "hub/x", "*", "[::1", "bücher"])
    func `what is no name cannot be asked under`(text: Text) {
        var rules = SiteRules()
        #expect(throws: SiteRuleError.self) { try rules.admit(hostName: text) }
        #expect(rules == SiteRules())
    }
}
