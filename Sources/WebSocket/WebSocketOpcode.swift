/// What a frame is (RFC 6455 §5.2).
public enum WebSocketOpcode: UInt8, Sendable, Hashable {
    /// The next fragment of a message.
    case continuation = 0
    /// A text message or its first fragment.
    case text = 1
    /// A binary message or its first fragment.
    case binary = 2
    /// The end of what the sender has to say.
    case close = 8
    /// A question whether the peer is there.
    case ping = 9
    /// The answer to it.
    case pong = 10

    /// Whether it is a control frame: short, whole, and allowed between fragments (§5.5).
    public var isControl: Bool { rawValue & 8 != 0 }
}
