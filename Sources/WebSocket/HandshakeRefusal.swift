public import Bytes
public import HTTP1

/// Why a server refuses to upgrade a request: always the client's fault.
public enum HandshakeRefusal: Error, Hashable, Sendable {
    /// Not GET (RFC 6455 §4.1).
    case method
    /// HTTP/1.0, or no or several Host fields (§4.1).
    case request
    /// No Upgrade to websocket (§4.2.1).
    case upgrade
    /// No Connection with upgrade (§4.2.1).
    case connection
    /// Another protocol version than 13 (§4.4).
    case version
    /// No key of 16 bytes, or several (§4.2.1).
    case key
    /// A body, whose bytes could pass for frames.
    case body

    /// The status code of the answer.
    public var status: Int {
        switch self {
        case .method: 405
        case .upgrade, .version: 426
        case .request, .connection, .key, .body: 400
        }
    }

    /// Appends the answer. It says `Connection: close`, and the owner must close: what comes
    /// behind a refused upgrade may be meant to slip past a proxy's rules.
    ///
    /// - Parameters:
    ///   - fields: further fields.
    ///   - toHEAD: leaves the body out, as in an answer to that method.
    public func append(
        fields further: [HTTPField] = [], toHEAD: Bool = false, to output: inout ByteQueue
    ) {
        var fields = further
        switch self {
        case .method: fields.append(HTTPField("Allow", "GET"))
        // Whoever sends Upgrade names it in Connection as well (RFC 9110 §7.8).
        case .upgrade:
            fields += [HTTPField("Upgrade", "websocket"), HTTPField("Connection", "Upgrade")]
        case .version:
            fields += [
                HTTPField("Upgrade", "websocket"), HTTPField("Connection", "Upgrade"),
                HTTPField("Sec-WebSocket-Version", "13"),
            ]
        case .request, .connection, .key, .body: break
        }
        Text(description).withBytes { body in
            HTTPWriter.appendResponse(
                status: status, contentType: "text/plain; charset=utf-8", fields: fields,
                body: body, closes: true, toHEAD: toHEAD, to: &output)
        }
    }
}

extension HandshakeRefusal: CustomStringConvertible {
    /// What is wrong with the request.
    public var description: String {
        switch self {
        case .method: "a WebSocket handshake is a GET request"
        case .request: "a WebSocket handshake is HTTP/1.1 with one Host header"
        case .upgrade: "Upgrade header does not name websocket"
        case .connection: "Connection header does not name upgrade"
        case .version: "Sec-WebSocket-Version is not 13"
        case .key: "Sec-WebSocket-Key is not one base64 value of 16 bytes"
        case .body: "a WebSocket handshake has no body"
        }
    }
}
