import Bytes
import HTTP1
import Testing

@Suite struct ResponseTests {
    @Test func `a response with a length has that body`() {
        #expect(
            reading("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", role: .client) == [
                "head 200", "body hi", "end",
            ])
    }

    @Test func `a response without length ends with the connection`() {
        let text = "HTTP/1.1 200\r\n\r\nall of it"
        #expect(reading(text, role: .client) == ["head 200", "body all of it"])
        #expect(reading(text, role: .client, ends: true) == ["head 200", "body all of it", "end"])
    }

    @Test(arguments: [204, 304])
    func `some responses have no body whatever they say`(status: Int) {
        #expect(
            reading("HTTP/1.1 \(status) X\r\nContent-Length: 9\r\n\r\n", role: .client) == [
                "head \(status)", "end",
            ])
    }

    @Test func `the answer to HEAD has no body`() throws {
        var reader = HTTPReader(role: .client, limits: testLimits)
        reader.isAnswerToHEAD = true
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        Array((text + text + "hi").utf8).withUnsafeBytes { reader.append($0) }
        var kinds: [String] = []
        while let event = try reader.next() {
            switch event {
            case .head: kinds.append("head")
            case .body: kinds.append("body")
            case .end: kinds.append("end")
            case .continueExpected: kinds.append("continue")
            }
        }
        #expect(kinds == ["head", "end", "head", "body", "end"])
    }

    @Test func `interim responses are passed over, but not for ever`() {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        let final = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        #expect(
            reading(String(repeating: interim, count: 16) + final, role: .client) == [
                "head 200", "end",
            ])
        #expect(
            reading(String(repeating: interim, count: 17) + final, role: .client) == [
                "error 400 more than 16 interim responses"
            ])
    }

    // B168
    @Test func `behind 101 nothing is read as HTTP`() throws {
        var reader = HTTPReader(role: .client, limits: testLimits)
        let text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}"
        for byte in text.utf8 {
            withUnsafeBytes(of: byte) { reader.append($0) }
            while let event = try reader.next() {
                guard case .head(let head) = event else {
                    Issue.record("only a head")
                    return
                }
                #expect(head.status == 101)
            }
        }
        #expect(reader.takeRest().array == [1, 2])
    }

    @Test(arguments: [
        "HTTP/1.1 99 X", "HTTP/1.1 600 X", "HTTP/1.1 20 X", "HTTP/1.1 2000 X", "HTTP/1.1  200 X",
        "HTTP/1.1 2x0 X", "HTTP/1.1", "ICY 200 OK", "HTTP/1.1200 OK", "GET / HTTP/1.1",
    ])
    func `a malformed status line is refused`(line: String) {
        #expect(
            reading("\(line)\r\n\r\n", role: .client) == ["error 400 malformed start line"])
    }

    @Test func `a response with length and coding is refused`() {
        #expect(
            reading(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
                role: .client
            ) == ["error 400 Content-Length and Transfer-Encoding in one message"])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nto the end",
        "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\ncut",
    ])
    func `all cuts of a response give the same events`(text: String) {
        #expect(isSameForAllCuts(Array(text.utf8), role: .client, ends: true))
    }
}
