import Bytes
import HTTP1

/// The date that answers bear (RFC 9110 §6.6.1), written once a second.
struct DateText {
    private var second: Int64 = -1
    private var text: Text = ""

    /// The date of that time of day. A clock that is set to nonsense gives the nearest date that
    /// can be written.
    mutating func text(unixMilliseconds: Int64) -> Text {
        let second = min(max(0, unixMilliseconds / 1_000), 253_402_300_799)
        guard second != self.second else { return text }
        self.second = second
        var bytes = ByteQueue()
        HTTPDate.append(unixSeconds: second, to: &bytes)
        text = bytes.withBytes { Text(utf8: $0) }
        return text
    }
}
