/// Inflates messages of permessage-deflate (RFC 7692 §7.2.2).
///
/// One serves all the sessions of a shard: they keep a message as it came, compressed, until it
/// is whole, and each message stands alone (`client_no_context_takeover`). So however many
/// peers there are, only the message being handled is ever held inflated. Its memory is made
/// when the first message comes.
///
/// Texts that come in parts are looked at ahead, so that they are refused at the first bad byte:
/// a `TextWatch` inflates what has come and keeps nothing of it. Each has a window of its own,
/// 40 KB, so there are `watchesMax` of them at most; a text beyond them is judged when it is
/// whole.
///
///     let inflater = Inflater()
///     let session = WebSocketSession(role: .server, limits: limits, inflater: inflater)
///
/// Not Sendable: it belongs to the sessions' owner.
public final class Inflater {
    /// How many texts are looked at ahead at most.
    public let watchesMax: Int
    /// How many are now.
    private(set) var watchCount = 0

    private var inflation: Inflation?
    // Unchecked for the reason that `Inflation` gives: zlib calls nobody.
    @exclusivity(unchecked) private var room = OutputRoom()
    /// For watches to come.
    private var spares: [Inflation] = []

    /// An inflater that holds no memory yet.
    ///
    /// - Parameter watchesMax: how many texts are looked at ahead at most, while they come.
    public init(watchesMax: Int = 16) {
        precondition(watchesMax >= 0, "the number of watches is negative")
        self.watchesMax = watchesMax
    }

    /// Inflates one message's payload, all its fragments together.
    ///
    /// - Parameter limit: beyond it one byte is written at most.
    /// - Returns: the message, lent until the next call.
    /// - Throws: `.inflatedTooLong`; `.malformedCompression` for what is no deflate stream or
    ///   ends inside a block; `.invalidUTF8` if it is to be text and is not.
    func inflate(
        _ payload: UnsafeRawBufferPointer, isText: Bool, limit: Int
    ) throws(WebSocketError) -> UnsafeRawBufferPointer {
        let inflation = inflation ?? Inflation()
        self.inflation = inflation
        inflation.begin(isText: isText, limit: limit)
        room.trim()
        let roomMax = limit == .max ? limit : limit + 1
        // A guess with which most small messages need not grow.
        let guess = max(1_024, payload.count.multipliedReportingOverflow(by: 4).partialValue)
        room.grow(to: min(guess, roomMax), keeping: 0)
        try inflation.feed(payload, into: &room, isKept: true)
        try inflation.finish(into: &room)
        return UnsafeRawBufferPointer(start: room.start, count: inflation.count)
    }

    // MARK: Looking ahead

    /// A watch of a text that is about to come in parts, or nil if there are enough of them.
    func watch(limit: Int) -> TextWatch? {
        guard watchCount < watchesMax else { return nil }
        watchCount += 1
        let inflation = spares.popLast() ?? Inflation()
        inflation.begin(isText: true, limit: limit)
        return TextWatch(inflation, of: self)
    }

    /// A watch is over.
    func takeBack(_ inflation: Inflation) {
        watchCount -= 1
        spares.append(inflation)
    }

    /// Inflates a part of a message that nobody will read. What was lent of the last message is
    /// not lent any more.
    func look(
        at part: UnsafeRawBufferPointer, _ inflation: Inflation
    ) throws(WebSocketError) {
        try inflation.feed(part, into: &room, isKept: false)
    }
}
