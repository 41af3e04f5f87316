import Bytes
import CZlib

/// One message of permessage-deflate being inflated (RFC 7692 §7.2.2), whole or piece by piece.
///
/// Text is checked as it comes out of zlib, before anything else is: so one message has one
/// verdict, however its bytes were cut. Of what comes out at most one byte is beyond the limit.
final class Inflation {
    // zlib remembers the stream's address, so it may not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var limit = 0
    private var checksText = false
    // Unchecked, here and below: run-time exclusivity checks cost a small message a fifth of its
    // time. These are values whose mutating calls never call out, so no access can begin inside
    // another.
    @exclusivity(unchecked) private var utf8 = UTF8Check()
    /// Whether the next byte begins a deflate stream: at the start, and behind a final block.
    @exclusivity(unchecked) private var isBetweenStreams = true
    /// Bytes of the message that have been inflated.
    @exclusivity(unchecked) private(set) var count = 0

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The largest window inflates what any smaller one made.
        let status = czlib_inflate_init_raw(stream, 15)
        precondition(status == Z_OK, "zlib has no memory for an inflater")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Forgets the last message.
    func begin(isText: Bool, limit: Int) {
        inflateReset(stream)
        self.limit = limit
        checksText = isText
        utf8 = UTF8Check()
        isBetweenStreams = true
        count = 0
    }

    /// Inflates the message's next bytes.
    ///
    /// - Parameters:
    ///   - room: gets what is inflated, and grows to hold it.
    ///   - isKept: whether it gets the whole message, from the start; otherwise the next bytes
    ///     are written over the last ones.
    func feed(
        _ input: UnsafeRawBufferPointer, into room: inout OutputRoom, isKept: Bool
    ) throws(WebSocketError) {
        var rest = input
        while !rest.isEmpty {
            let part = min(rest.count, Self.partBytesMax)
            // zlib only reads from it.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: rest.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(part)
            try drain(into: &room, isKept: isKept)
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        }
    }

    /// Checks that the message may end here.
    func finish(into room: inout OutputRoom) throws(WebSocketError) {
        // The sender cut these four bytes off (§7.2.1), unless its last block was a final one.
        if !isBetweenStreams {
            let tail = UInt32(0x0000_ffff).bigEndian
            try withUnsafeBytes(of: tail) { tail throws(WebSocketError) in
                try feed(tail, into: &room, isKept: true)
            }
        }
        guard isBetweenStreams || isAtBlockEnd else { throw .malformedCompression }
        if checksText && !utf8.isComplete { throw .invalidUTF8 }
    }

    // MARK: Private help

    /// zlib counts in 32 bits.
    private static let partBytesMax = 1 << 30

    /// Inflates all input that the stream has been given.
    private func drain(into room: inout OutputRoom, isKept: Bool) throws(WebSocketError) {
        // One byte beyond the limit proves the excess.
        let most = limit == .max ? limit : limit + 1
        var isFull = false
        repeat {
            let offset = isKept ? count : 0
            if offset == room.capacity {
                room.grow(to: isKept ? min(max(count * 2, 1_024), most) : 16_384, keeping: offset)
            }
            guard let start = room.start.map({ $0 + offset }) else {
                preconditionFailure("the room has been made")
            }
            let free = min(room.capacity - offset, most - count, Self.partBytesMax)
            stream.pointee.next_out = start.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(free)
            let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
            isFull = stream.pointee.avail_out == 0
            let made = free - Int(stream.pointee.avail_out)
            count += made
            if checksText && !utf8.append(UnsafeRawBufferPointer(start: start, count: made)) {
                throw .invalidUTF8
            }
            guard count <= limit else { throw .inflatedTooLong(limit: limit) }
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
    private var isAtBlockEnd: Bool { stream.pointee.data_type == 128 }
}
