import Bytes
import HTTP1
import TestKit

/// Reads the pieces in turn and says what happened; body parts that follow each other are one.
func reading(
    _ pieces: [[UInt8]], role: HTTPRole = .server, limits: HTTPLimits = testLimits,
    ends: Bool = false
) -> [String] {
    var reader = HTTPReader(role: role, limits: limits)
    var events: [String] = []
    var body: [UInt8] = []
    func flushBody() {
        if !body.isEmpty { events.append("body " + String(decoding: body, as: UTF8.self)) }
        body = []
    }
    func pull() -> Bool {
        do throws(HTTPError) {
            while let event = try reader.next() {
                if case .body(let part) = event {
                    body += part
                    continue
                }
                flushBody()
                events.append(text(of: event))
            }
            return true
        } catch {
            flushBody()
            events.append("error \(error.status) \(error)")
            return false
        }
    }
    var isGood = true
    for piece in pieces where isGood {
        piece.withUnsafeBytes { reader.append($0) }
        isGood = pull()
    }
    if ends && isGood {
        reader.inputEnded()
        _ = pull()
    }
    flushBody()
    return events
}

let testLimits = HTTPLimits(bodyBytesMax: 1_000)

private func text(of event: HTTPEvent) -> String {
    switch event {
    case .head(let head):
        head.status > 0 ? "head \(head.status)" : "head \(head.method) \(head.target)"
    case .continueExpected: "continue?"
    case .body: "body"
    case .end: "end"
    }
}

func reading(_ text: String, role: HTTPRole = .server, ends: Bool = false) -> [String] {
    reading([Array(text.utf8)], role: role, ends: ends)
}

/// Whether all ways to cut the bytes give the same events.
func isSameForAllCuts(
    _ bytes: [UInt8], role: HTTPRole = .server, limits: HTTPLimits = testLimits,
    ends: Bool = false
) -> Bool {
    let results = eventsForAllCuts(of: bytes) {
        reading($0, role: role, limits: limits, ends: ends)
    }
    return results.allSatisfy { $0 == results[0] }
}

/// The head at the start of the text, which must be whole.
func head(_ text: String, role: HTTPRole = .server) throws -> HTTPHead {
    var reader = HTTPReader(role: role, limits: testLimits)
    Array(text.utf8).withUnsafeBytes { reader.append($0) }
    guard case .head(let head) = try reader.next() else { throw HTTPError.cutShort }
    return head
}
