import Bytes
import JSON
import Testing

/// A WebSocket to a hub that can send what no decent client sends.
final class SocketClient {
    /// What the hub sent: a message, or the close with which it ended the connection.
    enum Answer: Equatable {
        case text(String)
        case close(code: Int, reason: String)
    }

    private let connection: RawConnection

    /// Opens the socket; with a key, also the graphql-transport-ws or legacy session on it.
    init(
        _ hub: RunningHub, _ subprotocol: String = "graphql-transport-ws", key: String? = testKey
    ) throws {
        connection = try RawConnection(port: hub.port)
        try connection.send(
            """
            GET /graphql HTTP/1.1\r
            Host: 127.0.0.1:\(hub.port)\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            Sec-WebSocket-Protocol: \(subprotocol)\r
            \r\n
            """)
        let head = try #require(try connection.take(through: "\r\n\r\n"))
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        guard let key else { return }
        try send("{\"type\":\"connection_init\",\"payload\":{\"x-api-key\":\"\(key)\"}}")
        while true {
            guard case .text(let text)? = try next() else {
                throw ProgramFailure("the hub closed the socket instead of acknowledging it")
            }
            if text.contains("connection_ack") { return }
        }
    }

    /// Sends a text message; masked, with a mask that changes nothing.
    func send(_ text: String) throws { try send(frame: Self.frame(text)) }

    /// Sends an operation in the words of graphql-transport-ws.
    func subscribe(_ id: String, _ query: String) throws {
        try send(Self.subscribe(id, query))
    }

    static func subscribe(_ id: String, _ query: String) -> String {
        let message: JSONValue = [
            "id": .string(Text(id)), "type": "subscribe",
            "payload": ["query": .string(Text(query))],
        ]
        return message.written
    }

    /// Sends bytes as they are.
    func send(frame: [UInt8]) throws { try connection.send(frame) }

    /// A client's text frame.
    static func frame(_ text: String) -> [UInt8] {
        let payload = Array(text.utf8)
        let size: [UInt8] =
            switch payload.count {
            case ..<126: [0x80 | UInt8(payload.count)]
            case ..<65_536: [0xfe, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
            default: [0xff] + (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 0xff) }
            }
        return [0x81] + size + [0, 0, 0, 0] + payload
    }

    /// The next message or close; pings are passed over. Nil at the end of the connection.
    func next() throws -> Answer? {
        while let head = try connection.take(2) {
            var count = Int(head[1])
            if count >= 126 {
                let bytes = try connection.take(count == 126 ? 2 : 8) ?? []
                count = bytes.reduce(0) { $0 << 8 | Int($1) }
            }
            let payload = try connection.take(count) ?? []
            switch head[0] {
            case 0x81: return .text(String(decoding: payload, as: UTF8.self))
            case 0x88 where count >= 2:
                return .close(
                    code: Int(payload[0]) << 8 | Int(payload[1]),
                    reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
            default: continue
            }
        }
        return nil
    }

    /// The close, and the messages that came before it.
    func rest() throws -> (messages: [String], close: Answer?) {
        var messages: [String] = []
        while let answer = try next() {
            guard case .text(let text) = answer else { return (messages, answer) }
            messages.append(text)
        }
        return (messages, nil)
    }
}
