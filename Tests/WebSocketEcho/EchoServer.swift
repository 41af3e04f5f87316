import Bytes
import HTTP1
import Loop
import WebSocket

/// Sends every message back as it came, for conformance suites: the hub's own rooms for loop,
/// HTTP and WebSocket, and nothing in between.
final class EchoServer: LoopHandler {
    private enum Stage {
        case handshake(HTTPReader)
        case open(Echo)
        case over
    }

    private let loop: EventLoop
    private let shared = Echo.Shared()
    private var stages: [UInt64: Stage] = [:]

    init(_ loop: EventLoop) { self.loop = loop }

    func accepted(_ connection: UInt64, peer: PeerAddress) {
        let limits = HTTPLimits(bodyBytesMax: 0)
        stages[connection] = .handshake(HTTPReader(role: .server, limits: limits))
    }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        switch stages.updateValue(.over, forKey: connection) {
        case .handshake(let reader):
            shakeHands(connection, reader, UnsafeRawBufferPointer(bytes))
        case .open(let echo): take(connection, echo, bytes)
        case .over, nil: break
        }
    }

    func drained(_ connection: UInt64) { loop.resumeReading(connection) }

    func closed(_ connection: UInt64, _ reason: CloseReason) { stages[connection] = nil }

    private func shakeHands(
        _ connection: UInt64, _ reader: HTTPReader, _ bytes: UnsafeRawBufferPointer
    ) {
        var reader = reader
        var response = ByteQueue()
        var deflate: DeflateParameters?
        reader.append(bytes)
        do throws(HTTPError) {
            guard case .head(let head) = try reader.next() else {
                stages[connection] = .handshake(reader)
                return
            }
            deflate = Handshake.deflate(for: head)
            do throws(HandshakeRefusal) {
                try Handshake.accept(head, subprotocol: nil, deflate: deflate, to: &response)
            } catch {
                error.append(to: &response)
                return end(connection, response)
            }
        } catch {
            return end(connection, response)
        }
        loop.write(connection, response)
        var rest = reader.takeRest()
        let echo = Echo(role: .server, deflate: deflate, shared)
        rest.withMutableBytes { take(connection, echo, $0) }
    }

    private func take(
        _ connection: UInt64, _ echo: Echo, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        var echo = echo
        var replies = ByteQueue()
        guard case .goesOn = echo.take(bytes, &replies) else { return end(connection, replies) }
        loop.write(connection, replies)
        // Who does not read is not read from.
        if loop.backlogBytes(connection) > 0 { loop.pauseReading(connection) }
        stages[connection] = .open(echo)
    }

    /// The server hangs up first (RFC 6455 §7.1.1).
    private func end(_ connection: UInt64, _ lastBytes: ByteQueue) {
        loop.write(connection, lastBytes)
        loop.close(connection, .afterFlush())
    }
}
