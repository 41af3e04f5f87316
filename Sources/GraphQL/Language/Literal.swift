public import Bytes
public import JSON

/// A value as it is written in a document (GraphQL 2.9).
public struct Literal: Sendable {
    /// The forms of a value.
    public enum Kind: Sendable {
        /// `$name`.
        case variable(Text)
        /// An integer's digits, of any length.
        case int(Text)
        /// A number with fraction or exponent.
        case float(Text)
        /// A string's characters, unescaped; a block string's without its indentation.
        case string(Text)
        /// `true` or `false`.
        case boolean(Bool)
        /// `null`.
        case null
        /// A bare name.
        case enumValue(Text)
        /// `[ … ]`.
        case list([Literal])
        /// `{ … }`, in the written order; names may repeat, which validation refuses.
        case object([Argument])
    }

    /// The value.
    public var kind: Kind
    /// Its first byte.
    public var offset: Int

    /// A value; made in code it stands at 0.
    public init(_ kind: Kind, offset: Int = 0) {
        self.kind = kind
        self.offset = offset
    }

    /// Whether this is `null`.
    public var isNull: Bool { if case .null = kind { true } else { false } }

    /// The characters, if this is a string.
    public var string: Text? { if case .string(let text) = kind { text } else { nil } }

    /// Whether this is or holds a variable.
    public var hasVariables: Bool {
        switch kind {
        case .variable: true
        case .list(let items): items.contains { $0.hasVariables }
        case .object(let fields): fields.contains { $0.value.hasVariables }
        default: false
        }
    }

    /// The value without regard to any type, or nil for a number that no `JSONValue` holds.
    /// Enum values become strings. Variables are taken from `variables`; without a value they
    /// are null, and left out of objects.
    public func untyped(_ variables: (Text) -> JSONValue?) -> JSONValue? {
        switch kind {
        case .variable(let name): return variables(name) ?? .null
        case .int(let digits):
            if let value = Int64(digits.string) { return .int(value) }
            return Double(digits.string).flatMap { $0.isFinite ? .double($0) : nil }
        case .float(let digits):
            return Double(digits.string).flatMap { $0.isFinite ? .double($0) : nil }
        case .string(let text), .enumValue(let text): return .string(text)
        case .boolean(let value): return .bool(value)
        case .null: return .null
        case .list(let items):
            var values: [JSONValue] = []
            for item in items {
                guard let value = item.untyped(variables) else { return nil }
                values.append(value)
            }
            return .array(values)
        case .object(let fields):
            var object = JSONObject()
            for field in fields {
                if case .variable(let name) = field.value.kind, variables(name) == nil { continue }
                guard let value = field.value.untyped(variables) else { return nil }
                object[field.name.text] = value
            }
            return .object(object)
        }
    }

    /// What kind of value this is, in the words of an error message.
    public var kindName: String {
        switch kind {
        case .variable: "a variable"
        case .int: "an integer"
        case .float: "a float"
        case .string: "a string"
        case .boolean: "a boolean"
        case .null: "null"
        case .enumValue: "an enum value"
        case .list: "a list"
        case .object: "an object"
        }
    }
}
