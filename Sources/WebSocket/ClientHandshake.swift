public import Bytes
public import HTTP1

/// The client's half of the opening handshake (RFC 6455 §4.1): one request, one check.
///
///     let handshake = ClientHandshake(subprotocols: ["graphql-transport-ws"], random: &random)
///     handshake.appendRequest(host: "hub.example", target: "/graphql", to: &output)
///     // … read the response's head with an HTTPReader in client role …
///     let subprotocol = try handshake.check(head)     // then reader.takeRest() holds frames
public struct ClientHandshake: Sendable {
    /// The subprotocols offered, the dearest first.
    public let subprotocols: [Text]
    /// Whether permessage-deflate is offered.
    public let offersDeflate: Bool
    /// What goes out as Sec-WebSocket-Key: base64 of 16 random bytes.
    let key: [UInt8]

    /// A handshake with a key of its own.
    public init(
        subprotocols: [Text], offersDeflate: Bool = false, random: inout SeededRandom
    ) {
        self.subprotocols = subprotocols
        self.offersDeflate = offersDeflate
        var nonce = ByteQueue()
        nonce.append(bigEndian: random.next())
        nonce.append(bigEndian: random.next())
        key = Base64.encode(nonce.array)
    }

    /// Appends the request.
    ///
    /// - Parameters:
    ///   - host: host and port, without the port if it is the scheme's own.
    ///   - target: path and query.
    ///   - fields: further fields, such as Authorization.
    public func appendRequest(
        host: Text, target: Text, fields: [HTTPField] = [], to output: inout ByteQueue
    ) {
        var all = [
            HTTPField("Upgrade", "websocket"), HTTPField("Connection", "Upgrade"),
            HTTPField("Sec-WebSocket-Key", Text(String(decoding: key, as: UTF8.self))),
            HTTPField("Sec-WebSocket-Version", "13"),
        ]
        if !subprotocols.isEmpty {
            let list = subprotocols.map(\.string).joined(separator: ", ")
            all.append(HTTPField("Sec-WebSocket-Protocol", Text(list)))
        }
        if offersDeflate {
            all.append(HTTPField("Sec-WebSocket-Extensions", DeflateParameters.offer))
        }
        HTTPWriter.appendRequest(
            method: "GET", target: target, host: host, fields: all + fields, to: &output)
    }

    /// Checks the response.
    ///
    /// - Returns: the subprotocol that the server chose, or nil if it named none; whether that
    ///   will do is the owner's question.
    public func check(_ response: HTTPHead) throws(HandshakeFailure) -> Text? {
        guard response.status == 101 else { throw .status(response.status) }
        guard response.contains("websocket", in: "Upgrade") else { throw .upgrade }
        guard response.contains("upgrade", in: "Connection") else { throw .connection }
        let expected = key.withUnsafeBytes(AcceptValue.make)
        let isRight = response.withValue(of: "Sec-WebSocket-Accept") { $0.elementsEqual(expected) }
        guard isRight == true, response.count(of: "Sec-WebSocket-Accept") == 1 else {
            throw .accept
        }
        _ = try deflate(in: response)
        guard response.count(of: "Sec-WebSocket-Protocol") > 0 else { return nil }
        let chosen = response.values(of: "Sec-WebSocket-Protocol")
        guard chosen.count == 1, subprotocols.contains(chosen[0]) else { throw .subprotocol }
        return chosen[0]
    }

    /// What the server agreed to for permessage-deflate, or nil if it declined. `check` has
    /// asked this already. Agreed on, the session needs an inflater.
    public func deflate(in response: HTTPHead) throws(HandshakeFailure) -> DeflateParameters? {
        let lines = response.values(of: "Sec-WebSocket-Extensions")
        if offersDeflate { return try DeflateParameters.agreed(inAnswer: lines) }
        guard lines.allSatisfy({ $0.byteCount == 0 }) else { throw .extension }
        return nil
    }
}
