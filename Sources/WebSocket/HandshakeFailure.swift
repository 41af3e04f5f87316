/// Why a client gives up a connection whose handshake was answered wrongly (RFC 6455 §4.1).
public enum HandshakeFailure: Error, Hashable, Sendable {
    /// Another status than 101: the server's refusal.
    case status(Int)
    /// No Upgrade to websocket.
    case upgrade
    /// No Connection with upgrade.
    case connection
    /// An accept value that does not belong to our key: the answer is not from a WebSocket
    /// server, or not to us.
    case accept
    /// An extension that was not offered.
    case `extension`
    /// An answer to the offer of permessage-deflate that does not follow RFC 7692 §7.1, or does
    /// not fit the offer.
    case extensionParameters
    /// A subprotocol that was not offered, or several.
    case subprotocol
}

extension HandshakeFailure: CustomStringConvertible {
    /// What is wrong with the answer.
    public var description: String {
        switch self {
        case .status(let status): "server answered the WebSocket handshake with status \(status)"
        case .upgrade: "server's answer does not upgrade to websocket"
        case .connection: "server's answer has no Connection: Upgrade"
        case .accept: "server's Sec-WebSocket-Accept does not match the key"
        case .extension: "server chose an extension that was not offered"
        case .extensionParameters: "server's answer to permessage-deflate does not fit the offer"
        case .subprotocol: "server chose a subprotocol that was not offered"
        }
    }
}
