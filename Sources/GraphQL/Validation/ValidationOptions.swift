/// How documents are validated, beside the limits of the document itself.
public struct ValidationOptions: Sendable, Hashable {
    /// Places named by one error at most.
    public var locationsMax: Int
    /// Length of a message in bytes; longer ones, made of endless names, are cut.
    public var messageBytesMax: Int
    /// In place of `DocumentLimits.stepsMax`, if set.
    public var stepsMax: Int?
    /// Whether messages name what only the schema knows: types, required arguments, near
    /// spellings. Off, no message of any stage names what the document does not name itself.
    public var suggestsNames: Bool
    /// Whether `__schema` and `__type` may be asked for.
    public var allowsIntrospection: Bool
    /// How many lists of the schema's own description may be nested, such as the fields of the
    /// types of fields. The standard introspection query nests none in another.
    public var introspectionListDepthMax: Int

    /// The defaults are right for a public server whose schema is no secret.
    public init(
        locationsMax: Int = 20, messageBytesMax: Int = 2_000,
        stepsMax: Int? = nil, suggestsNames: Bool = true, allowsIntrospection: Bool = true,
        introspectionListDepthMax: Int = 2
    ) {
        self.locationsMax = locationsMax
        self.messageBytesMax = messageBytesMax
        self.stepsMax = stepsMax
        self.suggestsNames = suggestsNames
        self.allowsIntrospection = allowsIntrospection
        self.introspectionListDepthMax = introspectionListDepthMax
    }
}
