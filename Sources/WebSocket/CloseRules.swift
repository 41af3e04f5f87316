import Bytes

/// What may stand in a close frame (RFC 6455 §7.4 and its registry).
public enum CloseRules {
    /// Longest reason in bytes: a control frame's 125 less the code.
    public static let reasonBytesMax = 123

    /// Whether an endpoint may send the code. 1004 to 1006 and 1015 are for local use only;
    /// 1016 to 2999 are not registered; 3000 to 4999 belong to libraries and applications.
    public static func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Takes the payload of a received close frame apart.
    static func read(
        _ payload: UnsafeRawBufferPointer
    ) throws(WebSocketError) -> (code: UInt16?, reason: UnsafeRawBufferPointer) {
        if payload.isEmpty { return (nil, payload) }
        guard payload.count >= 2 else { throw .malformedClose }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard maySend(code) else { throw .invalidCloseCode(code) }
        let reason = UnsafeRawBufferPointer(rebasing: payload[2...])
        guard UTF8Check.isValid(reason) else { throw .invalidUTF8 }
        return (code, reason)
    }

    /// How many bytes of a reason fit, cut at a character's end.
    static func fittingCount(_ reason: UnsafeRawBufferPointer) -> Int {
        if reason.count <= reasonBytesMax { return reason.count }
        var end = reasonBytesMax
        // 10xxxxxx goes on with a character: cut before the byte that begins it.
        while end > 0 && reason[end] & 0xc0 == 0x80 { end -= 1 }
        return end
    }
}
