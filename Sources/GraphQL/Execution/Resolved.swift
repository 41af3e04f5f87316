public import Bytes
public import JSON

/// What a data source gives for a field.
public enum Resolved: Sendable {
    /// Nothing.
    case null
    /// A leaf, a list of leaves, or an embedded JSON object or list of them. Under an interface
    /// or union an embedded object names its type in a member `__typename`.
    case value(JSONValue)
    /// An object whose fields are slots: a stored record.
    case record(type: TypeID, slots: [JSONValue])
    /// An object made of resolved parts, such as a connection of items and token.
    indirect case object(type: TypeID, slots: [Resolved])
    /// A list of resolved items.
    case list([Resolved])
    /// An error; execution adds path and locations if it has none.
    case failure(GraphQLError)
}

/// One place in the response that waits for a data source.
public struct Ask: Sendable {
    /// The object that the field is on; nil at the root.
    public let parent: Resolved?
    /// The coerced arguments with defaults; an argument without a value has no entry.
    public let arguments: JSONObject
}

/// All asks of one selected field at one level of the response: read together, never one by one.
public struct FieldBatch: Sendable {
    /// The field's definition.
    public let field: FieldID
    /// The asks, at least one, in document order.
    public let asks: [Ask]
    /// Names of the fields that are selected of the result, each once; empty for leaves.
    public let selection: [Text]
}
