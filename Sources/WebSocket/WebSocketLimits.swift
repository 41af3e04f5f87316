/// How much of one message a `WebSocketSession` takes before it refuses it.
public struct WebSocketLimits: Sendable, Hashable {
    /// Bytes of a message over all its fragments. Beyond it, already at the header that
    /// announces it: 1009.
    public var messageBytesMax: Int
    /// Fragments of a message, so that empty ones cannot go on for ever. Beyond it: 1008.
    public var fragmentCountMax: Int

    /// The limits, 1 MiB and 131,072 fragments if not given.
    public init(messageBytesMax: Int = 1_048_576, fragmentCountMax: Int = 131_072) {
        precondition(
            messageBytesMax >= 0 && fragmentCountMax >= 1, "WebSocket limits must not be negative")
        self.messageBytesMax = messageBytesMax
        self.fragmentCountMax = fragmentCountMax
    }
}
