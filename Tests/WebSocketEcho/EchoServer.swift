import Bytes
import HTTP1
import Loop
import WebSocket

/// Sends every message back as it came, for conformance suites: the hub's own rooms for loop,
/// HTTP and WebSocket, and nothing in between.
final class EchoServer: LoopHandler {
    /// Bytes of a message or frame.
    private static let messageBytesMax = 16 * 1024 * 1024

    private enum Stage {
        case handshake(HTTPReader)
        case open(WebSocketSession)
        case over
    }

    private let loop: EventLoop
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
        case .open(let session): echo(connection, session, bytes)
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
        reader.append(bytes)
        do throws(HTTPError) {
            guard case .head(let head) = try reader.next() else {
                stages[connection] = .handshake(reader)
                return
            }
            do throws(HandshakeRefusal) {
                try Handshake.accept(head, subprotocol: nil, to: &response)
            } catch {
                error.append(to: &response)
                end(connection, response)
                return
            }
        } catch {
            end(connection, response)
            return
        }
        loop.write(connection, response)
        let session = WebSocketSession(
            role: .server, limits: WebSocketLimits(messageBytesMax: Self.messageBytesMax))
        var rest = reader.takeRest()
        rest.withMutableBytes { echo(connection, session, $0) }
    }

    private func echo(
        _ connection: UInt64, _ session: WebSocketSession, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        var session = session
        var replies = ByteQueue()
        session.lend(bytes)
        do throws(WebSocketError) {
            while let event = try session.next(&replies) {
                switch event {
                case .text(let message): session.appendFrame(.text, message, to: &replies)
                case .binary(let message): session.appendFrame(.binary, message, to: &replies)
                case .ping, .pong: break
                case .close:
                    end(connection, replies)
                    return
                }
            }
        } catch {
            session.appendClose(error.closeCode, reason: Text(error.reason), to: &replies)
            end(connection, replies)
            return
        }
        session.settle()
        loop.write(connection, replies)
        // Who does not read is not read from.
        if loop.backlogBytes(connection) > 0 { loop.pauseReading(connection) }
        stages[connection] = .open(session)
    }

    private func end(_ connection: UInt64, _ lastBytes: ByteQueue) {
        loop.write(connection, lastBytes)
        loop.close(connection, .afterFlush())
    }
}
