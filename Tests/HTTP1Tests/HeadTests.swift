import Bytes
import HTTP1
import Testing

@Suite struct HeadTests {
    @Test func `fields are found whatever their case`() throws {
        let head = try head("GET / HTTP/1.1\r\nHOST:h\r\nx-Api-KEY: \t secret \r\nEmpty:\r\n\r\n")
        #expect(head.value(of: "X-API-Key") == "secret")
        #expect(head.value(of: "empty") == "")
        #expect(head.value(of: "absent") == nil)
        #expect(head.withValue(of: "x-api-key", \.count) == 6)
        #expect(head.fieldCount == 3)
    }

    @Test(arguments: ["keep-alive, Upgrade", "Upgrade,keep-alive", "UPGRADE", " , upgrade ,,"])
    func `a member is found in a list of tokens`(list: String) throws {  // B048
        let head = try head("GET / HTTP/1.1\r\nHost: h\r\nConnection: \(list)\r\n\r\n")
        #expect(head.contains("upgrade", in: "connection"))
        #expect(!head.contains("grade", in: "connection"))
    }

    @Test func `lists over several lines are one list`() throws {
        let head = try head("GET / HTTP/1.1\r\nHost: h\r\nA: b, c\r\nX: y\r\na: d\r\n\r\n")
        #expect(head.members(of: "A") == ["b", "c", "d"])
        #expect(head.values(of: "A") == ["b, c", "d"])
        #expect(head.count(of: "A") == 2)
        #expect(head.contains("d", in: "A"))
        var lent: [String] = []
        head.forEachMember(of: "A") { lent.append(String(decoding: $0, as: UTF8.self)) }
        #expect(lent == ["b", "c", "d"])
        var names: [Text] = []
        head.forEachField { name, _ in names.append(name) }
        #expect(names == ["Host", "A", "X", "a"])
    }

    @Test(arguments: [
        ("Content-Length: 17", 17), ("Content-Length: 0", 0), ("Content-Length: 00", 0),
        ("Transfer-Encoding: chunked", nil), ("Content-Type: text/plain", 0),
    ])
    func `a head tells how long the body will be`(field: String, bytes: Int?) throws {
        let head = try head("POST / HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\n")
        #expect(head.bodyBytes == bytes)
    }

    @Test func `the target falls into path and query`() throws {
        let origin = try head("GET /graphql/realtime?header=e30%3D&p HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(origin.path == "/graphql/realtime")
        #expect(origin.query == "header=e30%3D&p")
        #expect(origin.isMethod("GET") && !origin.isMethod("get"))
        let star = try head("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(star.path == "*")
        #expect(star.query == "")
    }

    // B072
    @Test(arguments: ["http", "HTTP", "https", "ws", "wss"])
    func `an absolute target gives path and host`(scheme: String) throws {
        let one = try head("GET \(scheme)://hub:81/graphql?x HTTP/1.1\r\nHost: other\r\n\r\n")
        #expect(one.host == "hub:81")
        #expect(one.path == "/graphql")
        #expect(one.query == "x")
        let bare = try head("GET \(scheme)://[::1]?x HTTP/1.1\r\nHost: other\r\n\r\n")
        #expect(bare.host == "[::1]")
        #expect(bare.path == "/")
        #expect(bare.query == "x")
    }

    @Test func `the query's members are decoded`() throws {
        let head = try head(
            "GET /?query=%7Ba%7D&header=e30=&a+b=c+d&n&=v&&u=%C3%A9 HTTP/1.1\r\nHost: h\r\n\r\n")
        let items = try #require(head.queryItems())
        #expect(items.value(of: "query") == "{a}")
        #expect(items.value(of: "header") == "e30=")
        #expect(items.value(of: "a b") == "c d")
        #expect(items.value(of: "n") == "")
        #expect(items.value(of: "") == "v")
        #expect(items.value(of: "u") == "é")
        #expect(items.count == 6)
        #expect(head.queryItems(plusIsSpace: false)?.value(of: "a+b") == "c+d")
    }

    @Test(arguments: ["%", "%4", "%zz", "%ff", "a=%C3", "%ED%A0%80"])
    func `broken percent-encoding is refused`(query: String) throws {
        #expect(try head("GET /?\(query) HTTP/1.1\r\nHost: h\r\n\r\n").queryItems() == nil)
        #expect(PercentCoding.decode(Text(query)) == nil)
    }

    @Test func `percent-encoding goes there and back`() {
        let text: Text = "a/b?c=d&é ~+\u{0}€"
        var output = ByteQueue()
        PercentCoding.append(text, to: &output)
        let encoded = output.withBytes { Text(utf8: $0) }
        #expect(encoded == "a%2Fb%3Fc%3Dd%26%C3%A9%20~%2B%00%E2%82%AC")
        #expect(PercentCoding.decode(encoded) == text)
    }

    @Test func `a request is asked no status and a response no target`() throws {
        let request = try head("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(request.status == 0)
        let response = try head("HTTP/1.1 404 Nope\r\n\r\n", role: .client)
        #expect(response.status == 404)
        #expect(response.method == "" && response.target == "" && response.path == "")
        #expect(response.query == "" && response.host == "" && response.queryItems() == [])
        #expect(!response.isMethod("GET"))
    }
}
