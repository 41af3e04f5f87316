public import Bytes
public import GraphQL
public import JSON

/// A directive that restricts access and that nothing enforces yet.
///
/// `heliograph check` accepts a schema with such rules and lists them; `heliograph serve` refuses
/// it: records that their owner believes protected must not be open.
public struct UnenforcedRule: Sendable, Hashable, CustomStringConvertible {
    /// The directive's name without the at sign.
    public var directive: Text
    /// The type that it stands on, or whose field it stands on.
    public var type: Text
    /// The field that it stands on; nil if it stands on the type.
    public var field: Text?
    /// Where it stands in the SDL.
    public var location: SourceLocation
    /// Its arguments as they are written; enum values are strings.
    public var arguments: JSONObject

    /// A rule.
    public init(
        directive: Text, type: Text, field: Text?, location: SourceLocation,
        arguments: JSONObject
    ) {
        self.directive = directive
        self.type = type
        self.field = field
        self.location = location
        self.arguments = arguments
    }

    /// The sentence.
    public var description: String { sentence }

    /// Why the schema is not served.
    public var sentence: String {
        let place = field.map { "\(type).\($0)" } ?? type.string
        return "line \(location.line): @\(directive) on \(place) restricts access, which this "
            + "server does not enforce yet; it does not serve such a schema, because everybody "
            + "could read and change what the rule protects"
    }
}
