import Bytes
import GraphQL

/// What the API offers for one model, as `heliograph check` lists it.
public struct OperationsSummary: Sendable, Hashable {
    /// The model's name.
    public var model: String
    /// The names of the primary key's fields.
    public var key: [String]
    /// Fields of Query.
    public var queries: [String]
    /// Fields of Mutation.
    public var mutations: [String]
    /// Fields of Subscription.
    public var subscriptions: [String]
    /// Implicit foreign keys, which inputs, outputs and filters have.
    public var foreignKeys: [String]
}

extension ModelSchema {
    /// What the API offers, model by model in the schema's order.
    public func operationsSummary() -> [OperationsSummary] {
        models.indices.map { id in
            let model = models[id]
            var summary = OperationsSummary(
                model: model.name, key: model.key.map { model.stored[$0].name }, queries: [],
                mutations: [], subscriptions: [],
                foreignKeys: model.stored.filter { $0.origin == .foreignKey }.map(\.name))
            for field in schema.fields {
                let name = field.name.string
                switch actions[field.id] {
                case .get(let owner) where owner == id: summary.queries.append(name)
                case .list(let list) where list.model == id && field.parent == schema.queryType:
                    summary.queries.append(name)
                case .write(let owner, _) where owner == id: summary.mutations.append(name)
                case .subscribe(let owner, _) where owner == id:
                    summary.subscriptions.append(name)
                default: break
                }
            }
            return summary
        }
    }
}
