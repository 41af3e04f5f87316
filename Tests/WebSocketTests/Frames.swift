import Bytes
import TestKit
import WebSocket

/// A frame written by hand, so that it may break any rule.
func frame(
    _ first: UInt8, _ payload: [UInt8] = [], mask: [UInt8]? = [0x37, 0xfa, 0x21, 0x3d],
    lengthBytes: Int? = nil
) -> [UInt8] {
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    var bytes = [first]
    let form = lengthBytes ?? (payload.count < 126 ? 0 : payload.count < 65_536 ? 2 : 8)
    switch form {
    case 0: bytes.append(maskBit | UInt8(payload.count))
    case 2: bytes += [maskBit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default:
        bytes.append(maskBit | 127)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
        }
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
}

func text(_ string: String) -> [UInt8] { frame(0x81, Array(string.utf8)) }

func closeFrame(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
    frame(0x88, [UInt8(code >> 8), UInt8(code & 255)] + reason)
}

/// What a session made of its input.
struct Reading: Equatable {
    var events: [String] = []
    var replies: [UInt8] = []
    var keptBytes = 0
}

/// Reads the pieces in turn, each lent on its own and filled with rubbish after it is settled.
func read(
    _ pieces: [[UInt8]], role: WebSocketRole = .server, limits: WebSocketLimits = testLimits,
    inflater: Inflater? = nil
) -> Reading {
    var session = WebSocketSession(role: role, limits: limits, maskSeed: 1, inflater: inflater)
    var reading = Reading()
    var replies = ByteQueue()
    for piece in pieces {
        pull(piece, &session, &replies, &reading.events)
    }
    reading.replies = replies.array
    reading.keptBytes = session.keptBytes
    return reading
}

/// Lends one piece, pulls all its events and settles.
func pull(
    _ piece: [UInt8], _ session: inout WebSocketSession, _ replies: inout ByteQueue,
    _ events: inout [String]
) {
    var piece = piece
    piece.withUnsafeMutableBytes { bytes in
        session.lend(bytes)
        do throws(WebSocketError) {
            while let event = try session.next(&replies) { events.append(describe(event)) }
        } catch {
            events.append("error \(error)")
        }
        session.settle()
        for index in bytes.indices { bytes[index] = 0xaa }
    }
}

let testLimits = WebSocketLimits(messageBytesMax: 70_000, fragmentCountMax: 100)

func describe(_ event: WebSocketEvent) -> String {
    switch event {
    case .text(let bytes): "text " + String(decoding: bytes, as: UTF8.self)
    case .binary(let bytes): "binary " + Hex.encode(bytes)
    case .ping(let bytes): "ping " + Hex.encode(bytes)
    case .pong(let bytes): "pong " + Hex.encode(bytes)
    case .close(let code, let reason):
        "close \(code.map { "\($0)" } ?? "-") " + String(decoding: reason, as: UTF8.self)
    }
}

/// Whether all ways to cut the bytes give the same events and replies.
func isSameForAllCuts(
    _ bytes: [UInt8], role: WebSocketRole = .server, limits: WebSocketLimits = testLimits,
    inflater: Inflater? = nil
) -> Bool {
    let results = eventsForAllCuts(of: bytes) { pieces in
        let reading = read(pieces, role: role, limits: limits, inflater: inflater)
        return reading.events + [Hex.encode(reading.replies)]
    }
    return results.allSatisfy { $0 == results[0] }
}
