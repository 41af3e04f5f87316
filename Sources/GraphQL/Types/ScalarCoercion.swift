public import JSON

/// Why a value is not of a type: a sentence's end such as `an integer from -1 to 1`.
public struct CoercionError: Error, Sendable, Hashable {
    /// What is wrong, without the value itself.
    public var message: String

    /// An error.
    public init(_ message: String) { self.message = message }
}

/// How a scalar's values are read and written.
///
/// The room brings the built-in five; whoever builds a schema supplies others, such as the AWS
/// scalars. Literals reach `input` as the `JSONValue` of the same form: bare names as strings,
/// lists and objects with their variables put in.
public struct ScalarCoercion: Sendable {
    /// Checks and converts a variable's or a literal's value; never called with `null`.
    public var input: @Sendable (JSONValue) -> Result<JSONValue, CoercionError>
    /// Checks and converts a result; never called with `null`. Nil writes it as it is.
    public var output: (@Sendable (JSONValue) -> Result<JSONValue, CoercionError>)?

    /// A coercion.
    public init(
        input: @escaping @Sendable (JSONValue) -> Result<JSONValue, CoercionError>,
        output: (@Sendable (JSONValue) -> Result<JSONValue, CoercionError>)? = nil
    ) {
        self.input = input
        self.output = output
    }

    /// Takes and writes any value as it is.
    public static let any = ScalarCoercion(input: { .success($0) })
}
