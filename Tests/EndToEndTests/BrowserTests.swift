import Foundation
import Testing

/// The built binary as browsers meet it: pages of other origins, names that lead here.
@Suite(.serialized) struct BrowserTests {
    private static let page = "http://localhost:5173"

    private func answer(_ hub: RunningHub, _ head: String, body: String = "") throws -> String {
        let connection = try RawConnection(port: hub.port)
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        try connection.send("\(head)\(length)Connection: close\r\n\r\n\(body)")
        return try connection.takeAll()
    }

    private func upgrade(_ hub: RunningHub, origin: String?) throws -> String? {
        let connection = try RawConnection(port: hub.port)
        let line = origin.map { "Origin: \($0)\r\n" } ?? ""
        try connection.send(
            "GET /graphql HTTP/1.1\r\nHost: localhost:\(hub.port)\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\(line)"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        return try connection.take(through: "\r\n")
    }

    @Test func `a page whose origin is named reads answers and opens sockets`() throws {
        let hub = try RunningHub([
            "--memory", "--api-key", testKey, "--cors-origin", Self.page, "--cors-origin",
            "https://app.example",
        ])
        let host = "Host: localhost:\(hub.port)\r\nOrigin: \(Self.page)\r\n"
        let asked = try answer(
            hub,
            "OPTIONS /graphql HTTP/1.1\r\n\(host)Access-Control-Request-Method: POST\r\n"
                + "Access-Control-Request-Headers: content-type,x-api-key,x-own\r\n")
        #expect(asked.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        let posted = try answer(
            hub,
            "POST /graphql HTTP/1.1\r\n\(host)Content-Type: application/json\r\n"
                + "x-api-key: \(testKey)\r\n", body: #"{"query":"{ __typename }"}"#)
        #expect(posted.hasPrefix("HTTP/1.1 200 OK\r\n"))
        for text in [asked, posted] {
            #expect(text.contains("\r\nAccess-Control-Allow-Origin: \(Self.page)\r\n"))
            #expect(text.contains("\r\nVary: Origin\r\n"))
        }
        #expect(asked.contains("x-api-key, ") && asked.contains(", x-own\r\n"))
        for origin in [Self.page, "https://app.example", "http://localhost:\(hub.port)", nil] {
            #expect(try upgrade(hub, origin: origin) == "HTTP/1.1 101 Switching Protocols\r\n")
        }
        #expect(
            try upgrade(hub, origin: "http://evil.example") == "HTTP/1.1 403 Forbidden\r\n")
        try hub.stop()
        #expect(
            hub.program.standardError.contains("  pages    \(Self.page), https://app.example\n"))
    }

    @Test func `a hub without a key is asked under local names and those it is given`() throws {
        let hub = try RunningHub(["--memory", "--no-auth", "--host-name", "hub.example"])
        for (host, status) in [
            ("localhost", 200), ("hub.example:80", 200), ("127.0.0.1", 200), ("evil.example", 421),
        ] {
            let text = try answer(
                hub, "GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: \(host)\r\n")
            #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        }
        try hub.stop()
        #expect(hub.program.standardError.contains("  names    hub.example\n"))
    }
}
