/// Why a connection is failed (RFC 6455 §7.1.7): always the peer's fault.
///
/// The owner answers with `appendClose(error.closeCode, reason: error.reason)` and ends the
/// connection.
public enum WebSocketError: Error, Hashable, Sendable {
    /// A reserved bit where no agreed extension gives it a meaning (§5.2; RFC 7692 §6.1).
    case reservedBits
    /// An opcode that is not defined (§5.2).
    case reservedOpcode(UInt8)
    /// A frame of a client without mask (§5.1).
    case unmaskedFrame
    /// A frame of a server with a mask (§5.1).
    case maskedFrame
    /// A control frame in fragments (§5.5).
    case fragmentedControl
    /// A control frame of more than 125 bytes (§5.5).
    case controlTooLong
    /// A length in a longer form than it needs, or beyond 63 bits (§5.2).
    case malformedLength
    /// A continuation without a message to continue (§5.4).
    case unexpectedContinuation
    /// A new message inside the fragments of another (§5.4).
    case interleavedMessage
    /// A message longer than the limit; the size that is known so far.
    case messageTooLong(size: Int, limit: Int)
    /// A message that inflates to more than the limit; how much more is not found out.
    case inflatedTooLong(limit: Int)
    /// A compressed message that is no deflate stream, or ends inside a block (RFC 7692 §7.2.2).
    case malformedCompression
    /// A message in more fragments than the limit.
    case tooManyFragments(limit: Int)
    /// A text or close reason that is not UTF-8 (§8.1).
    case invalidUTF8
    /// A close frame of one byte (§5.5.1).
    case malformedClose
    /// A close code that must not be sent (§7.4).
    case invalidCloseCode(UInt16)

    /// The code for the close frame that answers it (§7.4.1).
    public var closeCode: UInt16 {
        switch self {
        case .messageTooLong, .inflatedTooLong: 1009
        case .tooManyFragments: 1008
        case .invalidUTF8, .malformedCompression: 1007
        default: 1002
        }
    }

    /// A sentence for the close frame, with sizes and limits but nothing of the message.
    public var reason: String {
        switch self {
        case .reservedBits: "reserved bit is set where no extension gives it a meaning"
        case .reservedOpcode(let opcode): "opcode \(opcode) is reserved"
        case .unmaskedFrame: "frame from the client is not masked"
        case .maskedFrame: "frame from the server is masked"
        case .fragmentedControl: "control frame is fragmented"
        case .controlTooLong: "control frame is over the limit of 125 bytes"
        case .malformedLength: "frame length is not in its shortest form"
        case .unexpectedContinuation: "continuation frame without a message"
        case .interleavedMessage: "new message inside a fragmented one"
        case .messageTooLong(let size, let limit):
            "message of \(size) bytes is over the limit of \(limit)"
        case .inflatedTooLong(let limit):
            "compressed message inflates to more than the limit of \(limit) bytes"
        case .malformedCompression: "compressed message is not deflated rightly"
        case .tooManyFragments(let limit): "message has more than \(limit) fragments"
        case .invalidUTF8: "text is not UTF-8"
        case .malformedClose: "close frame of one byte"
        case .invalidCloseCode(let code): "close code \(code) must not be sent"
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    /// Close code and reason.
    public var description: String { "\(closeCode): \(reason)" }
}
