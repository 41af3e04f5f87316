/// What a document may cost before it is refused. The specification sets no limits; practice
/// needs all of these against documents that are cheap to send and dear to answer.
public struct DocumentLimits: Sendable, Hashable {
    /// Length of a document in bytes.
    public var bytesMax: Int
    /// Tokens in a document; ignored characters are none.
    public var tokensMax: Int
    /// Nesting of selection sets, values and list types; also of the operation's fields after
    /// its fragments are put in.
    public var depthMax: Int
    /// Errors reported for one document; validation stops there.
    public var errorsMax: Int
    /// Fields of an operation's plan after its fragments are put in.
    public var planFieldsMax: Int
    /// Fields and list items of one response.
    public var resultNodesMax: Int
    /// Length of one response in bytes, roughly: it is checked at each object.
    public var responseBytesMax: Int

    /// Limits for documents of clients. The defaults let the standard introspection query and
    /// any document written by hand pass with ease.
    public init(
        bytesMax: Int = 262_144, tokensMax: Int = 30_000, depthMax: Int = 100,
        errorsMax: Int = 100, planFieldsMax: Int = 50_000, resultNodesMax: Int = 1_000_000,
        responseBytesMax: Int = 16_777_216
    ) {
        self.bytesMax = bytesMax
        self.tokensMax = tokensMax
        self.depthMax = depthMax
        self.errorsMax = errorsMax
        self.planFieldsMax = planFieldsMax
        self.resultNodesMax = resultNodesMax
        self.responseBytesMax = responseBytesMax
    }

    /// Limits for the operator's own schema: 16 MiB, two million tokens.
    public static let schema = DocumentLimits(bytesMax: 16 << 20, tokensMax: 2_000_000)
}

/// One of the limits, for whoever counts how often they are reached.
public enum DocumentLimit: Sendable, Hashable {
    /// `DocumentLimits.bytesMax`.
    case bytes
    /// `DocumentLimits.tokensMax`.
    case tokens
    /// `DocumentLimits.depthMax`.
    case depth
    /// `DocumentLimits.planFieldsMax`.
    case planFields
    /// `DocumentLimits.resultNodesMax`.
    case resultNodes
    /// `DocumentLimits.responseBytesMax`.
    case responseBytes
}

extension GraphQLError {
    /// The same error, as that of a limit.
    func reaching(_ limit: DocumentLimit) -> GraphQLError {
        var error = self
        error.limit = limit
        return error
    }
}
