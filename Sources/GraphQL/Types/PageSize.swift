public import Bytes
import JSON

/// How many items the list may have that a field gives, by an argument of the field. The estimate
/// of an operation's cost multiplies by it.
///
/// The list is the field's own value, or lists within it: a connection's items.
public struct PageSize: Sendable, Hashable {
    /// The argument that says how many.
    public var argument: Text
    /// How many there are at most without it.
    public var usual: Int
    /// More than this is never given, whatever the argument says.
    public var max: Int

    /// A page size.
    public init(argument: Text, usual: Int, max: Int) {
        self.argument = argument
        self.usual = usual
        self.max = max
    }

    /// How many items an argument's value asks for at most; nil if there is none.
    func count(_ value: JSONValue?) -> Int {
        guard let value, !value.isNull else { return usual }
        // What is no number, or out of range, is refused by the field itself.
        return Int(Swift.min(Swift.max(value.integer ?? 0, 0), Int64(max)))
    }
}
