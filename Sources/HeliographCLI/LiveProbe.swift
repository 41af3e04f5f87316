import Bytes
import HubClient
import JSON

/// Finds out when a subscription is live, on a protocol that has no message for it.
///
/// A hub starts a subscription whose filter looks through relations only once its store watches
/// those relations, and answers a ping before that. But what one socket asks of the store is
/// carried out in order: the answer to a query that reads the store, sent behind the
/// subscription, proves that every change from then on is delivered.
struct LiveProbe: Sendable {
    /// A query that reads the store.
    var query: Text

    private static let introspection: Text = """
        { __schema { queryType { fields {
          name args { name defaultValue type { kind } } type { kind ofType { kind } } } } } }
        """

    /// Looks in the hub's schema for a field of the query type that can be asked without
    /// arguments. Nil if there is none, or the hub does not tell its schema.
    init?(_ hub: HubConnection) async {
        // A hub that refuses introspection is no failure: nothing is claimed then.
        guard let response = try? await hub.execute(Self.introspection, kind: .query),
            let fields = response["data"]?["__schema"]?["queryType"]?["fields"]?.items
        else { return nil }
        let candidates = fields.filter(Self.canBeAsked)
        let isList = { (field: JSONValue) in field["name"]?.text?.hasPrefix("list") ?? false }
        guard let field = candidates.first(where: isList) ?? candidates.first,
            let name = field["name"]?.text
        else { return nil }
        let hasLimit = field["args"]?.items?.contains { $0["name"]?.text == "limit" } ?? false
        query = Text("{ \(name)\(hasLimit ? "(limit: 1)" : "") { __typename } }")
    }

    /// Whether it returns an object and has no argument that must be given.
    private static func canBeAsked(_ field: JSONValue) -> Bool {
        let type = field["type"]
        let kind =
            type?["kind"]?.text == "NON_NULL"
            ? type?["ofType"]?["kind"]?.text : type?["kind"]?.text
        guard kind == "OBJECT" else { return false }
        return (field["args"]?.items ?? []).allSatisfy {
            $0["type"]?["kind"]?.text != "NON_NULL" || $0["defaultValue"]?.isNull == false
        }
    }
}
