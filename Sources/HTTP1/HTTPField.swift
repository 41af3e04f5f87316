public import Bytes

/// One field line to be written: a name and its value.
public struct HTTPField: Sendable, Hashable {
    /// The name; a token (RFC 9110 §5.1).
    public var name: Text
    /// The value. Line ends and other control characters are written as blanks.
    public var value: Text

    /// A field line.
    public init(_ name: Text, _ value: Text) {
        self.name = name
        self.value = value
    }

    /// Whether a text may be a field's name.
    public static func isName(_ text: Text) -> Bool { text.withBytes { ASCII.isToken($0[...]) } }
}
