/// Why an operation does not run at all: request errors (GraphQL 7.1.2), never empty.
public struct OperationErrors: Error, Sendable, Hashable {
    /// How far the request came.
    public enum Stage: Sendable, Hashable {
        /// The document is not GraphQL, or over a limit.
        case syntax
        /// The document does not fit the schema.
        case validation
        /// No operation, or not exactly one, answers to the request.
        case operation
        /// The variables do not fit their declarations.
        case variables
    }

    /// How far the request came.
    public var stage: Stage
    /// What is wrong.
    public var errors: [GraphQLError]

    /// Errors of a stage.
    public init(stage: Stage, errors: [GraphQLError]) {
        self.stage = stage
        self.errors = errors
    }
}
