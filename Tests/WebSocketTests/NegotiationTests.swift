import Bytes
import HTTP1
import Testing
import WebSocket

@Suite struct NegotiationTests {
    private static let base =
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    private func head(_ text: String, _ role: HTTPRole) throws -> HTTPHead {
        var reader = HTTPReader(
            role: role, limits: HTTPLimits(headBytesMax: 100_000, bodyBytesMax: 100))
        Array(text.utf8).withUnsafeBytes { reader.append($0) }
        guard case .head(let head) = try reader.next() else { throw HTTPError.cutShort }
        return head
    }

    /// The server's answer to lines of offers; nil if it declines.
    private func answer(_ lines: [String]) throws -> String? {
        let offers = lines.map { "Sec-WebSocket-Extensions: \($0)\r\n" }.joined()
        let request = try head(
            "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + offers + "\r\n", .server)
        var output = ByteQueue()
        try Handshake.accept(
            request, subprotocol: nil, deflate: Handshake.deflate(for: request), to: &output)
        let response = try head(String(decoding: output.array, as: UTF8.self), .client)
        return response.value(of: "Sec-WebSocket-Extensions")?.string
    }

    // B035, B037
    @Test(arguments: [
        ("permessage-deflate", ""), ("permessage-deflate; client_max_window_bits", ""),
        ("permessage-deflate; server_no_context_takeover", ""),
        ("permessage-deflate; client_no_context_takeover", ""),
        ("permessage-deflate;server_no_context_takeover;client_no_context_takeover", ""),
        ("permessage-deflate; client_max_window_bits=8", ""),
        ("permessage-deflate; client_max_window_bits=9", "; client_max_window_bits=9"),
        ("permessage-deflate; server_max_window_bits=9", "; server_max_window_bits=9"),
        ("permessage-deflate; server_max_window_bits=15", "; server_max_window_bits=15"),
        (
            "permessage-deflate; server_max_window_bits=10; client_max_window_bits=12",
            "; server_max_window_bits=10; client_max_window_bits=12"
        ),
        ("permessage-deflate ;\tserver_max_window_bits = \"11\"", "; server_max_window_bits=11"),
        ("permessage-deflate; server_max_window_bits=\"\\1\\2\"", "; server_max_window_bits=12"),
        // The first that will do, in the client's order.
        ("permessage-deflate; server_max_window_bits=8, permessage-deflate", ""),
        ("x; y=z, permessage-deflate, permessage-deflate; server_max_window_bits=9", ""),
        ("permessage-deflate; server_max_window_bits=16, ,permessage-deflate", ""),
        ("permessage-deflate; client_max_window_bits=7,permessage-deflate", ""),
        (", permessage-deflate ,", ""), ("bbf-usp-protocol;x=\"a\", permessage-deflate", ""),
    ])
    func `a legal offer is answered`(offer: String, more: String) throws {
        #expect(try answer([offer]) == Self.base + more)
    }

    // B035, B047
    @Test(arguments: [
        "server_max_window_bits=8", "server_max_window_bits=7", "server_max_window_bits=16",
        "server_max_window_bits=08", "server_max_window_bits=015", "server_max_window_bits=1",
        "server_max_window_bits=none", "server_max_window_bits=abc", "server_max_window_bits",
        "server_max_window_bits=99999999999999999999", "client_max_window_bits=7",
        "client_max_window_bits=16", "client_max_window_bits=08", "client_max_window_bits=none",
        "client_no_context_takeover=1", "server_no_context_takeover=true",
        "server_no_context_takeover; server_no_context_takeover",
        "client_no_context_takeover; client_no_context_takeover",
        "client_max_window_bits; client_max_window_bits=10",
        "server_max_window_bits=10; server_max_window_bits=10", "unknown", "unknown=1",
        "Server_No_Context_Takeover",
    ])
    func `an offer with illegal parameters is declined and the next one taken`(
        parameters: String
    ) throws {
        let bad = "permessage-deflate; " + parameters
        #expect(try answer([bad]) == nil)
        #expect(try answer([bad + ", permessage-deflate; client_max_window_bits"]) == Self.base)
        #expect(try answer([bad, "permessage-deflate"]) == Self.base)
    }

    // B045, RFC 6455 §9.1
    @Test(arguments: [
        "constructor", "__proto__", "a=b", ",;constructor", ";", "permessage-deflate;",
        "permessage-deflate; =1", "permessage-deflate; server_max_window_bits=",
        "permessage-deflate; server_max_window_bits=\"", "permessage-deflate; x=\"a\\",
        "permessage-deflate; server_max_window_bits=\"\"", "permessage-deflate x",
        "permessage-deflate; server_max_window_bits=1 0", "permessage-deflate, a=\"b",
        "permessage-deflate; client_max_window_bits=\"1 0\"", "permessage-deflate/1", "\"",
        "\u{e9}", String(repeating: "a", count: 4_000), "permessage-deflates",
        "Permessage-Deflate", "",
    ])
    func `what is no offer, or is malformed, is declined`(line: String) throws {
        #expect(try answer([line]) == nil)
    }

    // B046
    @Test func `odd lines take linear time`() throws {
        let quotes = "a; b=\"" + String(repeating: "\\\\", count: 3_500)
        #expect(try answer([quotes]) == nil)
        let parameters = "permessage-deflate" + String(repeating: "; a", count: 1_500)
        #expect(try answer([parameters]) == nil)
        let offers = String(repeating: "a, ", count: 3_000) + "permessage-deflate"
        #expect(try answer([offers]) == Self.base)
        let bad = String(repeating: "permessage-deflate;x,", count: 3_000)
        #expect(try answer([bad]) == nil)
    }

    @Test func `random lines never crash`() throws {
        var random = SeededRandom(seed: 4)
        let parts = [
            "permessage-deflate", ";", ",", "=", "\"", "\\", " ", "8", "10", "\t", "é",
            "server_max_window_bits", "client_max_window_bits", "server_no_context_takeover",
        ]
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...12, using: &random)
            let line = (0..<count).map { _ in parts.randomElement(using: &random)! }.joined()
            let answer = try answer([line])
            #expect(answer == nil || answer!.hasPrefix(Self.base))
        }
    }

    // MARK: Client

    /// What the client makes of an answer.
    private func check(
        _ extensions: [String], offers: Bool = true
    ) throws -> DeflateParameters? {
        var random = SeededRandom(seed: 5)
        let client = ClientHandshake(subprotocols: [], offersDeflate: offers, random: &random)
        var bytes = ByteQueue()
        client.appendRequest(host: "h", target: "/", to: &bytes)
        let request = try head(String(decoding: bytes.array, as: UTF8.self), .server)
        #expect((Handshake.deflate(for: request) != nil) == offers)
        bytes.removeAll()
        try Handshake.accept(
            request, subprotocol: nil,
            fields: extensions.map { HTTPField("Sec-WebSocket-Extensions", Text($0)) }, to: &bytes)
        let response = try head(String(decoding: bytes.array, as: UTF8.self), .client)
        _ = try client.check(response)
        return try client.deflate(in: response)
    }

    // B180
    @Test(arguments: 8...15)
    func `the client keeps to any window that the server allows it`(bits: Int) throws {
        for more in ["", "; client_no_context_takeover", "; server_max_window_bits=\(bits)"] {
            let agreed = try check([
                "permessage-deflate; server_no_context_takeover; client_max_window_bits=\(bits)"
                    + more
            ])
            #expect(agreed?.windowBits(of: .client) == (bits == 8 ? nil : bits))
        }
    }

    @Test func `the server's own answer is taken, and a declined offer too`() throws {
        let agreed = try check([Self.base])
        #expect(agreed?.windowBits(of: .client) == 15)
        #expect(agreed?.windowBits(of: .server) == 15)
        #expect(try check([]) == nil)
        #expect(try check([""]) == nil)
    }

    @Test(arguments: [
        "permessage-deflate", "permessage-deflate; client_no_context_takeover",
        "permessage-deflate; server_no_context_takeover; client_max_window_bits",
        "permessage-deflate; server_no_context_takeover; client_max_window_bits=16",
        "permessage-deflate; server_no_context_takeover; server_max_window_bits",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate; server_no_context_takeover; x", base + ", " + base, base + ", x",
        "permessage-deflate; server_no_context_takeover;",
    ])
    func `an answer that does not fit the offer fails the client's handshake`(
        answer: String
    ) throws {
        #expect(throws: HandshakeFailure.extensionParameters) { _ = try check([answer]) }
        #expect(throws: HandshakeFailure.extension) { _ = try check([answer], offers: false) }
    }

    @Test func `an extension that was not offered fails the client's handshake`() throws {
        #expect(throws: HandshakeFailure.extension) { _ = try check(["x"]) }
        #expect(throws: HandshakeFailure.extensionParameters) { _ = try check([Self.base, "x"]) }
    }
}
