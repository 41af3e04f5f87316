public import Bytes
public import HTTP1

/// The server's half of the opening handshake (RFC 6455 §4.2).
///
/// Every offer of an extension is declined by not answering it (§9.1): none is spoken so far.
public enum Handshake {
    /// Whether a request asks for WebSocket at all; whether rightly is `accept`'s question.
    public static func isWanted(by request: HTTPHead) -> Bool {
        request.contains("websocket", in: "Upgrade")
    }

    /// The subprotocols that a client offers, in its order of preference (§4.1).
    public static func offeredSubprotocols(_ request: HTTPHead) -> [Text] {
        request.members(of: "Sec-WebSocket-Protocol")
    }

    /// Why the request cannot be upgraded, or nil if it can.
    public static func refusal(of request: HTTPHead) -> HandshakeRefusal? {
        guard request.isMethod("GET") else { return .method }
        guard request.minorVersion >= 1, request.count(of: "Host") == 1 else { return .request }
        guard request.contains("websocket", in: "Upgrade") else { return .upgrade }
        guard request.contains("upgrade", in: "Connection") else { return .connection }
        guard request.count(of: "Sec-WebSocket-Version") == 1,
            request.withValue(of: "Sec-WebSocket-Version", { $0.elementsEqual("13".utf8) }) == true
        else { return .version }
        guard request.count(of: "Sec-WebSocket-Key") == 1,
            request.withValue(of: "Sec-WebSocket-Key", AcceptValue.isKey) == true
        else { return .key }
        let length = request.value(of: "Content-Length")
        guard length == nil || length == "0", request.count(of: "Transfer-Encoding") == 0 else {
            return .body
        }
        return nil
    }

    /// Appends the answer 101 that makes the connection a WebSocket.
    ///
    /// What the client sent behind its request is the reader's `takeRest()`.
    ///
    /// - Parameters:
    ///   - subprotocol: the chosen one of `offeredSubprotocols`, or nil to name none.
    ///   - fields: further fields.
    /// - Throws: the refusal, and nothing is appended.
    public static func accept(
        _ request: HTTPHead, subprotocol: Text?, fields: [HTTPField] = [],
        to output: inout ByteQueue
    ) throws(HandshakeRefusal) {
        if let refusal = refusal(of: request) { throw refusal }
        if let subprotocol {
            precondition(
                offeredSubprotocols(request).contains(subprotocol),
                "only a subprotocol that the client offered may be chosen")
        }
        HTTPWriter.appendStatusLine(101, to: &output)
        HTTPWriter.appendField("Upgrade", literal: "websocket", to: &output)
        HTTPWriter.appendField("Connection", literal: "Upgrade", to: &output)
        output.append("Sec-WebSocket-Accept: ")
        output.append(request.withValue(of: "Sec-WebSocket-Key", AcceptValue.make) ?? [])
        output.append("\r\n")
        if let subprotocol {
            HTTPWriter.appendField("Sec-WebSocket-Protocol", subprotocol, to: &output)
        }
        for field in fields { HTTPWriter.appendField(field, to: &output) }
        HTTPWriter.appendHeadEnd(to: &output)
    }
}
