import Bytes
import JSON

/// A response that goes on: server-sent events behind an HTTP request (graphql-sse).
///
/// A connection with one has the role of a `Socket`, whose operations, limits and ways with slow
/// readers it shares; only how a message is written differs.
final class EventStream {
    /// The HTTP side, which the connection goes back to when the response has ended.
    let exchange: HTTPExchange
    let framing: EventFraming
    /// Whether the connection serves another request when the response has ended.
    let keepsConnection: Bool

    init(exchange: HTTPExchange, framing: EventFraming, keepsConnection: Bool) {
        self.exchange = exchange
        self.framing = framing
        self.keepsConnection = keepsConnection
    }

    /// The id of the only operation of a stream of distinct connections mode.
    static let onlyID: Text = ""

    /// What stands before a result.
    func appendNextHead(into output: inout ByteQueue) {
        output.append("event: next\ndata: ")
    }

    /// Appends one event with a result.
    func appendNext(_ result: ByteQueue, into output: inout ByteQueue) {
        appendNextHead(into: &output)
        output.append(result)
        output.append("\n\n")
    }

    /// Appends the event that ends an operation. Without its empty data no browser would tell
    /// the page of it (HTML, server-sent events, dispatch).
    func appendComplete(into output: inout ByteQueue) {
        output.append("event: complete\ndata:\n\n")
    }

    /// Appends a line that no client tells its page of.
    static func appendComment(_ text: Text, into output: inout ByteQueue) {
        output.append(UInt8(ascii: ":"))
        if text.byteCount > 0 {
            output.append(UInt8(ascii: " "))
            output.append(utf8: text)
        }
        output.append("\n\n")
    }
}

/// How one subscriber's events are wrapped for the wire.
struct EventFraming: OptionSet {
    let rawValue: UInt8

    /// A WebSocket frame, where nothing else is said.
    static let webSocket: EventFraming = []
    /// An event of a stream.
    static let stream = EventFraming(rawValue: 1)
    /// In a chunk of its own (RFC 9112 §7.1); else the response ends with the connection.
    static let chunked = EventFraming(rawValue: 2)

    /// What stands behind the payload of an event.
    var tail: UnsafeRawBufferPointer {
        let text: StaticString = contains(.chunked) ? "\n\n\r\n" : "\n\n"
        return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// How much of the tail belongs to the event: the rest ends the chunk.
    static let eventTailCount = 2
    /// Room that `writeChunkHead` needs.
    static let chunkHeadBytesMax = 18

    /// Writes the line before a chunk. Returns its bytes.
    static func writeChunkHead(count: Int, to output: UnsafeMutableRawPointer) -> Int {
        var shift = (Int.bitWidth - max(count, 1).leadingZeroBitCount - 1) / 4 * 4
        var written = 0
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: count >> shift & 15)
            output.storeBytes(
                of: digit < 10 ? digit + 48 : digit + 87, toByteOffset: written, as: UInt8.self)
            written += 1
            shift -= 4
        }
        output.storeBytes(of: UInt8(ascii: "\r"), toByteOffset: written, as: UInt8.self)
        output.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: written + 1, as: UInt8.self)
        return written + 2
    }
}
