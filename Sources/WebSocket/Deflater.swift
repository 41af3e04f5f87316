import CZlib

/// Compresses single payloads for permessage-deflate (RFC 7692 §7.2.1), each from a fresh state
/// (`server_no_context_takeover`), so that one result is right for every receiver whose window
/// is not smaller.
///
/// Its memory is made with it: 268 KB for a window of 15 bits, half of that for each bit less,
/// plus 131 KB; one serves a whole shard. Not Sendable.
public final class Deflater {
    /// Measured on GraphQL responses of 1 to 200 KB: up to 10 % longer than level 6, at half to two
    /// thirds of its time from 4 KB on.
    private static let level: Int32 = 4
    /// zlib's own default: 128 KB for hashes and symbols.
    private static let memoryLevel: Int32 = 8
    /// Larger payloads go uncompressed; zlib counts in 32 bits.
    private static let payloadBytesMax = 1 << 30

    // zlib remembers the stream's address, so it may not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var room = OutputRoom()

    /// A deflater whose back-references reach no further than its window.
    ///
    /// - Parameter windowBits: 9 to 15. Raw deflate with 8 is not what zlib can do.
    public init(windowBits: Int = 15) {
        precondition((9...15).contains(windowBits), "a window has 9 to 15 bits")
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = czlib_deflate_init_raw(
            stream, Self.level, Int32(windowBits), Self.memoryLevel)
        precondition(status == Z_OK, "zlib has no memory for a deflater")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses the payload as one message, or as the end of one.
    ///
    /// - Parameter saving: how many bytes shorter than the input the result has to be.
    /// - Returns: the compressed bytes, lent until the next call, or nil if they would not be
    ///   short enough: then the message is better sent as it is (§7.2.1 allows either).
    public func deflate(
        _ payload: UnsafeRawBufferPointer, saving: Int = 1
    ) -> UnsafeRawBufferPointer? {
        guard payload.count <= Self.payloadBytesMax, payload.count > saving else { return nil }
        deflateReset(stream)
        room.trim()
        // zlib is to stop where it is no use any more: one byte behind the longest result.
        let capacity = payload.count - saving + Self.cutCount + 1
        room.grow(to: capacity, keeping: 0)
        guard let start = room.start else { preconditionFailure("the room has been made") }
        stream.pointee.next_out = start.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(capacity)
        // zlib only reads from it.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: payload.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(payload.count)
        CZlib.deflate(stream, Z_SYNC_FLUSH)
        guard stream.pointee.avail_out > 0 else { return nil }
        let count = capacity - Int(stream.pointee.avail_out)
        // A sync flush ends with an empty stored block, 00 00 FF FF behind its header, which
        // the receiver adds again (§7.2.1).
        return UnsafeRawBufferPointer(start: start, count: count - Self.cutCount)
    }

    private static let cutCount = 4
}
