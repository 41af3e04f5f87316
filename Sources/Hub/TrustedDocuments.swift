public import Bytes
public import GraphQL
public import Models

/// The documents that an operator knows beforehand, by the ids that clients name them with.
///
/// Made from a file that a client's build wrote (`TrustedDocuments+Manifest.swift`), checked
/// against the schema, and then shared by all shards. Immutable.
public struct TrustedDocuments: Sendable {
    /// One document.
    public struct Entry: Sendable, Hashable {
        /// What clients name it with: mostly a hash of its text.
        public var id: Text
        /// The document.
        public var text: Text

        /// An entry.
        public init(id: Text, text: Text) {
            self.id = id
            self.text = text
        }
    }

    /// What is wrong with one document.
    public struct Fault: Sendable {
        /// The document's id.
        public var id: Text
        /// Its errors, with their places in the document.
        public var errors: [GraphQLError]
        /// The document.
        public var text: Text
    }

    /// All documents, in the order of the file.
    public let entries: [Entry]
    /// The documents by their ids, and by the SHA-256 of each whose hash is no other's id.
    private let byID: [Text: Text]
    private let texts: Set<Text>

    /// Documents.
    ///
    /// - Throws: two of them have one id, or an id that begins with `sha256:` is not the hash of
    ///   its document.
    public init(_ entries: [Entry]) throws(TrustedDocumentsError) {
        var byID: [Text: Text] = [:]
        var texts: Set<Text> = []
        for entry in entries {
            let id = entry.id.withoutHashPrefix
            if id != entry.id, id != entry.text.sha256 {
                throw TrustedDocumentsError(
                    "document '\(entry.id)' is not the one whose SHA-256 its id tells: write "
                        + "the file anew")
            }
            if let other = byID[id], other != entry.text {
                throw TrustedDocumentsError(
                    "two documents have the id '\(entry.id)': write the file anew")
            }
            byID[id] = entry.text
            texts.insert(entry.text)
        }
        for text in texts {
            let hash = text.sha256
            if byID[hash] == nil { byID[hash] = text }
        }
        self.entries = entries
        self.byID = byID
        self.texts = texts
    }

    /// The document that a client names by its id, or by its SHA-256 with or without `sha256:`.
    func document(_ id: Text) -> Text? { byID[id.withoutHashPrefix] }

    /// Whether this is one of the documents, byte for byte.
    func contains(_ text: Text) -> Bool { texts.contains(text) }

    /// What is wrong with those documents that could not be run, in the order of the file.
    ///
    /// Cost: parses and validates all of them.
    public func faults(
        schema: ModelSchema, limits: Limits, validation: ValidationOptions
    ) -> [Fault] {
        entries.compactMap { entry in
            let prepared = PreparedOperation.prepare(
                entry.text, schema: schema.schema, limits: limits.document, options: validation)
            // Which of several operations is meant is for the request to say.
            guard case .failure(let errors) = prepared, errors.stage != .operation else {
                return nil
            }
            return Fault(id: entry.id, errors: errors.errors, text: entry.text)
        }
    }
}

/// Why a file of trusted documents cannot be used: a sentence that names the way out.
public struct TrustedDocumentsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    /// An error.
    public init(_ description: String) { self.description = description }
}

extension Text {
    /// An id without the `sha256:` that GraphQL over HTTP's appendix A puts before a hash.
    var withoutHashPrefix: Text {
        hasPrefix("sha256:") ? Text(String(string.dropFirst(7))) : self
    }
}
