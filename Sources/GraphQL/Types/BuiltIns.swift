import Bytes
import JSON

/// What every schema has (GraphQL 3.5, 3.13).
enum BuiltIns {
    /// The built-in scalars' numbers, the same in every schema.
    enum Scalar: TypeID, CaseIterable {
        case int
        case float
        case string
        case boolean
        case id

        var name: Text {
            switch self {
            case .int: "Int"
            case .float: "Float"
            case .string: "String"
            case .boolean: "Boolean"
            case .id: "ID"
            }
        }

        var coercion: ScalarCoercion {
            switch self {
            case .int: ScalarCoercion(input: BuiltIns.int)
            case .float: ScalarCoercion(input: BuiltIns.float)
            case .string: ScalarCoercion(input: BuiltIns.string)
            case .boolean: ScalarCoercion(input: BuiltIns.boolean)
            case .id: ScalarCoercion(input: BuiltIns.id)
            }
        }
    }

    /// Names of the built-in directives.
    static let directiveNames: [Text] = ["skip", "include", "deprecated", "specifiedBy", "oneOf"]

    /// Scalars and directives as text: they go the same way as the operator's own.
    static let definitions: Text = """
        "A whole number of 32 bits, signed."
        scalar Int
        "A number of double precision (IEEE 754)."
        scalar Float
        "Characters of Unicode."
        scalar String
        "True or false."
        scalar Boolean
        "A unique name of an object, not meant for human eyes. Written as a string."
        scalar ID
        "Leaves the selection out if the argument is true."
        directive @skip("Whether to leave out." if: Boolean!)
            on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        "Takes the selection in only if the argument is true."
        directive @include("Whether to take in." if: Boolean!)
            on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        "Says that something should not be used any more."
        directive @deprecated(
            "Why, and what to use instead." reason: String! = "No longer supported")
            on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
        "Says where a scalar's form is described."
        directive @specifiedBy("The description's address." url: String!) on SCALAR
        "Says that exactly one field of an input object must be given."
        directive @oneOf on INPUT_OBJECT
        """

    private static func int(_ value: JSONValue) -> Result<JSONValue, CoercionError> {
        switch value {
        case .int(let number):
            if Int32(exactly: number) != nil { return .success(value) }
            return .failure(CoercionError("Int cannot represent an integer beyond 32 bits"))
        case .double(let number):
            // GraphQL 3.5.1: a number with an empty fraction is an integer.
            if let whole = Int32(exactly: number) { return .success(.int(Int64(whole))) }
            return .failure(
                CoercionError("Int cannot represent a number with a fraction or beyond 32 bits"))
        default:
            return .failure(CoercionError("Int cannot represent \(value.kindName)"))
        }
    }

    private static func float(_ value: JSONValue) -> Result<JSONValue, CoercionError> {
        switch value {
        case .int(let number): .success(.double(Double(number)))
        case .double(let number) where number.isFinite: .success(value)
        default: .failure(CoercionError("Float cannot represent \(value.kindName)"))
        }
    }

    private static func string(_ value: JSONValue) -> Result<JSONValue, CoercionError> {
        if case .string = value { return .success(value) }
        return .failure(CoercionError("String cannot represent \(value.kindName)"))
    }

    private static func boolean(_ value: JSONValue) -> Result<JSONValue, CoercionError> {
        if case .bool = value { return .success(value) }
        return .failure(CoercionError("Boolean cannot represent \(value.kindName)"))
    }

    private static func id(_ value: JSONValue) -> Result<JSONValue, CoercionError> {
        switch value {
        case .string: .success(value)
        case .int(let number): .success(.string(Text(String(number))))
        case .double: .failure(CoercionError("ID cannot represent a number with a fraction"))
        default: .failure(CoercionError("ID cannot represent \(value.kindName)"))
        }
    }
}
