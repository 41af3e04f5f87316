import Bytes
import GraphQL
import JSON
import Subprotocol

/// The document that a request is about.
struct WantedDocument {
    var text: Text
    /// The hash under which it is to be remembered, once it has proved to be good.
    var hash: Text?
    /// Whether it stands on the operator's list, and so is kept whatever clients do.
    var isListed = false
}

/// Why a request's document is not to be had, or not to be run.
struct DocumentRefusal: Error {
    var error: GraphQLError
    /// Whether the request contradicts itself, so that no hub would take it.
    var isMalformed = false

    /// - Parameter code: what programs tell the error by, in `extensions`.
    init(_ message: String, code: Text, isMalformed: Bool = false) {
        error = GraphQLError(message, extensions: ["code": .string(code)])
        self.isMalformed = isMalformed
    }
}

extension DocumentRefusal {
    // Clients of automatic persisted queries know these two by message and code, which are
    // Apollo's, and send the document itself next.

    /// The hash is not known: the document has to come with it once.
    static let notFound = DocumentRefusal(
        "PersistedQueryNotFound", code: "PERSISTED_QUERY_NOT_FOUND")
    /// Hashes are no use here: the document has to come each time.
    static let notSupported = DocumentRefusal(
        "PersistedQueryNotSupported", code: "PERSISTED_QUERY_NOT_SUPPORTED")

    /// An id that is no hash: only a list of the operator's could have it.
    static let unknownID = DocumentRefusal(
        "no document has this documentId: send the document as 'query', or have the operator add "
            + "it to the hub's trusted documents", code: "PERSISTED_QUERY_NOT_FOUND")

    // Where only the operator's documents are run. The codes are those of Apollo's router.

    /// A document that is not on the list.
    static let notTrusted = DocumentRefusal(
        "this hub runs only the documents on its list, and this is none of them: have the "
            + "operator add it with --trusted-documents", code: "QUERY_NOT_IN_SAFELIST")
    /// An id or hash that is not on the list.
    static let notListed = DocumentRefusal(
        "this hub runs only the documents on its list, and none has this id: have the operator "
            + "add it with --trusted-documents", code: "PERSISTED_QUERY_NOT_IN_LIST")

    /// Document and hash do not belong together.
    static let mismatch = DocumentRefusal(
        "provided sha does not match query: it must be the SHA-256 of the query's UTF-8, in "
            + "lower-case hexadecimal digits", code: "PERSISTED_QUERY_MISMATCH", isMalformed: true)

    static func badExtension(_ what: String) -> DocumentRefusal {
        DocumentRefusal(
            "extensions.persistedQuery \(what)", code: "BAD_REQUEST", isMalformed: true)
    }
}

extension OperationRequest {
    /// The SHA-256 that the request tells of its document; nil if it tells none.
    var toldHash: Text? {
        get throws(DocumentRefusal) {
            guard let value = extensions["persistedQuery"], !value.isNull else {
                guard let documentID, documentID.hasPrefix("sha256:") else { return nil }
                return documentID.withoutHashPrefix
            }
            guard value.object != nil else {
                throw .badExtension("is \(value.kindName), not an object")
            }
            guard value["version"] == 1 else { throw .badExtension("has no 'version' that is 1") }
            guard let hash = value["sha256Hash"]?.text, !hash.isEmpty else {
                throw .badExtension("has no 'sha256Hash' that is a string")
            }
            return hash.withoutHashPrefix
        }
    }
}
