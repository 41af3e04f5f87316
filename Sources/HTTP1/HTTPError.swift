/// Why a message is refused: always the peer's fault, and always the end of the connection.
///
/// After a refusal nobody can be sure where the next message begins, so the reader looks for
/// none: the server answers `status` with `Connection: close` and ends the connection
/// (RFC 9112 §2.2, §9.6); the client gives the connection up.
public enum HTTPError: Error, Hashable, Sendable {
    /// A request or status line not as RFC 9112 §3 or §4 writes it.
    case malformedStartLine
    /// Another major version than 1.
    case unsupportedVersion
    /// A method that only proxies serve.
    case unsupportedMethod
    /// A request target longer than the limit.
    case targetTooLong(limit: Int)
    /// A target in none of the four forms, or with bytes that no URI has.
    case malformedTarget
    /// A head or trailer section longer than the limit.
    case headTooLarge(limit: Int)
    /// More field lines than the limit.
    case tooManyFields(limit: Int)
    /// A field line without a colon or with a name that is no token.
    case malformedField
    /// A field line that goes on in the next (RFC 9112 §5.2).
    case foldedField
    /// LF without CR before it or CR without LF behind it.
    case bareLineEnd
    /// A control character in a head or chunk line.
    case controlCharacter
    /// A request of HTTP/1.1 without Host (RFC 9112 §3.2).
    case missingHost
    /// More than one Host.
    case severalHosts
    /// A Host that is no `host[:port]`.
    case malformedHost
    /// Content-Length and Transfer-Encoding together: how requests are smuggled (§6.3).
    case lengthWithEncoding
    /// A Content-Length that is not one number.
    case malformedLength
    /// A Transfer-Encoding whose end is unclear.
    case malformedEncoding
    /// A transfer coding other than chunked.
    case unsupportedEncoding
    /// A chunk not as RFC 9112 §7.1 writes it.
    case malformedChunk
    /// A body longer than the limit; its size if it was announced.
    case bodyTooLarge(size: Int?, limit: Int)
    /// An Expect other than 100-continue.
    case unsupportedExpectation
    /// Interim responses without end.
    case tooManyInterimResponses(limit: Int)
    /// The connection ended inside a message.
    case cutShort

    /// The status code a server answers with.
    public var status: Int {
        switch self {
        case .unsupportedVersion: 505
        case .unsupportedMethod, .unsupportedEncoding: 501
        case .targetTooLong: 414
        case .headTooLarge, .tooManyFields: 431
        case .bodyTooLarge: 413
        case .unsupportedExpectation: 417
        default: 400
        }
    }
}

extension HTTPError: CustomStringConvertible {
    /// A sentence with limits and sizes, without the peer's data.
    public var description: String {
        switch self {
        case .malformedStartLine: "malformed start line"
        case .unsupportedVersion: "HTTP version is not 1.x"
        case .unsupportedMethod: "CONNECT is for proxies only"
        case .targetTooLong(let limit): "request target is over the limit of \(limit) bytes"
        case .malformedTarget: "malformed request target"
        case .headTooLarge(let limit): "header section is over the limit of \(limit) bytes"
        case .tooManyFields(let limit): "header section has more than \(limit) fields"
        case .malformedField: "malformed header field"
        case .foldedField: "folded header field: send each field on one line"
        case .bareLineEnd: "line does not end with CR LF"
        case .controlCharacter: "control character in the header section"
        case .missingHost: "Host header is missing"
        case .severalHosts: "more than one Host header"
        case .malformedHost: "malformed Host header"
        case .lengthWithEncoding: "Content-Length and Transfer-Encoding in one message"
        case .malformedLength: "Content-Length is not one decimal number"
        case .malformedEncoding: "malformed Transfer-Encoding"
        case .unsupportedEncoding: "transfer coding is not chunked"
        case .malformedChunk: "malformed chunk"
        case .bodyTooLarge(let size?, let limit):
            "body of \(size) bytes is over the limit of \(limit)"
        case .bodyTooLarge(nil, let limit): "body is over the limit of \(limit) bytes"
        case .unsupportedExpectation: "expectation is not 100-continue"
        case .tooManyInterimResponses(let limit): "more than \(limit) interim responses"
        case .cutShort: "connection ended inside a message"
        }
    }
}
