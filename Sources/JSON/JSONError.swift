/// Why bytes are not the JSON that was asked for: always the peer's fault.
public struct JSONError: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// The text ended inside a value.
        case endOfText
        /// A byte that cannot stand here.
        case unexpectedByte
        /// Bytes behind the value.
        case trailingBytes
        /// A string with a control character or an unknown escape.
        case badString
        /// Bytes that are not UTF-8, or an escaped surrogate without its other half.
        case badUnicode
        /// A number not as RFC 8259 §6 writes it.
        case badNumber
        /// A number beyond the range of a double.
        case numberOutOfRange
        /// Deeper nesting than the limit, which is given.
        case tooDeep(limit: Int)
    }

    /// What is wrong.
    public var reason: Reason
    /// Where: bytes from the start of the text.
    public var byteOffset: Int

    /// A fault at a place.
    public init(reason: Reason, byteOffset: Int) {
        self.reason = reason
        self.byteOffset = byteOffset
    }

    /// A sentence without the text's own content.
    public var description: String {
        let what =
            switch reason {
            case .endOfText: "the JSON text ends inside a value"
            case .unexpectedByte: "unexpected character in JSON"
            case .trailingBytes: "more characters after the JSON value"
            case .badString: "control character or unknown escape in a JSON string"
            case .badUnicode: "invalid Unicode in a JSON string"
            case .badNumber: "malformed JSON number"
            case .numberOutOfRange: "JSON number beyond the range of a double"
            case .tooDeep(let limit): "JSON nested deeper than the limit of \(limit)"
            }
        return "\(what) (at byte \(byteOffset))"
    }
}
