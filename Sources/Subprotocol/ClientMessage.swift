public import Bytes
public import JSON

/// What a client says, in any dialect.
public enum ClientMessage: Sendable, Hashable {
    /// Opens the logical connection; the payload may carry credentials.
    case connectionInit(payload: JSONObject?)
    /// Asks for a `pong` with the same payload.
    case ping(payload: JSONObject?)
    /// Answers a `ping`, or comes unasked as a sign of life.
    case pong(payload: JSONObject?)
    /// Starts an operation under an id of the client's choice.
    case subscribe(id: Text, OperationRequest)
    /// Stops listening to an operation.
    case complete(id: Text)
    /// Asks the server to close the connection.
    case terminate
}

/// The operation that a client asks for.
public struct OperationRequest: Sendable, Hashable {
    /// The GraphQL document; nil if the request only names one, by `documentID` or in its
    /// extensions' `persistedQuery`.
    public var query: Text?
    /// The name of a document that the server has (GraphQL over HTTP, appendix A).
    public var documentID: Text?
    /// Which of the document's operations, if it has several.
    public var operationName: Text?
    /// The variables; empty if none came.
    public var variables: JSONObject
    /// The request's extensions; empty if none came.
    public var extensions: JSONObject
    /// AppSync: the credentials of this one operation, which may differ from the connection's.
    public var authorization: JSONObject?
    /// Whether the operation stood in the string `payload.data`, as AppSync's clients alone do.
    public var isDataString: Bool

    /// Whether it says which document it is about, in any of the three ways.
    public var namesDocument: Bool {
        query != nil || documentID != nil || extensions["persistedQuery"]?.isNull == false
    }

    /// A request for an operation.
    public init(
        query: Text?, documentID: Text? = nil, operationName: Text? = nil,
        variables: JSONObject = [:], extensions: JSONObject = [:],
        authorization: JSONObject? = nil, isDataString: Bool = false
    ) {
        self.query = query
        self.documentID = documentID
        self.operationName = operationName
        self.variables = variables
        self.extensions = extensions
        self.authorization = authorization
        self.isDataString = isDataString
    }
}
