import CZlib

/// Inflates whole messages of permessage-deflate (RFC 7692 §7.2.2).
///
/// One serves all the sessions of a shard: they keep a message as it came, compressed, until it
/// is whole, and each message stands alone (`client_no_context_takeover`). So however many
/// peers there are, there is one window, and only the message being handled is ever inflated.
/// Its memory is made when the first message comes.
///
///     let inflater = Inflater()
///     let session = WebSocketSession(role: .server, limits: limits, inflater: inflater)
///
/// Not Sendable: it belongs to the sessions' owner.
public final class Inflater {
    // zlib remembers the stream's address, so it may not move.
    private var stream: UnsafeMutablePointer<z_stream>?
    private var room = OutputRoom()
    /// Bytes of the message that are inflated.
    private var count = 0
    /// Whether the next byte begins a deflate stream: at the start, and behind a final block.
    private var isBetweenStreams = true

    /// An inflater that holds no memory yet.
    public init() {}

    deinit {
        guard let stream else { return }
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates one message's payload, all its fragments together.
    ///
    /// - Parameter limit: beyond it one byte is written at most.
    /// - Returns: the message, lent until the next call.
    /// - Throws: `.inflatedTooLong`, or `.malformedCompression` for what is no deflate stream or
    ///   ends inside a block.
    func inflate(
        _ payload: UnsafeRawBufferPointer, limit: Int
    ) throws(WebSocketError) -> UnsafeRawBufferPointer {
        let stream = freshStream()
        room.trim()
        count = 0
        isBetweenStreams = true
        // A guess with which most small messages need not grow.
        let guess = max(1_024, payload.count.multipliedReportingOverflow(by: 4).partialValue)
        room.grow(to: min(guess, roomMax(limit)), keeping: 0)
        try feed(payload, to: stream, limit: limit)
        // The sender cut these four bytes off (§7.2.1), unless its last block was a final one.
        if !isBetweenStreams {
            let tail = UInt32(0x0000_ffff).bigEndian
            try withUnsafeBytes(of: tail) { tail throws(WebSocketError) in
                try feed(tail, to: stream, limit: limit)
            }
        }
        guard isBetweenStreams || Self.isAtBlockEnd(stream) else { throw .malformedCompression }
        return UnsafeRawBufferPointer(start: room.start, count: count)
    }

    // MARK: Private help

    /// The room never holds more than one byte beyond the limit: that byte proves the excess.
    private func roomMax(_ limit: Int) -> Int { limit == .max ? limit : limit + 1 }

    private func freshStream() -> UnsafeMutablePointer<z_stream> {
        if let stream {
            inflateReset(stream)
            return stream
        }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The largest window inflates what any smaller one made.
        let status = czlib_inflate_init_raw(stream, 15)
        precondition(status == Z_OK, "zlib has no memory for an inflater")
        self.stream = stream
        return stream
    }

    private func feed(
        _ input: UnsafeRawBufferPointer, to stream: UnsafeMutablePointer<z_stream>, limit: Int
    ) throws(WebSocketError) {
        var rest = input
        while !rest.isEmpty {
            let part = min(rest.count, 1 << 30)
            // zlib only reads from it.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: rest.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(part)
            try drain(stream, limit: limit)
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        }
    }

    /// Inflates all input that the stream has been given.
    private func drain(
        _ stream: UnsafeMutablePointer<z_stream>, limit: Int
    ) throws(WebSocketError) {
        var isFull = false
        repeat {
            if count == room.capacity {
                room.grow(to: min(max(count * 2, 1_024), roomMax(limit)), keeping: count)
            }
            guard let start = room.start else { preconditionFailure("the room has been made") }
            let free = min(room.capacity - count, 1 << 30)
            stream.pointee.next_out = (start + count).assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(free)
            let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
            count += free - Int(stream.pointee.avail_out)
            guard count <= limit else { throw .inflatedTooLong(limit: limit) }
            isFull = stream.pointee.avail_out == 0
            isBetweenStreams = status == Z_STREAM_END
            switch status {
            case Z_OK, Z_BUF_ERROR: break
            // More may follow a final block (§7.2.3.4): a stream of its own.
            case Z_STREAM_END: inflateReset(stream)
            default: throw .malformedCompression
            }
        } while stream.pointee.avail_in > 0 || isFull && !isBetweenStreams
    }

    /// Whether all input is used up and no block is cut: what `data_type` says is the number of
    /// unused bits, plus 128 between two blocks (zlib.h, `inflate`).
    private static func isAtBlockEnd(_ stream: UnsafeMutablePointer<z_stream>) -> Bool {
        stream.pointee.data_type == 128
    }
}
