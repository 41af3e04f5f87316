import Bytes
import HTTP1

/// Requests and responses: the same events however the bytes are cut, nothing beyond the limits,
/// and the framing of a request that a second reader would see too.
enum HTTPFuzz {
    private static let bodyBytesMax = 4_096

    static func take(_ input: inout Input) {
        let decision = input.decision()
        let stride = input.decision()
        let role: HTTPRole = decision & 1 == 0 ? .server : .client
        let isAnswerToHEAD = decision & 2 != 0
        let hasEnd = decision & 4 != 0
        let bytes = input.restArray
        let whole = read([bytes], role, isAnswerToHEAD, hasEnd)
        let cut = read(pieces(of: bytes, stride: stride), role, isAnswerToHEAD, hasEnd)
        demand(whole == cut, "cut otherwise, HTTP reads otherwise:\n\(whole)\n\(cut)")
        let single = read(bytes.map { [$0] }, role, isAnswerToHEAD, hasEnd)
        demand(whole == single, "byte by byte, HTTP reads otherwise:\n\(whole)\n\(single)")
    }

    /// The events as text. Bodies are joined: where they are cut is no event.
    private static func read(
        _ pieces: [[UInt8]], _ role: HTTPRole, _ isAnswerToHEAD: Bool, _ hasEnd: Bool
    ) -> [String] {
        var reader = HTTPReader(role: role, limits: HTTPLimits(bodyBytesMax: bodyBytesMax))
        reader.isAnswerToHEAD = isAnswerToHEAD
        var events: [String] = []
        var body: [UInt8] = []
        do throws(HTTPError) {
            for piece in pieces {
                piece.withUnsafeBytes { reader.append($0) }
                try pull(&reader, &events, &body)
            }
            if hasEnd {
                reader.inputEnded()
                try pull(&reader, &events, &body)
            }
        } catch {
            events.append("error \(error)")
        }
        if !body.isEmpty { events.append("body \(body)") }
        return events
    }

    private static func pull(
        _ reader: inout HTTPReader, _ events: inout [String], _ body: inout [UInt8]
    ) throws(HTTPError) {
        while let event = try reader.next() {
            switch event {
            case .head(let head): events.append("head \(describe(head, reader.role))")
            case .continueExpected: events.append("continue")
            case .body(let part):
                body.append(contentsOf: part)
                demand(body.count <= bodyBytesMax, "a body goes beyond its limit")
            case .end:
                events.append("end \(body)")
                body = []
            }
        }
    }

    /// Touches everything that is made of a head.
    private static func describe(_ head: HTTPHead, _ role: HTTPRole) -> String {
        var text = "keeps \(head.keepsConnection)"
        if role == .server {
            text += " path \(head.path) query \(head.query) GET \(head.isMethod("GET"))"
            text += " items \(head.queryItems()?.map { "\($0.name)=\($0.value)" } ?? [])"
        }
        for name in ["Host", "Connection", "Content-Length", "Upgrade"] as [StaticString] {
            text += " \(head.values(of: name)) \(head.contains("close", in: name))"
        }
        return text
    }
}
