import Bytes
import GraphQL
import Models
import Subprotocol

/// Finding the document that a request is about: in itself, on the operator's list, or among
/// those that clients have had remembered.
extension Shard {
    /// The operation in a document, from the cache or made now. A good document is remembered if
    /// its client wants that.
    func prepare(
        _ document: WantedDocument, named operationName: Text?
    ) -> Result<PreparedOperation, OperationErrors> {
        let prepared = cache.operation(
            document.text, named: operationName, schema: schema.schema,
            limits: limits.document, validation)
        noteLimit(of: prepared)
        if case .success = prepared, let hash = document.hash,
            remembered.remember(document.text, hash)
        {
            counters.documentsRemembered += 1
        }
        return prepared
    }

    func document(of request: OperationRequest) -> Result<WantedDocument, DocumentRefusal> {
        do throws(DocumentRefusal) {
            let hash = try request.toldHash
            if let text = request.query { return .success(try given(text, hash)) }
            return .success(try named(request.documentID, hash))
        } catch {
            return .failure(error)
        }
    }

    private func given(_ text: Text, _ hash: Text?) throws(DocumentRefusal) -> WantedDocument {
        if let hash, hash != text.sha256 { throw .mismatch }
        if rules.takesTrustedOnly, rules.trusted?.contains(text) != true {
            counters.documentsRefused += 1
            throw .notTrusted
        }
        return WantedDocument(text: text, hash: remembers ? hash : nil)
    }

    private func named(_ id: Text?, _ hash: Text?) throws(DocumentRefusal) -> WantedDocument {
        guard let name = id ?? hash else {
            preconditionFailure("a request without a document was let through")
        }
        let isHash = name.withoutHashPrefix == hash
        if let text = rules.trusted?.document(name) {
            counters.documentsFound += 1
            return WantedDocument(text: text, isListed: true)
        }
        if remembers, isHash, let text = remembered.document(name.withoutHashPrefix) {
            counters.documentsFound += 1
            return WantedDocument(text: text)
        }
        counters.documentsMissed += 1
        if rules.takesTrustedOnly { throw .notListed }
        if !isHash { throw .unknownID }
        // With a list the next hash may well be known, so its client is not to give hashes up.
        throw remembers || rules.trusted != nil ? .notFound : .notSupported
    }

    private var remembers: Bool { rules.remembersDocuments && !rules.takesTrustedOnly }

    /// Replaces the operator's list. What runs goes on; the next request finds the new one.
    public func trust(_ documents: TrustedDocuments) { rules.trusted = documents }
}
