public import Bytes
public import HTTP1

/// The server's half of the opening handshake (RFC 6455 §4.2).
///
/// Of extensions it knows permessage-deflate; any other offer is declined by not answering it
/// (§9.1).
public enum Handshake {
    /// Whether a request asks for WebSocket at all; whether rightly is `accept`'s question.
    public static func isWanted(by request: HTTPHead) -> Bool {
        request.contains("websocket", in: "Upgrade")
    }

    /// The subprotocols that a client offers, in its order of preference (§4.1).
    public static func offeredSubprotocols(_ request: HTTPHead) -> [Text] {
        request.members(of: "Sec-WebSocket-Protocol")
    }

    /// What to agree on for permessage-deflate, or nil if the client does not offer it in a way
    /// that the server can keep.
    public static func deflate(for request: HTTPHead) -> DeflateParameters? {
        let lines = request.values(of: "Sec-WebSocket-Extensions")
        return lines.isEmpty ? nil : DeflateParameters.chosen(fromOffers: lines)
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
        return request.bodyBytes == 0 ? nil : .body
    }

    /// Appends the answer 101 that makes the connection a WebSocket.
    ///
    /// What the client sent behind its request is the reader's `takeRest()`.
    ///
    /// - Parameters:
    ///   - subprotocol: the chosen one of `offeredSubprotocols`, or nil to name none.
    ///   - deflate: what `deflate(for:)` gave, or nil to decline it. Agreed on, the session
    ///     needs an inflater.
    ///   - fields: further fields.
    /// - Throws: the refusal, and nothing is appended.
    public static func accept(
        _ request: HTTPHead, subprotocol: Text?, deflate: DeflateParameters? = nil,
        fields: [HTTPField] = [], to output: inout ByteQueue
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
        if let deflate {
            output.append("Sec-WebSocket-Extensions: ")
            deflate.appendAnswer(to: &output)
            output.append("\r\n")
        }
        for field in fields { HTTPWriter.appendField(field, to: &output) }
        HTTPWriter.appendHeadEnd(to: &output)
    }
}
