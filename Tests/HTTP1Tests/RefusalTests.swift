import Bytes
import HTTP1
import Testing

/// One request and the status it is refused with.
struct Refusal: Sendable, CustomTestStringConvertible {
    var status: Int
    var text: String
    var testDescription: String { "\(status): \(text.debugDescription.prefix(60))" }

    init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }

    /// A POST with these field lines and this body.
    init(_ status: Int, fields: String, body: String = "") {
        self.init(status, "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)")
    }
}

@Suite struct RefusalTests {
    @Test(arguments: [
        Refusal(
            400, fields: "Content-Length: 5\r\nTransfer-Encoding: chunked",
            body: "0\r\n\r\nGET /admin HTTP/1.1\r\nHost: h\r\n\r\n"),
        Refusal(400, fields: "Transfer-Encoding: chunked\r\nContent-Length: 0"),
        Refusal(501, fields: "Transfer-Encoding: xchunked"),
        Refusal(501, fields: "Transfer-Encoding: gzip, chunked"),
        Refusal(501, fields: "Transfer-Encoding: identity"),
        Refusal(400, fields: "Transfer-Encoding: chunked, identity"),
        Refusal(400, fields: "Transfer-Encoding: chunked, chunked"),
        Refusal(400, fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        Refusal(400, fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"),
        Refusal(400, fields: "Transfer-Encoding : chunked"),
        Refusal(400, fields: "Transfer-Encoding: \u{b}chunked"),
        Refusal(400, fields: "Transfer-Encoding:"),
        Refusal(400, fields: "Transfer-Encoding: ,chunked"),
        Refusal(400, fields: "Transfer-Encoding: chunked,"),
        Refusal(400, fields: "Transfer-Encoding:\r\nTransfer-Encoding: chunked"),
        Refusal(501, fields: "Transfer-Encoding: chunked;q=1"),
        Refusal(501, fields: "Transfer-Encoding: \"chunked\""),
        Refusal(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ])
    func `an unclear transfer coding is refused`(refusal: Refusal) {  // B066, B067
        expect(refusal)
    }

    @Test(arguments: [
        "24\r\nContent-Length: 25", "24\r\nContent-Length: 24", "24, 9", "24, 24", "+24", "-1",
        "0x18", "2\r\n 4", "", "24 1", "24;", "2_4", "999999999999999999999999999999", "\u{665}",
        "18446744073709551615", "18446744073709551616", "9223372036854775808",
    ])
    func `a length that is not one number is refused`(length: String) {  // B068, B083
        expect(Refusal(400, fields: "Content-Length: \(length)", body: "x"))
    }

    @Test(arguments: ["1001", "1099511627776", "9223372036854775807", "0001001"])
    func `an announced body over the limit is refused at the head`(length: String) {  // B083
        let events = reading("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
        #expect(events.first == "head POST /")
        #expect(events.last?.hasPrefix("error 413 body of ") == true)
    }

    @Test(arguments: [
        "5\nhello\r\n0\r\n\r\n", "+5\r\nhello", "0x5\r\nhello", "5\r\nhello0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n", "-1\r\n", "17 F\r\n", "zz\r\n", "\r\nhello", " 5\r\nhello",
        "5 \r\nhello", "5\r\nhelloX\r\n", "5\rhello", "fffffffffffffffff\r\n", ";x\r\n",
        "5;a\u{0}b\r\nhello", "5;a\nb\r\nhello", "0\r\n folded: x\r\n\r\n", "0\r\nno colon\r\n\r\n",
        "0\r\nX : y\r\n\r\n", "0\n\r\n", "0\r\n\n", "5;\r\nhello", "5;;a\r\nhello",
        "5;a=\r\nhello", "5;a b\r\nhello", "5;a=b c\r\nhello", "5;a=\"b\r\nhello",
        "5;a=\"b\"c\r\nhello", "5;a=\"b\\\r\nhello", "5;a \r\nhello", "5;=b\r\nhello",
        "0;\r\n\r\n",
    ])
    func `a lenient chunk is refused`(body: String) {  // B069
        expect(Refusal(400, fields: "Transfer-Encoding: chunked", body: body))
    }

    @Test(arguments: [
        "5\r\nhello\r\n0\r\n\r\n", "05\r\nhello\r\n000\r\n\r\n",
        "2;a=b;c=\"d\"\r\nhe\r\n3 ; x\r\nllo\r\n0\r\nX: y\r\nZ:\r\n\r\n",
        "5\t; a = \"\\\";,\té\" ;b\r\nhello\r\n0;last\r\n\r\n",
    ])
    func `a chunk by the letter is taken`(body: String) {
        #expect(
            reading("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n\(body)") == [
                "head POST /", "body hello", "end",
            ])
    }

    @Test func `an endless chunked body ends at the limit`() {  // B083
        let chunk = "64\r\n" + String(repeating: "x", count: 100) + "\r\n"
        let start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let events = reading(start + String(repeating: chunk, count: 20))
        #expect(events.last == "error 413 body is over the limit of 1000 bytes")
        #expect(events[1].utf8.count == "body ".utf8.count + 1_000)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a:8x\r\n\r\n", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]8\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", "GET / HTTP/1.1\r\nHost: é\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: :80\r\n\r\n", "GET / HTTP/1.1\r\nHost: a%4\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [a]\r\n\r\n", "GET / HTTP/1.1\r\nHost: [::g]\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]:65536\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: http://a\r\n\r\n",
    ])
    func `a missing, doubled or malformed host is refused`(text: String) {  // B070
        expect(Refusal(400, text))
    }

    @Test(arguments: [
        "[::1]:8080", "[::1]", "localhost", "HUB.Example:443", "[2001:db8::1]:8443", "127.0.0.1",
        "a_b-c.d:1", "", "xn--bcher-kva.example", "hub:", "hub:65535", "hub:00080",
        "[fe80::1%25eth0]", "[::ffff:192.0.2.1]:1", "hub.", "b%C3%BCcher",
    ])
    func `a host by the letter is taken`(host: String) throws {  // B071
        #expect(try head("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").host.string == host)
    }

    @Test(arguments: [
        "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET / / HTTP/1.1", "GET",
        "GET /", "GET\t/ HTTP/1.1", "G@T / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1.10",
        "GET / HTTP/11", "GET / XTTP/1.1", "GET x HTTP/1.1", "GET * HTTP/1.1", "GET  HTTP/1.1",
        "GET /a#b HTTP/1.1", "GET /é HTTP/1.1", "GET ftp://a/ HTTP/1.1", "GET http:///x HTTP/1.1",
        "GET http://u@h/ HTTP/1.1", "GET http://:80/ HTTP/1.1", "GET http://h:x/ HTTP/1.1",
        "GET http://?q HTTP/1.1", "OPTIONS *x HTTP/1.1", "POST * HTTP/1.1", "",
        "/ HTTP/1.1", "GET /\u{7f} HTTP/1.1",
    ])
    func `a malformed request line is refused`(line: String) {
        let empty = String(repeating: "\r\n", count: 5)
        expect(Refusal(400, "\(line.isEmpty ? empty : line)\r\nHost: h\r\n\r\n"))
    }

    @Test(arguments: [
        Refusal(505, "GET / HTTP/2.0\r\nHost: h\r\n\r\n"), Refusal(505, "GET / HTTP/9.9\r\n"),
        Refusal(501, "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n"),
        Refusal(417, fields: "Expect: 200-ok"),
        Refusal(417, fields: "Expect: 100-continue, 100-continue"),
        Refusal(414, "GET /\(String(repeating: "x", count: 8_192)) HTTP/1.1\r\nHost: h\r\n\r\n"),
        Refusal(414, String(repeating: "A", count: 20_000)),
        Refusal(431, fields: String(repeating: "A: b\r\n", count: 100) + "C: d"),
        Refusal(431, fields: "\(String(repeating: "n", count: 70_000)): x"),
        Refusal(431, fields: "A: \(String(repeating: "v", count: 1_048_576))"),
    ])
    func `each limit and unknown thing has its status`(refusal: Refusal) {  // B059
        expect(refusal)
    }

    @Test(arguments: [
        "A b: c", ": c", "A", "A:\u{0}", "A: b\rc", "A: b\u{1}", "é: x", "A(: x", " A: b",
        "A: b\r\n c", "A: b\r\n\tc", "A : b", "A\t: b",
    ])
    func `a malformed field line is refused`(line: String) {
        expect(Refusal(400, fields: line))
    }

    // B085
    @Test func `foreign protocols end in an error at once`() {
        #expect(reading([[0x16, 0x03, 0x01]]).last?.hasPrefix("error 400") == true)
        #expect(reading("PRI * HTTP/2.0\r\n").last?.hasPrefix("error 505") == true)
        #expect(reading("SSH-2.0-OpenSSH_9.2p1\r\n").last?.hasPrefix("error 400") == true)
        #expect(reading([[0]]).last?.hasPrefix("error 400") == true)
        #expect(reading("GET\r\n").last?.hasPrefix("error 400") == true)
    }

    @Test func `random bytes end in an error or wait, and never crash`() {
        var random = SeededRandom(seed: 7)
        let seedHead = "POST /a?b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let seedText = Array((seedHead + "5\r\nhello\r\n0\r\n\r\n").utf8)
        for round in 0..<2_000 {
            var bytes = (0..<80).map { _ in UInt8.random(in: 0...255, using: &random) }
            if round % 2 == 0 {
                bytes = seedText
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                        UInt8.random(in: 0...127, using: &random)
                }
            }
            let middle = Int.random(in: 0..<bytes.count, using: &random)
            let cut = [Array(bytes[..<middle]), Array(bytes[middle...])]
            #expect(reading(cut, ends: true) == reading([bytes], ends: true))
        }
    }

    @Test func `a refused reader refuses for ever`() {
        var reader = HTTPReader(role: .server, limits: testLimits)
        for text in ["GET\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\r\n"] {
            Array(text.utf8).withUnsafeBytes { reader.append($0) }
            #expect(throws: HTTPError.malformedStartLine) { _ = try reader.next() }
        }
        #expect(reader.waitingBytes == 0)
    }

    private func expect(_ refusal: Refusal) {
        let events = reading(refusal.text)
        #expect(events.last?.hasPrefix("error \(refusal.status) ") == true, "\(events)")
        #expect(events.filter { $0.hasPrefix("head ") }.count <= 1)
    }
}
