import Bytes
import HTTP1
import Testing

@Suite struct OriginTests {
    @Test(arguments: [
        ("http://localhost:5173", "http://localhost:5173"), ("HTTPS://App.Example", nil),
        ("https://app.example:443", "https://app.example"),
        ("http://app.example:80", "http://app.example"),
        ("https://app.example:80", "https://app.example:80"),
        ("ws://hub:80", "ws://hub"), ("wss://hub", "wss://hub"),
        ("http://[::1]:5173", "http://[::1]:5173"), ("http://127.0.0.1:1", "http://127.0.0.1:1"),
        ("capacitor://localhost", "capacitor://localhost"),
        ("chrome-extension://abcdef", "chrome-extension://abcdef"),
        ("https://app.example.", "https://app.example"),
    ])
    func `an origin is read and written as browsers write it`(
        text: String, written: String?
    ) throws {
        let origin = try #require(WebOrigin(Text(text)))
        #expect(origin.description == written ?? text.lowercased())
        #expect(WebOrigin(Text(origin.description)) == origin)
    }

    @Test(arguments: [
        "", "null", "*", "localhost", "localhost:5173", "http://", "http:///", "http://a/",
        "http://a/b", "http://a?b", "http://a#b", "http://u@a", "http://a b", "http://a:x",
        "http://a:65536", "http://:80", "://a", "1http://a", "ht tp://a", "http://bücher",
        "http://a, http://b", "http://a http://b", "http//a", " http://a", "http://a ",
        "http://" + String(repeating: "a", count: 600),
    ])
    func `what is no origin is not read`(text: String) {
        #expect(WebOrigin(Text(text)) == nil)
    }

    @Test(arguments: [
        ("http://hub:8080", "hub:8080", true), ("http://HUB:8080", "Hub:8080", true),
        ("https://hub", "hub", true), ("https://hub", "hub:443", true), ("http://hub", "hub", true),
        ("ws://hub:8080", "hub:8080", true), ("wss://hub", "hub:443", true),
        ("http://[::1]:80", "[::1]", true), ("https://hub", "hub.", true),
        // Behind a proxy that speaks TLS the hub is asked in the clear.
        ("https://hub:8443", "hub:8443", true),
        ("http://hub:5173", "hub:8080", false), ("http://hub", "hub:443", false),
        ("https://hub", "hub:80", false), ("http://evil.example", "hub", false),
        ("http://hub.evil.example", "hub", false), ("app://hub", "hub", false),
        ("http://localhost", "127.0.0.1", false), ("http://xhub", "hub", false),
    ])
    func `a page of the same host and port is told from others`(
        origin: String, host: String, isSame: Bool
    ) throws {
        let authority = try #require(Authority(Text(host)))
        #expect(try #require(WebOrigin(Text(origin))).isSame(as: authority) == isSame)
    }

    @Test(arguments: [
        ("hub", "hub", nil), ("HUB.Example:80", "hub.example", 80), ("hub.", "hub", nil),
        ("hub:", "hub", nil), ("[2001:DB8::1]:8443", "[2001:db8::1]", 8_443), (".", ".", nil),
    ])
    func `an authority is host and port`(text: String, host: String, port: UInt16?) throws {
        let authority = try #require(Authority(Text(text)))
        #expect(authority.host.string == host)
        #expect(authority.port == port)
    }

    @Test(arguments: ["", ":80", "a/b", "a:b", "a:1:2", "[::1", "[::1]x", "a@b", "a,b"])
    func `what is no authority is not read`(text: String) {
        #expect(Authority(Text(text)) == nil)
    }

    @Test func `addresses and local names are told from names that lead anywhere`() {
        func authority(_ text: Text) -> Authority? { Authority(text) }
        for text: Text in ["127.0.0.1:80", "[::1]", "[2001:db8::1]:8443", "192.0.2.255", "0.0.0.0"]
        {
            #expect(authority(text)?.isAddress == true)
            #expect(authority(text)?.isLocalName == false)
        }
        for text: Text in ["localhost", "LOCALHOST:8080", "a.localhost", "localhost."] {
            #expect(authority(text)?.isAddress == false)
            #expect(authority(text)?.isLocalName == true)
        }
        for text: Text in [
            "127.0.0.1.evil.example", "256.1.1.1", "1.2.3", "1.2.3.4.5", "0x7f.0.0.1", "1..2.3",
            "evillocalhost", "localhost.evil.example", "1.2.3.0004",
        ] {
            #expect(authority(text)?.isAddress == false)
            #expect(authority(text)?.isLocalName == false)
        }
    }
}
