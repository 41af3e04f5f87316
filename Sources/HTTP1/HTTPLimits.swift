/// How much of one message an `HTTPReader` takes before it refuses it.
public struct HTTPLimits: Sendable, Hashable {
    /// Bytes of a head, from its first byte to its empty line; also of a chunked body's trailer
    /// section, and of all its chunk lines beyond the sizes themselves. Beyond it: 431 or 400.
    public var headBytesMax: Int
    /// Field lines of a head or trailer section. Beyond it: 431.
    public var fieldCountMax: Int
    /// Bytes of a request's target. Beyond it: 414.
    public var targetBytesMax: Int
    /// Bytes of a body, after chunks are taken apart. Beyond it: 413, already at the head when
    /// the head announces the length.
    public var bodyBytesMax: Int

    /// The defaults, with the body's limit given by the owner.
    public init(
        headBytesMax: Int = 16_384, fieldCountMax: Int = 100, targetBytesMax: Int = 8_192,
        bodyBytesMax: Int
    ) {
        self.headBytesMax = headBytesMax
        self.fieldCountMax = fieldCountMax
        self.targetBytesMax = targetBytesMax
        self.bodyBytesMax = bodyBytesMax
    }
}
