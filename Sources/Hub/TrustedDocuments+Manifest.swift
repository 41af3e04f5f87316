public import Bytes
import JSON

extension TrustedDocuments {
    /// The shapes that clients' builds write.
    private static let shapes =
        "an object of ids and documents, as Relay and GraphQL Code Generator write it, or "
        + "Apollo's manifest with \"format\" and \"operations\""

    /// Reads a file of documents.
    ///
    /// - Parameter manifest: JSON: `{"ID": "query …"}`, or Apollo's `{"format":
    ///   "apollo-persisted-query-manifest", "version": 1, "operations": [{"id", "body"}]}`.
    /// - Throws: it is not one of these, or the documents do not go together.
    public init(manifest: Text) throws(TrustedDocumentsError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: manifest.string)
        } catch {
            throw TrustedDocumentsError("it is not JSON: \(error)")
        }
        guard case .object(let object) = value else {
            throw TrustedDocumentsError("it is \(value.kindName), not \(Self.shapes)")
        }
        if object["format"] != nil, let operations = object["operations"] {
            try self.init(Self.apollo(object, operations))
        } else {
            try self.init(Self.map(object))
        }
    }

    private static func map(
        _ object: JSONObject
    ) throws(TrustedDocumentsError) -> [TrustedDocuments.Entry] {
        var entries: [Entry] = []
        for member in object.members {
            guard case .string(let text) = member.value else {
                throw TrustedDocumentsError(
                    "'\(member.name)' is \(member.value.kindName), not a document; expected "
                        + shapes)
            }
            entries.append(Entry(id: member.name, text: text))
        }
        return entries
    }

    private static func apollo(
        _ object: JSONObject, _ operations: JSONValue
    ) throws(TrustedDocumentsError) -> [Entry] {
        guard object["format"] == "apollo-persisted-query-manifest", object["version"] == 1 else {
            throw TrustedDocumentsError(
                "its format and version are not \"apollo-persisted-query-manifest\" and 1")
        }
        guard case .array(let items) = operations else {
            throw TrustedDocumentsError("'operations' is \(operations.kindName), not a list")
        }
        var entries: [Entry] = []
        for (index, item) in items.enumerated() {
            guard let id = item["id"]?.text, let body = item["body"]?.text else {
                throw TrustedDocumentsError(
                    "operations[\(index)] has no 'id' or no 'body' that is a string")
            }
            entries.append(Entry(id: id, text: body))
        }
        return entries
    }
}
