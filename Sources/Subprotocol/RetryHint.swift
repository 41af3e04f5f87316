public import Bytes

/// When a server that closes a socket asks the client to come again: words at the end of the close
/// frame's reason, as in `Service Restart; retry after 2417 ms`.
///
/// Stock clients take them for part of the text. RFC 6455 §7.1.6 leaves a reason's meaning to the
/// two ends.
public enum RetryHint {
    private static let words = "; retry after "
    private static let unit = " ms"

    /// A reason with the hint behind it.
    static func text(_ reason: Text, _ milliseconds: Int64) -> Text {
        Text("\(reason)\(words)\(max(0, milliseconds))\(unit)")
    }

    /// The milliseconds that a reason asks for; nil if it has no hint.
    public static func milliseconds(in reason: Text) -> Int64? {
        let text = reason.string
        guard text.hasSuffix(unit) else { return nil }
        let digits = text.dropLast(unit.count).reversed().prefix { $0.isASCII && $0.isNumber }
        guard text.dropLast(unit.count + digits.count).hasSuffix(words) else { return nil }
        return Int64(String(digits.reversed()))
    }
}
