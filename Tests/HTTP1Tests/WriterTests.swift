import Bytes
import HTTP1
import Testing

@Suite struct WriterTests {
    private func written(_ write: (inout ByteQueue) -> Void) -> String {
        var output = ByteQueue()
        write(&output)
        return String(decoding: output.array, as: UTF8.self)
    }

    @Test func `a response has status line, fields, length and body`() {
        let text = written { output in
            Array("{}".utf8).withUnsafeBytes {
                HTTPWriter.appendResponse(
                    status: 200, contentType: "application/json", fields: [HTTPField("A", "b")],
                    body: $0, closes: true, to: &output)
            }
        }
        #expect(
            text == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nA: b\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n{}")
    }

    @Test func `answers without body say no length, those to HEAD say it all the same`() {
        #expect(
            written { HTTPWriter.appendResponse(status: 204, to: &$0) }
                == "HTTP/1.1 204 No Content\r\n\r\n")
        let text = written { output in
            Array("body".utf8).withUnsafeBytes {
                HTTPWriter.appendResponse(status: 200, body: $0, toHEAD: true, to: &output)
            }
        }
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
    }

    @Test func `no value ends its line`() {
        let text = written {
            HTTPWriter.appendField("A", "b\r\nSet-Cookie: c\u{0}\td", to: &$0)
        }
        #expect(text == "A: b  Set-Cookie: c \td\r\n")
    }

    @Test func `a request is read back as it was written`() throws {
        let text = written { output in
            Array("hello".utf8).withUnsafeBytes {
                HTTPWriter.appendRequest(
                    method: "POST", target: "/a b?é#\r\n", host: "hub:80",
                    fields: [HTTPField("X", "y")], body: $0, to: &output)
            }
        }
        #expect(
            reading(text) == ["head POST /a%20b?%C3%A9%23%0D%0A", "body hello", "end"])
        let head = try head(text)
        #expect(head.host == "hub:80")
        #expect(head.value(of: "x") == "y")
    }

    @Test func `chunks are read back as they were written`() {
        let text = written { output in
            output.append("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for count in [1, 0, 15, 16, 255, 256] {
                [UInt8](repeating: 120, count: count).withUnsafeBytes {
                    HTTPWriter.appendChunk($0, to: &output)
                }
            }
            HTTPWriter.appendLastChunk(to: &output)
        }
        #expect(
            reading(text, role: .client) == [
                "head 200", "body " + String(repeating: "x", count: 543), "end",
            ])
    }

    @Test func `every status we send has a reason phrase`() {
        for status in [101, 200, 400, 401, 404, 405, 408, 413, 414, 415, 417, 426, 431, 501, 505] {
            let line = written { HTTPWriter.appendStatusLine(status, to: &$0) }
            #expect(line.hasPrefix("HTTP/1.1 \(status) ") && line.utf8.count > 16)
        }
        #expect(written { HTTPWriter.appendContinue(to: &$0) } == "HTTP/1.1 100 Continue\r\n\r\n")
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `dates are written as HTTP writes them`(seconds: Int64, text: String) {
        #expect(written { HTTPDate.append(unixSeconds: seconds, to: &$0) } == text)
    }

    @Test func `each error has a sentence and the right status`() {
        let table: [(HTTPError, Int)] = [
            (.unsupportedVersion, 505), (.unsupportedMethod, 501), (.unsupportedEncoding, 501),
            (.targetTooLong(limit: 1), 414), (.headTooLarge(limit: 1), 431),
            (.tooManyFields(limit: 1), 431), (.bodyTooLarge(size: 2, limit: 1), 413),
            (.bodyTooLarge(size: nil, limit: 1), 413), (.unsupportedExpectation, 417),
            (.malformedStartLine, 400), (.malformedTarget, 400), (.malformedField, 400),
            (.foldedField, 400), (.bareLineEnd, 400), (.controlCharacter, 400),
            (.missingHost, 400), (.severalHosts, 400), (.malformedHost, 400),
            (.lengthWithEncoding, 400), (.malformedLength, 400), (.malformedEncoding, 400),
            (.malformedChunk, 400), (.tooManyInterimResponses(limit: 1), 400), (.cutShort, 400),
        ]
        for (error, status) in table {
            #expect(error.status == status)
            #expect(!error.description.isEmpty && !error.description.hasSuffix("."))
        }
    }
}
