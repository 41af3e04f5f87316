import Bytes
import HTTP1
import WebSocket

/// Frames of both roles, with and without permessage-deflate: the same events however the bytes
/// are cut, nothing beyond the limits, and what one role writes is what the other reads.
enum WebSocketFuzz {
    private static let limits = WebSocketLimits(messageBytesMax: 2_000, fragmentCountMax: 20)
    private nonisolated(unsafe) static let inflater = Inflater()
    private nonisolated(unsafe) static let deflater = Deflater(windowBits: 9)

    static func take(_ input: inout Input) {
        let decision = input.decision()
        let stride = input.decision()
        let role: WebSocketRole = decision & 1 == 0 ? .server : .client
        let isCompressed = decision & 2 != 0
        let bytes = input.restArray
        switch decision >> 2 & 3 {
        case 0, 1:
            let whole = read([bytes], role, isCompressed)
            let cut = read(pieces(of: bytes, stride: stride), role, isCompressed)
            demand(whole == cut, "cut otherwise, frames read otherwise:\n\(whole)\n\(cut)")
            let single = read(bytes.map { [$0] }, role, isCompressed)
            demand(whole == single, "byte by byte, frames read otherwise:\n\(whole)\n\(single)")
        case 2: exchange(bytes, from: role, isCompressed, stride)
        default: negotiate(bytes)
        }
    }

    private static func session(_ role: WebSocketRole, _ isCompressed: Bool) -> WebSocketSession {
        WebSocketSession(
            role: role, limits: limits, maskSeed: 7, inflater: isCompressed ? inflater : nil)
    }

    /// The events and replies as text.
    private static func read(
        _ pieces: [[UInt8]], _ role: WebSocketRole, _ isCompressed: Bool
    ) -> [String] {
        var session = session(role, isCompressed)
        var events: [String] = []
        var replies = ByteQueue()
        for piece in pieces {
            var piece = piece
            let goesOn = piece.withUnsafeMutableBytes {
                pull($0, &session, &events, &replies)
            }
            guard goesOn else { break }
            demand(
                session.keptBytes <= 2 * limits.messageBytesMax + 4_000, "more is kept than allowed"
            )
        }
        return events + ["replies \(replies.array)"]
    }

    private static func pull(
        _ bytes: UnsafeMutableRawBufferPointer, _ session: inout WebSocketSession,
        _ events: inout [String], _ replies: inout ByteQueue
    ) -> Bool {
        session.lend(bytes)
        do throws(WebSocketError) {
            while let event = try session.next(&replies) {
                events.append(describe(event))
            }
        } catch {
            events.append("error \(error)")
            session.appendClose(error.closeCode, reason: Text(error.reason), to: &replies)
            return false
        }
        session.settle()
        return !session.isOver
    }

    private static func describe(_ event: WebSocketEvent) -> String {
        switch event {
        case .text(let bytes):
            demand(UTF8Check.isValid(bytes), "a text is not UTF-8")
            demand(bytes.count <= limits.messageBytesMax, "a message goes beyond its limit")
            return "text \(Array(bytes))"
        case .binary(let bytes):
            demand(bytes.count <= limits.messageBytesMax, "a message goes beyond its limit")
            return "binary \(Array(bytes))"
        case .ping(let bytes): return "ping \(Array(bytes))"
        case .pong(let bytes): return "pong \(Array(bytes))"
        case .close(let code, let reason): return "close \(code ?? 0) \(Array(reason))"
        }
    }

    /// Writes the bytes as messages in the other role, and reads them in this one.
    private static func exchange(
        _ bytes: [UInt8], from role: WebSocketRole, _ isCompressed: Bool, _ stride: UInt8
    ) {
        var writer = session(role == .server ? .client : .server, isCompressed)
        var wire = ByteQueue()
        var expected: [String] = []
        for piece in pieces(of: bytes, stride: stride) where piece.count <= limits.messageBytesMax {
            piece.withUnsafeBytes { payload in
                expected.append("binary \(piece)")
                if isCompressed, let small = deflater.deflate(payload) {
                    writer.appendFrame(.binary, small, isCompressed: true, to: &wire)
                } else {
                    writer.appendFrame(.binary, payload, to: &wire)
                }
            }
        }
        let got = read(pieces(of: wire.array, stride: stride &+ 1), role, isCompressed)
        demand(got.dropLast().elementsEqual(expected), "what was written is not what was read")
    }

    /// The handshake's fields, both roles.
    private static func negotiate(_ bytes: [UInt8]) {
        var reader = HTTPReader(role: .server, limits: HTTPLimits(bodyBytesMax: 0))
        bytes.withUnsafeBytes { reader.append($0) }
        guard case .head(let head)? = try? reader.next() else { return }
        let parameters = Handshake.deflate(for: head)
        if let parameters {
            for role in [WebSocketRole.server, .client] {
                let bits = parameters.windowBits(of: role)
                demand(
                    bits.map { (9...15).contains($0) } ?? true, "a window of \(bits as Any) bits")
            }
        }
        var response = ByteQueue()
        do throws(HandshakeRefusal) {
            try Handshake.accept(head, subprotocol: nil, deflate: parameters, to: &response)
        } catch {
            error.append(to: &response)
        }
        // What we answer is a response that a client reads.
        var client = HTTPReader(role: .client, limits: HTTPLimits(bodyBytesMax: 4_096))
        response.withBytes { client.append($0) }
        guard case .head? = try? client.next() else { fatalError("FOUND: a response is no HTTP") }
    }
}
