public import Bytes

/// Writes heads and bodies of HTTP/1.1 into the caller's queue.
///
/// The parts (`appendStatusLine`, `appendField`, `appendHeadEnd`) allocate nothing; the whole
/// forms (`appendResponse`, `appendRequest`) are made of them.
public enum HTTPWriter {
    // MARK: Whole messages

    /// Appends a response whose body is known.
    ///
    /// - Parameters:
    ///   - status: the status code; 1xx, 204 and 304 are written without length and body.
    ///   - contentType: the Content-Type; nil for none.
    ///   - fields: further fields.
    ///   - closes: writes `Connection: close`, which the owner must then make true.
    ///   - toHEAD: leaves the body out but tells its length (RFC 9110 §9.3.2).
    public static func appendResponse(
        status: Int, contentType: StaticString? = nil, fields: [HTTPField] = [],
        body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        closes: Bool = false, toHEAD: Bool = false, to output: inout ByteQueue
    ) {
        let hasBody = status >= 200 && status != 204 && status != 304
        appendStatusLine(status, to: &output)
        if let contentType { appendField("Content-Type", literal: contentType, to: &output) }
        for field in fields { appendField(field, to: &output) }
        if hasBody { appendField("Content-Length", number: body.count, to: &output) }
        if closes { appendField("Connection", literal: "close", to: &output) }
        appendHeadEnd(to: &output)
        if hasBody && !toHEAD { output.append(body) }
    }

    /// Appends a request. Host stands first (RFC 9110 §7.2).
    ///
    /// - Parameters:
    ///   - target: path and query; what no URI may have is percent-encoded.
    ///   - body: nil for a method without one; Content-Length is written for all others.
    public static func appendRequest(
        method: StaticString, target: Text, host: Text, fields: [HTTPField] = [],
        body: UnsafeRawBufferPointer? = nil, to output: inout ByteQueue
    ) {
        output.append(method)
        output.append(ASCII.space)
        appendTarget(target, to: &output)
        output.append(" HTTP/1.1\r\n")
        appendField("Host", host, to: &output)
        for field in fields { appendField(field, to: &output) }
        if let body { appendField("Content-Length", number: body.count, to: &output) }
        appendHeadEnd(to: &output)
        if let body { output.append(body) }
    }

    /// Appends the leave to send a body (RFC 9110 §15.2.1).
    public static func appendContinue(to output: inout ByteQueue) {
        output.append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    // MARK: Parts of a head

    /// Appends `HTTP/1.1 200 OK` and its like.
    public static func appendStatusLine(_ status: Int, to output: inout ByteQueue) {
        precondition(
            (100...599).contains(status), "a status code has three digits, from 100 to 599")
        output.append("HTTP/1.1 ")
        output.append(decimal: status)
        output.append(ASCII.space)
        output.append(reason(of: status))
        output.append("\r\n")
    }

    /// Appends a field line of two literals.
    public static func appendField(
        _ name: StaticString, literal value: StaticString, to output: inout ByteQueue
    ) {
        output.append(name)
        output.append(": ")
        output.append(value)
        output.append("\r\n")
    }

    /// Appends a field line. Control characters in the value become blanks (RFC 9110 §5.5), so
    /// no value can end its line.
    public static func appendField(
        _ name: StaticString, _ value: Text, to output: inout ByteQueue
    ) {
        output.append(name)
        appendColonAndValue(value, to: &output)
    }

    /// Appends a field line whose value is a number.
    public static func appendField(
        _ name: StaticString, number: Int, to output: inout ByteQueue
    ) {
        output.append(name)
        output.append(": ")
        output.append(decimal: number)
        output.append("\r\n")
    }

    /// Appends a field line.
    public static func appendField(_ field: HTTPField, to output: inout ByteQueue) {
        let isToken = field.name.withBytes { ASCII.isToken($0[...]) }
        precondition(isToken, "the name of a header field must be a token")
        output.append(utf8: field.name)
        appendColonAndValue(field.value, to: &output)
    }

    /// Appends the empty line behind the fields.
    public static func appendHeadEnd(to output: inout ByteQueue) { output.append("\r\n") }

    // MARK: Chunks

    /// Appends one chunk of a body sent with `Transfer-Encoding: chunked`. No bytes, no chunk:
    /// an empty one would end the body.
    public static func appendChunk(_ bytes: UnsafeRawBufferPointer, to output: inout ByteQueue) {
        if bytes.isEmpty { return }
        var shift = (Int.bitWidth - bytes.count.leadingZeroBitCount - 1) / 4 * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: bytes.count >> shift & 15)
            output.append(digit < 10 ? digit + 48 : digit + 87)
            shift -= 4
        }
        output.append("\r\n")
        output.append(bytes)
        output.append("\r\n")
    }

    /// Appends the end of a chunked body.
    public static func appendLastChunk(to output: inout ByteQueue) { output.append("0\r\n\r\n") }

    // MARK: Private help

    private static func appendColonAndValue(_ value: Text, to output: inout ByteQueue) {
        output.append(": ")
        value.withBytes { bytes in
            for byte in bytes {
                output.append(byte < 0x20 && byte != ASCII.tab || byte == 0x7f ? ASCII.space : byte)
            }
        }
        output.append("\r\n")
    }

    private static func appendTarget(_ target: Text, to output: inout ByteQueue) {
        if target.isEmpty { output.append(UInt8(ascii: "/")) }
        target.withBytes { bytes in
            for byte in bytes {
                if byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "#") {
                    output.append(byte)
                } else {
                    PercentCoding.append(byte, to: &output)
                }
            }
        }
    }

    /// The registered reason phrase (RFC 9110 §15); empty for codes we never send.
    static func reason(of status: Int) -> StaticString {
        switch status {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }
}
