import Bytes
import WebSocket

/// One WebSocket of either role that sends every message back as it came.
struct Echo {
    /// What all connections of a process share: compression's memory.
    final class Shared {
        let inflater = Inflater()
        private var deflaters: [Int: Deflater] = [:]

        /// The message compressed, also where that makes it longer.
        func compressed(
            _ message: UnsafeRawBufferPointer, windowBits: Int
        ) -> UnsafeRawBufferPointer? {
            let deflater = deflaters[windowBits] ?? Deflater(windowBits: windowBits)
            deflaters[windowBits] = deflater
            return deflater.deflate(message, saving: -(message.count / 4 + 1_024))
        }
    }

    /// What becomes of the connection.
    enum Outcome {
        case goesOn
        /// The peer's close frame has come and is answered.
        case closed
        /// The peer broke the rules and is told so.
        case refused
    }

    /// Bytes of a message or frame; the fragments may be as many as they like.
    static let messageBytesMax = 16 * 1024 * 1024

    private var session: WebSocketSession
    /// The window to compress within; nil to send everything as it is.
    private let windowBits: Int?
    private let shared: Shared

    init(role: WebSocketRole, deflate: DeflateParameters?, _ shared: Shared) {
        let limits = WebSocketLimits(
            messageBytesMax: Self.messageBytesMax, fragmentCountMax: .max)
        session = WebSocketSession(
            role: role, limits: limits,
            maskSeed: UInt64.random(in: .min ... .max),
            inflater: deflate == nil ? nil : shared.inflater)
        windowBits = deflate?.windowBits(of: role)
        self.shared = shared
    }

    /// Takes bytes of the peer, which are changed in place, and appends what answers them.
    ///
    /// - Parameter each: sees each text message.
    mutating func take(
        _ bytes: UnsafeMutableRawBufferPointer, _ replies: inout ByteQueue,
        each: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) -> Outcome {
        session.lend(bytes)
        do throws(WebSocketError) {
            while let event = try session.next(&replies) {
                switch event {
                case .text(let message):
                    each(message)
                    send(.text, message, to: &replies)
                case .binary(let message): send(.binary, message, to: &replies)
                case .ping, .pong: break
                case .close: return .closed
                }
            }
        } catch {
            session.appendClose(error.closeCode, reason: Text(error.reason), to: &replies)
            return .refused
        }
        session.settle()
        return .goesOn
    }

    private mutating func send(
        _ opcode: WebSocketOpcode, _ message: UnsafeRawBufferPointer, to replies: inout ByteQueue
    ) {
        // All of them, unlike the hub: it is compression that is tested here. And kosoku cannot
        // read an echo that goes uncompressed where compression was agreed on.
        let body = windowBits.flatMap { shared.compressed(message, windowBits: $0) }
        session.appendFrame(opcode, body ?? message, isCompressed: body != nil, to: &replies)
    }
}
