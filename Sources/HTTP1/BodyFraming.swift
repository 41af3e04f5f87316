import Bytes

/// How a message's body ends (RFC 9112 §6.3), decided once its head is whole.
enum BodyFraming: Sendable, Hashable {
    /// There is none.
    case empty
    /// That many bytes, at least one.
    case length(Int)
    /// Chunks.
    case chunked
    /// All that comes until the connection ends; responses only.
    case untilClose

    /// The framing that a request's head announces.
    init(ofRequest head: HTTPHead) throws(HTTPError) {
        self = try Self.announced(by: head) ?? .empty
    }

    /// The framing of the response to a request; those to HEAD have no body whatever they say.
    init(ofResponse head: HTTPHead, toHEAD: Bool) throws(HTTPError) {
        let announced = try Self.announced(by: head)
        if toHEAD || head.status == 204 || head.status == 304 || head.status < 200 {
            self = .empty
        } else {
            self = announced ?? .untilClose
        }
    }

    /// What Content-Length or Transfer-Encoding say, or nil if there is neither.
    private static func announced(by head: HTTPHead) throws(HTTPError) -> BodyFraming? {
        let lengths = head.count(of: "Content-Length")
        let encodings = head.count(of: "Transfer-Encoding")
        if encodings > 0 {
            // The RFC lets a recipient prefer one of the two. Whoever stands before us may have
            // preferred the other, so we take neither.
            if lengths > 0 { throw .lengthWithEncoding }
            try checkEncoding(head)
            return .chunked
        }
        guard lengths > 0 else { return nil }
        guard lengths == 1, let length = head.withValue(of: "Content-Length", number) ?? nil else {
            throw .malformedLength
        }
        return length == 0 ? BodyFraming.empty : .length(length)
    }

    /// Only the one coding `chunked`, once, and only since HTTP/1.1 (RFC 9112 §6.1). Not even
    /// with the empty list members that RFC 9110 §5.6.1 has recipients pass over: nobody sends
    /// them who does not hope that somebody else reads them as an unknown coding.
    private static func checkEncoding(_ head: HTTPHead) throws(HTTPError) {
        guard head.minorVersion >= 1 else { throw .malformedEncoding }
        let lines = head.count(of: "Transfer-Encoding")
        let isPlain = head.withValue(of: "Transfer-Encoding") { ASCII.equals($0, "chunked") }
        if lines == 1, isPlain == true { return }
        let codings = head.members(of: "Transfer-Encoding").map { $0.string.lowercased() }
        if codings == ["chunked"] { throw .malformedEncoding }
        let isClear = codings.last == "chunked" && codings.count(where: { $0 == "chunked" }) == 1
        // A coding we do not know before a final chunked is 501; all else has no clear end.
        throw isClear || codings.count == 1 ? .unsupportedEncoding : .malformedEncoding
    }

    /// 1*DIGIT within the range of an integer.
    static func number(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard !bytes.isEmpty else { return nil }
        var value = 0
        for byte in bytes {
            guard ASCII.isDigit(byte) else { return nil }
            let (tens, isOver) = value.multipliedReportingOverflow(by: 10)
            let (sum, isOverToo) = tens.addingReportingOverflow(Int(byte - 48))
            if isOver || isOverToo { return nil }
            value = sum
        }
        return value
    }
}
