/// How much of one message a `WebSocketSession` takes before it refuses it.
public struct WebSocketLimits: Sendable, Hashable {
    /// Bytes of a message over all its fragments. Beyond it, already at the header that
    /// announces it: 1009. Of a compressed message what it inflates to, found while inflating.
    public var messageBytesMax: Int
    /// Fragments of a message, so that empty ones cannot go on for ever. Beyond it: 1008.
    public var fragmentCountMax: Int

    /// How long a message may be before it is inflated, so that one at the limit passes however
    /// badly it compresses: zlib adds less than a quarter, and a flush behind each fragment
    /// less than 16 bytes.
    func compressedBytesMax(fragmentCount: Int) -> Int {
        let quarter = messageBytesMax / 4
        let more = messageBytesMax.addingReportingOverflow(quarter + 1_024 + 16 * fragmentCount)
        return more.overflow ? .max : more.partialValue
    }

    /// The limits, 1 MiB and 131,072 fragments if not given.
    public init(messageBytesMax: Int = 1_048_576, fragmentCountMax: Int = 131_072) {
        precondition(
            messageBytesMax >= 0 && fragmentCountMax >= 1, "WebSocket limits must not be negative")
        self.messageBytesMax = messageBytesMax
        self.fragmentCountMax = fragmentCountMax
    }
}
