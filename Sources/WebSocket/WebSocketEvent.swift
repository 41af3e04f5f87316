/// What a `WebSocketSession` has read. Payloads are lent until the session is next called.
public enum WebSocketEvent {
    /// A whole text message; its UTF-8 is checked.
    case text(UnsafeRawBufferPointer)
    /// A whole binary message.
    case binary(UnsafeRawBufferPointer)
    /// A ping; its pong is in the replies already.
    case ping(UnsafeRawBufferPointer)
    /// A pong, asked for or not (RFC 6455 §5.5.3).
    case pong(UnsafeRawBufferPointer)
    /// The peer's close frame: its code, if it gave one, and its reason. The answer is in the
    /// replies already, unless our own close went first; nothing is read after it.
    case close(code: UInt16?, reason: UnsafeRawBufferPointer)
}
