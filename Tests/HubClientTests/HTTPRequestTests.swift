import Bytes
import HTTP1
import HubClient
import Loop
import Testing

/// Answers every request with a script's bytes, or says what it was sent.
private final class ScriptedServer: LoopHandler {
    private let loop: EventLoop
    private let script: String?
    private var reader = HTTPReader(role: .server, limits: HTTPLimits(bodyBytesMax: 1000))
    private var line = ""

    init(_ loop: EventLoop, script: String?) {
        self.loop = loop
        self.script = script
    }

    func accepted(_ connection: UInt64, peer: PeerAddress) {
        // The requests of a test come one after the other, each on its own connection.
        reader = HTTPReader(role: .server, limits: HTTPLimits(bodyBytesMax: 1000))
    }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        if let script {
            loop.write(connection, ByteQueue(script.utf8))
            return loop.close(connection, .afterFlush())
        }
        reader.append(UnsafeRawBufferPointer(bytes))
        while let event = try? reader.next() {
            switch event {
            case .head(let head):
                line = "\(head.method) \(head.target) \(head.value(of: "x-test") ?? "-") "
            case .body(let part): line += String(decoding: part, as: UTF8.self)
            case .end: answer(connection)
            case .continueExpected: break
            }
        }
    }

    func closed(_ connection: UInt64, _ reason: CloseReason) {}

    private func answer(_ connection: UInt64) {
        var output = ByteQueue()
        Array(line.utf8).withUnsafeBytes { body in
            HTTPWriter.appendResponse(
                status: 200, contentType: "text/plain", body: body, closes: true, to: &output)
        }
        loop.write(connection, output)
        loop.close(connection, .afterFlush())
    }
}

struct HTTPRequestTests {
    private func withServer(
        _ script: String? = nil, _ body: (Text) async throws -> Void
    ) async throws {
        var port: UInt16 = 0
        let poster = try EventLoop.start(name: "scripted server") { loop throws(LoopError) in
            port = try loop.listen(host: "127.0.0.1", port: 0)
            return ScriptedServer(loop, script: script)
        }
        defer { poster.stop() }
        try await body(Text("http://127.0.0.1:\(port)"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a request brings the whole answer`() async throws {
        try await withServer { url in
            let url = Text("\(url)/metrics?a=b")
            let read = try await HTTPRequest(.get, url, fields: [HTTPField("x-test", "1")]).send()
            #expect(read.head.status == 200)
            #expect(String(decoding: read.body, as: UTF8.self) == "GET /metrics?a=b 1 ")
            let written = try await HTTPRequest.json(url, Array(#"{"query":"{a}"}"#.utf8)).send()
            #expect(
                String(decoding: written.body, as: UTF8.self)
                    == #"POST /metrics?a=b - {"query":"{a}"}"#)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a body that ends with the connection is whole`() async throws {
        try await withServer("HTTP/1.1 404 Not Found\r\n\r\nnothing") { url in
            let answer = try await HTTPRequest(.get, url).send()
            #expect(answer.head.status == 404)
            #expect(String(decoding: answer.body, as: UTF8.self) == "nothing")
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut", "garbage\r\n\r\n", ""])
    func `an answer that is cut or not HTTP is an error`(script: String) async throws {
        try await withServer(script) { url in
            await #expect(throws: HubError.self) { try await HTTPRequest(.get, url).send() }
        }
    }

    @Test func `a URL that cannot be reached from here is an error`() async {
        for url in ["hub", "ftp://hub.example/"] as [Text] {
            await #expect(throws: HubError.self) { try await HTTPRequest(.get, url).send() }
        }
    }
}
