import Bytes
import GraphQL
import Records

/// Makes the types of one model (AppSync contract 4.3 and 4.4).
struct ModelTypes {
    let models: [ModelDefinition]
    let id: ModelID

    private var model: ModelDefinition { models[id] }
    private var name: String { model.name }

    /// The model's connection, filters and inputs; the output type itself is `output`.
    var all: [TypeDefinition] {
        var types = [
            TypeDefinition(
                kind: .object, name: Name(Text(Self.connection(name))),
                fields: [
                    FieldDefinition("items", "[\(name)]!"), FieldDefinition("nextToken", "String"),
                ]),
            filter("Model\(name)FilterInput", slots: Array(model.stored.indices)),
        ]
        if hasWrites {
            let slots = model.stored.indices.filter { !model.key.contains($0) }
            types.append(filter("Model\(name)ConditionInput", slots: slots))
        }
        if model.operations.create != nil { types.append(createInput) }
        if model.operations.update != nil { types.append(updateInput) }
        if model.operations.delete != nil { types.append(deleteInput) }
        types.append(subscriptionFilter)
        return types
    }

    static func connection(_ model: String) -> String { "Model\(model)Connection" }

    private var hasWrites: Bool {
        let names = model.operations
        return names.create != nil || names.update != nil || names.delete != nil
    }

    // MARK: Output

    /// The model's own type.
    var output: TypeDefinition {
        TypeDefinition(
            kind: .object, name: Name(Text(name)), description: model.description,
            interfaces: model.interfaces, fields: model.output.map(field))
    }

    private func field(_ field: OutputField) -> FieldDefinition {
        switch field {
        case .stored(let slot):
            let stored = model.stored[slot]
            return FieldDefinition(
                name: Name(Text(stored.name)),
                type: TypeReference(written: Self.written(stored, stored.typeName)),
                description: stored.description,
                directives: stored.deprecation.map { [$0] } ?? [])
        case .toOne(let field):
            let type = models[field.target].name + (field.isNonNull ? "!" : "")
            return FieldDefinition(
                name: Name(Text(field.name)), type: TypeReference(written: type),
                description: field.description)
        case .toMany(let field):
            let target = models[field.target].name
            let list = ListShape(field, of: models)
            let type = Self.connection(target) + (field.isNonNull ? "!" : "")
            return FieldDefinition(
                name: Name(Text(field.name)), type: TypeReference(written: type),
                description: field.description,
                arguments: list.sortArguments
                    + [
                        InputValueDefinition("filter", "Model\(target)FilterInput"),
                        InputValueDefinition("sortDirection", "ModelSortDirection"),
                        InputValueDefinition("limit", "Int"),
                        InputValueDefinition("nextToken", "String"),
                    ])
        }
    }

    /// A stored field's type with its marks.
    static func written(
        _ field: StoredField, _ type: String, isNonNull: Bool? = nil
    ) -> String {
        let inner = field.isList ? "[\(type)\(field.isItemNonNull ? "!" : "")]" : type
        return (isNonNull ?? field.isNonNull) ? inner + "!" : inner
    }

    // MARK: Filters

    private func filter(_ type: String, slots: [Int]) -> TypeDefinition {
        var fields: [(String, String)] = []
        for slot in slots {
            let field = model.stored[slot]
            switch field.base {
            case .scalar(let scalar):
                fields.append((field.name, "Model\(scalar.filterFamily.rawValue)Input"))
            case .enumeration(let name):
                fields.append((field.name, "Model\(name)\(field.isList ? "List" : "")Input"))
            case .embedded: break
            }
        }
        return .input(type, fields + connectives(type))
    }

    /// A field of the model goes before a connective of the same name.
    private func connectives(_ type: String) -> [(String, String)] {
        [("and", "[\(type)]"), ("or", "[\(type)]"), ("not", type)].filter {
            model.slot(of: $0.0) == nil
        }
    }

    /// With `not` and the filters of belongs-to relations, which AppSync's has not: a superset.
    private var subscriptionFilter: TypeDefinition {
        let type = Self.subscriptionFilter(name)
        var fields: [(String, String)] = []
        for field in model.stored {
            switch field.base {
            case .scalar(let scalar):
                fields.append((field.name, "ModelSubscription\(scalar.filterFamily.rawValue)Input"))
            case .enumeration: fields.append((field.name, "ModelSubscriptionStringInput"))
            case .embedded: break
            }
        }
        for relation in model.relations {
            let target = models[relation.target].name
            fields.append((relation.name.string, Self.subscriptionFilter(target)))
        }
        return .input(type, fields + connectives(type))
    }

    static func subscriptionFilter(_ model: String) -> String {
        "ModelSubscription\(model)FilterInput"
    }

    // MARK: Inputs

    private var createInput: TypeDefinition {
        var fields: [(String, String)] = []
        for (slot, field) in model.stored.enumerated() where field.origin != .timestamp {
            let isFilled =
                Self.isGenerated(slot, of: model) || slot == model.createdSlot
                || slot == model.updatedSlot || field.defaultValue != nil
            fields.append(
                (
                    field.name,
                    Self.written(
                        field, Self.inputType(field), isNonNull: field.isNonNull && !isFilled)
                ))
        }
        return .input("Create\(name)Input", fields)
    }

    /// Whether a creation without this field gets a random id for it.
    static func isGenerated(_ slot: Int, of model: ModelDefinition) -> Bool {
        let field = model.stored[slot]
        return model.key.first == slot && field.name == "id" && field.base == .scalar(.id)
    }

    private var updateInput: TypeDefinition {
        var fields: [(String, String)] = []
        for (slot, field) in model.stored.enumerated() where field.origin != .timestamp {
            let type = Self.written(
                field, Self.inputType(field), isNonNull: model.key.contains(slot))
            fields.append((field.name, type))
        }
        return .input("Update\(name)Input", fields)
    }

    private var deleteInput: TypeDefinition {
        .input(
            "Delete\(name)Input",
            model.key.map { (model.stored[$0].name, model.stored[$0].typeName + "!") })
    }

    /// The input twin of a field's type.
    static func inputType(_ field: StoredField) -> String {
        if case .embedded(let name) = field.base { "\(name)Input" } else { field.typeName }
    }
}
