import Bytes
import GraphQL
import Records

/// Makes the fields of Query, Mutation and Subscription (AppSync contract 4.2), each with what
/// it does.
struct RootFields {
    /// A root field with its action.
    struct Entry {
        var definition: FieldDefinition
        var action: FieldAction
        /// Where its model stands in the SDL, for errors.
        var offset: Int
    }

    let models: [ModelDefinition]
    private(set) var query: [Entry] = []
    private(set) var mutation: [Entry] = []
    private(set) var subscription: [Entry] = []

    init(_ models: [ModelDefinition]) {
        self.models = models
        let taken = Set(models.flatMap(Self.wantedQueries))
        for id in models.indices {
            addQueries(id, taken: taken)
            addMutations(id)
            addSubscriptions(id)
        }
    }

    /// The names of queries that cannot give way to another model's second spelling.
    private static func wantedQueries(_ model: ModelDefinition) -> [String] {
        [model.operations.get, model.operations.lists.first].compactMap { $0 }
            + model.indexes.compactMap(\.queryField)
    }

    // MARK: Queries

    private mutating func addQueries(_ id: ModelID, taken: Set<String>) {
        let model = models[id]
        if let get = model.operations.get {
            let arguments = model.key.map { slot in
                InputValueDefinition(model.stored[slot].name, model.stored[slot].typeName + "!")
            }
            add(FieldDefinition(get, model.name, arguments: arguments), .get(id), to: \.query)
        }
        for (index, list) in model.operations.lists.enumerated() {
            if index > 0 && taken.contains(list) { continue }
            addList(list, of: id)
        }
        for (index, definition) in model.indexes.enumerated() {
            guard let name = definition.queryField else { continue }
            addIndexQuery(name, index: index, of: id)
        }
    }

    private func pageArguments(_ model: ModelDefinition) -> [InputValueDefinition] {
        [
            InputValueDefinition("filter", "Model\(model.name)FilterInput"),
            InputValueDefinition("limit", "Int"), InputValueDefinition("nextToken", "String"),
        ]
    }

    private mutating func addList(_ name: String, of id: ModelID) {
        let model = models[id]
        var action = ListAction(field: Text(name), model: id, source: .all)
        var arguments = pageArguments(model)
        if model.hasCustomKey {
            let shape = ListShape(model, index: nil)
            let hash = model.stored[model.key[0]]
            action.hashArguments = [Text(hash.name)]
            action.sort = shape.compiler
            arguments.insert(
                contentsOf: [InputValueDefinition(hash.name, hash.typeName)] + shape.sortArguments,
                at: 0)
            arguments.append(InputValueDefinition("sortDirection", "ModelSortDirection"))
        }
        let type = ModelTypes.connection(model.name)
        add(FieldDefinition(name, type, arguments: arguments), .list(action), to: \.query)
    }

    private mutating func addIndexQuery(_ name: String, index: Int, of id: ModelID) {
        let model = models[id]
        let definition = model.indexes[index]
        let shape = ListShape(model, index: index)
        let hash = definition.hash.map { slot in
            InputValueDefinition(
                model.stored[slot].name,
                model.stored[slot].typeName + (definition.isHashNullable ? "" : "!"))
        }
        let action = ListAction(
            field: Text(name), model: id, source: .index(index),
            hashArguments: definition.hash.map { Text(model.stored[$0].name) },
            sort: shape.compiler)
        let arguments =
            hash + shape.sortArguments
            + [InputValueDefinition("sortDirection", "ModelSortDirection")]
            + pageArguments(model)
        let type = ModelTypes.connection(model.name)
        add(FieldDefinition(name, type, arguments: arguments), .list(action), to: \.query)
    }

    // MARK: Mutations

    private mutating func addMutations(_ id: ModelID) {
        let model = models[id]
        let names: [(String?, String, Change.Kind)] = [
            (model.operations.create, "Create", .create),
            (model.operations.update, "Update", .update),
            (model.operations.delete, "Delete", .delete),
        ]
        for (name, verb, kind) in names {
            guard let name else { continue }
            let arguments = [
                InputValueDefinition("input", "\(verb)\(model.name)Input!"),
                InputValueDefinition("condition", "Model\(model.name)ConditionInput"),
            ]
            add(
                FieldDefinition(name, model.name, arguments: arguments), .write(id, kind),
                to: \.mutation)
        }
    }

    // MARK: Subscriptions

    private mutating func addSubscriptions(_ id: ModelID) {
        let model = models[id]
        let names = [
            (model.operations.onCreate, Change.Kind.create),
            (model.operations.onUpdate, .update), (model.operations.onDelete, .delete),
        ]
        let arguments =
            [InputValueDefinition("filter", ModelTypes.subscriptionFilter(model.name))]
            + Self.equalityArguments(model)
        for (fields, kind) in names {
            for name in fields {
                add(
                    FieldDefinition(name, model.name, arguments: arguments),
                    .subscribe(id, kind), to: \.subscription)
            }
        }
    }

    /// One argument for each field with a plain value (AppSync contract 3.3).
    static func equalityArguments(_ model: ModelDefinition) -> [InputValueDefinition] {
        model.stored.filter { $0.canBeKey && $0.name != "filter" }.map {
            InputValueDefinition($0.name, $0.typeName)
        }
    }

    private mutating func add(
        _ definition: FieldDefinition, _ action: FieldAction,
        to list: WritableKeyPath<RootFields, [Entry]>
    ) {
        let offset: Int
        switch action {
        case .get(let id), .write(let id, _), .subscribe(let id, _): offset = models[id].offset
        case .list(let action): offset = models[action.model].offset
        case .toOne, .toOneByIndex: offset = 0
        }
        self[keyPath: list].append(
            Entry(definition: definition, action: action, offset: offset))
    }
}
