import Bytes
import HTTP1
import Testing

@Suite struct RequestTests {
    @Test func `a request without body is a head and an end`() {
        #expect(
            reading("GET /graphql?a=b HTTP/1.1\r\nHost: hub\r\n\r\n") == [
                "head GET /graphql?a=b", "end",
            ])
    }

    @Test func `a request with a length has that body`() {
        #expect(
            reading("POST / HTTP/1.1\r\nHost: hub\r\nContent-Length: 5\r\n\r\nhello") == [
                "head POST /", "body hello", "end",
            ])
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: hub\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: hub\r\nContent-Length: 5\r\n\r\nhello",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            + "C;x=\"y\"\r\n, wide world\r\n0\r\nDigest: x\r\n\r\n"
            + "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "\r\n\r\nHEAD / HTTP/1.1\r\nhost:hub\r\n\r\nOPTIONS * HTTP/1.1\r\nHOST: hub\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhiGET",
        "GET / HTTP/1.1\r\nHost: hub\nX: y\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/2.0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhellooo\r\n",
    ])
    func `all cuts of the bytes give the same events`(text: String) {
        #expect(isSameForAllCuts(Array(text.utf8)))
        #expect(isSameForAllCuts(Array(text.utf8), ends: true))
    }

    @Test func `limits are reached at the same byte however the bytes are cut`() {
        let limits = HTTPLimits(
            headBytesMax: 200, fieldCountMax: 3, targetBytesMax: 20, bodyBytesMax: 10)
        let long = String(repeating: "x", count: 300)
        for text in [
            "GET /\(long) HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: \(long)\u{1}\r\n\r\n",
            "GET / HTTP/1.1\r\nA:\r\nB:\r\nC:\r\nD:\r\n\r\n", "\(long)\u{7f}",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;\(long)\r\nhello",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: \(long)\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n",
        ] {
            #expect(isSameForAllCuts(Array(text.utf8), limits: limits))
            #expect(reading([Array(text.utf8)], limits: limits).last?.hasPrefix("error 4") == true)
        }
    }

    // B075
    @Test func `two and a half requests in one piece are read in order, the rest later`() {
        let request = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"
        let half = request.prefix(20)
        let rest = request.dropFirst(20)
        let one = ["head POST /", "body hi", "end"]
        #expect(
            reading([Array((request + request + half).utf8), Array(rest.utf8)])
                == one + one + one)
    }

    @Test func `a piped request waits until it is pulled`() throws {
        var reader = HTTPReader(role: .server, limits: testLimits)
        let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        Array((request + request).utf8).withUnsafeBytes { reader.append($0) }
        _ = try reader.next()
        _ = try reader.next()
        #expect(reader.waitingBytes == request.utf8.count)
        #expect(!reader.isBetweenMessages)
        _ = try reader.next()
        _ = try reader.next()
        #expect(reader.isBetweenMessages)
    }

    // B065
    @Test func `nothing is read behind a request that closes the connection`() {
        for field in ["Connection: close", "Connection: x, CLOSE ,y"] {
            let request = "GET /1 HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\n"
            #expect(
                reading(request + "GET /2 HTTP/1.1\r\nHost: h\r\n\r\n") == ["head GET /1", "end"])
        }
        #expect(
            reading("GET /1 HTTP/1.0\r\n\r\nGET /2 HTTP/1.0\r\n\r\n") == ["head GET /1", "end"])
    }

    @Test func `HTTP 1_0 keeps the connection only when asked to`() throws {
        #expect(try !head("GET / HTTP/1.0\r\n\r\n").keepsConnection)
        #expect(try head("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keepsConnection)
        #expect(try head("GET / HTTP/1.1\r\nHost: h\r\n\r\n").keepsConnection)
        #expect(try head("GET / HTTP/1.7\r\nHost: h\r\n\r\n").minorVersion == 1)
    }

    // B074
    @Test func `a client that waits for leave is an event before the body`() {
        #expect(
            reading(
                "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nhi"
            ) == ["head POST /", "continue?", "body hi", "end"])
        #expect(
            reading("GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n") == [
                "head GET /", "end",
            ])
        #expect(
            reading("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx") == [
                "head POST /", "body x", "end",
            ])
    }

    @Test func `a body over the limit is refused before leave to send it is given`() {
        #expect(
            reading(
                "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n"
            ) == ["head POST /", "error 413 body of 1001 bytes is over the limit of 1000"])
    }

    @Test func `the body's limit may be changed behind the head`() throws {
        var reader = HTTPReader(role: .server, limits: testLimits)
        Array("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\nx".utf8)
            .withUnsafeBytes { reader.append($0) }
        _ = try reader.next()
        reader.limits.bodyBytesMax = 2_000
        guard case .body(let part) = try reader.next() else {
            Issue.record("no body")
            return
        }
        #expect(part.elementsEqual("x".utf8))
    }

    @Test func `an ended connection is an error inside a message only`() {
        #expect(reading("", ends: true) == [])
        #expect(reading("GET / HTTP/1.1\r\nHost: h\r\n\r\n", ends: true) == ["head GET /", "end"])
        for text in ["GET / HT", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nx"] {
            #expect(
                reading(text, ends: true).last == "error 400 connection ended inside a message")
        }
    }

    @Test func `what comes behind an upgrade is handed over`() throws {
        var reader = HTTPReader(role: .server, limits: testLimits)
        Array("GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\n\u{1}frame".utf8)
            .withUnsafeBytes { reader.append($0) }
        _ = try reader.next()
        #expect(reader.takeRest().array == Array("\u{1}frame".utf8))
        #expect(try reader.next() == nil)
    }
}
