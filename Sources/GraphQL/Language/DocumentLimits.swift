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
    /// Aliases in a document.
    public var aliasesMax: Int
    /// Spreads of named fragments in a document.
    public var spreadsMax: Int
    /// Directives in a document.
    public var directivesMax: Int
    /// Directives at one place of a document.
    public var directivesPerPlaceMax: Int
    /// Steps of the checks whose cost the document's length alone does not bound: merging fields,
    /// following variables through fragments, collecting the roots of subscriptions. Documents
    /// written by people or generators take fewer steps than they have tokens, times three.
    public var stepsMax: Int
    /// Errors reported for one document; validation stops there.
    public var errorsMax: Int
    /// Fields of an operation's plan after its fragments are put in.
    public var planFieldsMax: Int
    /// Fields of an operation's root after its fragments are put in.
    public var rootFieldsMax: Int
    /// The cost that an operation may have by estimate, before it is executed: see `PlanCost`.
    public var costMax: Int
    /// Fields and list items of one response.
    public var resultNodesMax: Int
    /// Length of one response in bytes, roughly: it is checked at each object.
    public var responseBytesMax: Int

    /// Limits for documents of clients. The defaults let the standard introspection query and
    /// any document written by hand pass with ease.
    public init(
        bytesMax: Int = 262_144, tokensMax: Int = 30_000, depthMax: Int = 100,
        aliasesMax: Int = 1_000, spreadsMax: Int = 1_000, directivesMax: Int = 1_000,
        directivesPerPlaceMax: Int = 50, stepsMax: Int = 200_000, errorsMax: Int = 100,
        planFieldsMax: Int = 50_000,
        rootFieldsMax: Int = 1_000, costMax: Int = 10_000_000, resultNodesMax: Int = 1_000_000,
        responseBytesMax: Int = 16_777_216
    ) {
        self.bytesMax = bytesMax
        self.tokensMax = tokensMax
        self.depthMax = depthMax
        self.aliasesMax = aliasesMax
        self.spreadsMax = spreadsMax
        self.directivesMax = directivesMax
        self.directivesPerPlaceMax = directivesPerPlaceMax
        self.stepsMax = stepsMax
        self.errorsMax = errorsMax
        self.planFieldsMax = planFieldsMax
        self.rootFieldsMax = rootFieldsMax
        self.costMax = costMax
        self.resultNodesMax = resultNodesMax
        self.responseBytesMax = responseBytesMax
    }

    /// Limits for the operator's own schema: 16 MiB, two million tokens, and directives as it
    /// likes.
    public static let schema = DocumentLimits(
        bytesMax: 16 << 20, tokensMax: 2_000_000, directivesMax: 2_000_000,
        directivesPerPlaceMax: 2_000_000)
}

/// One of the limits, for whoever counts how often they are reached. Its raw value is the name
/// that errors tell and operators set.
public enum DocumentLimit: String, Sendable, Hashable, CaseIterable {
    /// `DocumentLimits.bytesMax`.
    case bytes = "document-bytes-max"
    /// `DocumentLimits.tokensMax`.
    case tokens = "document-tokens-max"
    /// `DocumentLimits.depthMax`.
    case depth = "document-depth-max"
    /// `DocumentLimits.aliasesMax`.
    case aliases = "document-aliases-max"
    /// `DocumentLimits.spreadsMax`.
    case spreads = "document-spreads-max"
    /// `DocumentLimits.directivesMax`.
    case directives = "document-directives-max"
    /// `DocumentLimits.directivesPerPlaceMax`.
    case directivesPerPlace = "document-directives-per-place-max"
    /// `DocumentLimits.stepsMax`.
    case steps = "document-steps-max"
    /// `DocumentLimits.planFieldsMax`.
    case planFields = "document-plan-fields-max"
    /// `DocumentLimits.rootFieldsMax`.
    case rootFields = "root-fields-max"
    /// `DocumentLimits.costMax`.
    case cost = "cost-max"
    /// `DocumentLimits.resultNodesMax`.
    case resultNodes = "result-nodes-max"
    /// `DocumentLimits.responseBytesMax`.
    case responseBytes = "result-bytes-max"
}

extension GraphQLError {
    /// The same error, as that of a limit, which its message names.
    func reaching(_ limit: DocumentLimit, wayOut: StaticString) -> GraphQLError {
        var error = self
        error.message += " (\(limit.rawValue)): \(wayOut)"
        error.limit = limit
        return error
    }
}
