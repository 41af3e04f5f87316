import Bytes
import GraphQL
import Records

/// Where a relation field stands: a model and one of its declared fields.
struct FieldPlace: Hashable {
    var model: Int
    var field: Int
}

extension SchemaReader {
    /// Resolves all relation fields (AppSync contract 4.6 and 4.7).
    mutating func resolveRelations() {
        let groups = connectionGroups()
        for model in models.indices {
            for field in drafts[model].fields.indices {
                let place = FieldPlace(model: model, field: field)
                guard case .relation(let target, let isList) = drafts[model].fields[field].meaning
                else { continue }
                // Models with a broken key cannot be related to; the key's fault is noted.
                guard !models[model].key.isEmpty, !models[target].key.isEmpty else { continue }
                let relation = Relation(
                    place: place, target: target, isList: isList, groups: groups)
                if let resolved = resolve(relation) {
                    drafts[model].fields[field].meaning = .resolved(resolved)
                }
            }
        }
    }

    /// A relation field while it is resolved.
    struct Relation {
        var place: FieldPlace
        var target: Int
        var isList: Bool
        /// The fields that share each name of `@connection`.
        var groups: [String: [FieldPlace]]
    }

    func draft(_ place: FieldPlace) -> DraftField { drafts[place.model].fields[place.field] }

    /// The model's and the field's name, for messages.
    func words(_ place: FieldPlace) -> String {
        "\(models[place.model].name).\(draft(place).name)"
    }

    private mutating func resolve(_ relation: Relation) -> OutputField? {
        let draft = draft(relation.place)
        let kinds = ["connection", "hasMany", "hasOne", "belongsTo", "manyToMany"]
        let directives = draft.directives.filter { kinds.contains($0.name) }
        guard let directive = directives.first else {
            errors.add(
                "\(words(relation.place)) leads to the model \(models[relation.target].name) "
                    + "and needs a relation directive", at: draft.definition.offset,
                suggestion: relation.isList
                    ? "add @hasMany or @connection" : "add @belongsTo, @hasOne or @connection")
            return nil
        }
        if directives.count > 1 {
            errors.add(
                "\(words(relation.place)) has two relation directives",
                at: directives[1].offset)
            return nil
        }
        let wantsList = directive.name == "hasMany" || directive.name == "manyToMany"
        if directive.name != "connection" && wantsList != relation.isList {
            errors.add(
                "@\(directive.name) needs \(wantsList ? "a list" : "a single object")",
                at: directive.offset)
            return nil
        }
        switch directive.name {
        case "connection": return resolveConnection(relation, directive)
        case "hasMany": return resolveHasMany(relation, directive)
        case "hasOne": return resolveHasOne(relation, directive)
        case "belongsTo": return resolveBelongsTo(relation, directive)
        default:
            return resolveManyToMany(relation, directive)
        }
    }

    /// The page size of a relation; a number outside of the range is noted.
    mutating func limit(_ directive: CheckedDirective) -> Int {
        guard let limit = directive.integer("limit") else { return ListLimits.usual }
        if !(1...ListLimits.max).contains(limit) {
            errors.add(
                "a relation's limit is 1 to \(ListLimits.max)",
                at: directive["limit"]?.offset ?? directive.offset)
        }
        return limit
    }

    /// Own slots for a target's fields, checked to be of the same kind.
    mutating func ownSlots(
        _ names: [Name], of model: Int, for targetSlots: [Int], in target: Int, at offset: Int,
        mayBeFewer: Bool = false
    ) -> [Int]? {
        guard let slots = slots(names, of: model) else { return nil }
        let isFewer = mayBeFewer && !slots.isEmpty && slots.count < targetSlots.count
        guard slots.count == targetSlots.count || isFewer else {
            let wanted = targetSlots.map { models[target].stored[$0].name }
            errors.add(
                "fields must name \(wanted.count) field\(wanted.count == 1 ? "" : "s") of "
                    + "\(models[model].name), for \(wanted.joined(separator: " and ")) of "
                    + models[target].name, at: offset)
            return nil
        }
        for (index, slot) in slots.enumerated() {
            let own = models[model].stored[slot]
            let other = models[target].stored[targetSlots[index]]
            if own.kind != other.kind {
                errors.add(
                    "\(models[model].name).\(own.name) is \(own.typeName), but "
                        + "\(models[target].name).\(other.name) is \(other.typeName)",
                    at: names[index].offset)
                return nil
            }
        }
        return slots
    }

    /// A to-one field whose own slots are the other record's key.
    mutating func belongsTo(_ relation: Relation, foreignKey: [Int]) -> OutputField {
        let draft = draft(relation.place)
        let model = relation.place.model
        models[model].relations.append(
            RelationLayout(
                name: draft.definition.name.text, target: relation.target,
                foreignKey: foreignKey))
        return .toOne(
            ToOneField(
                name: draft.name, description: draft.definition.description,
                isNonNull: draft.definition.type.isNonNull, target: relation.target,
                way: .foreignKey(relation: models[model].relations.count - 1)))
    }

    /// A to-many field that reads an index of the target, or its primary key.
    func hasMany(_ relation: Relation, index: Int?, from: [Int], limit: Int) -> OutputField {
        let draft = draft(relation.place)
        return .toMany(
            ToManyField(
                name: draft.name, description: draft.definition.description,
                isNonNull: draft.definition.type.isNonNull, target: relation.target,
                index: index, from: from, limit: limit))
    }

    /// The slot of a foreign key on `model` that holds the `part`-th key field of `target`:
    /// a field of that name if there is one, else a new one.
    mutating func foreignKey(
        _ name: String, on model: Int, to target: Int, part: Int, isNonNull: Bool, at offset: Int
    ) -> Int? {
        let key = models[target].stored[models[target].key[part]]
        if let slot = models[model].slot(of: name) {
            let field = models[model].stored[slot]
            if field.kind == key.kind && field.canBeKey { return slot }
            errors.add(
                "\(models[model].name).\(name) must be \(key.typeName) to hold the key of "
                    + models[target].name, at: offset)
            return nil
        }
        if drafts[model].fields.contains(where: { $0.name == name }) {
            errors.add(
                "the foreign key \(name) of \(models[model].name) has the name of another field",
                at: offset)
            return nil
        }
        models[model].stored.append(
            StoredField(
                name: name, base: key.base, isNonNull: isNonNull, origin: .foreignKey))
        return models[model].stored.count - 1
    }

    /// The place of an index with these fields, which is added under the name if need be.
    mutating func index(_ name: String, on model: Int, hash: [Int], sort: [Int]) -> Int {
        if let same = models[model].indexes.firstIndex(where: {
            $0.hash == hash && $0.sort == sort
        }) {
            return same
        }
        var free = name
        while models[model].indexes.contains(where: { $0.name == free }) { free += "_" }
        models[model].indexes.append(IndexDefinition(name: free, hash: hash, sort: sort))
        return models[model].indexes.count - 1
    }

    /// Puts the output type's fields in order: as declared, then timestamps, then foreign keys.
    mutating func finishOutput(of id: Int) {
        var output: [OutputField] = []
        for (slot, field) in models[id].stored.enumerated() where field.origin == .implicitKey {
            output.append(.stored(slot))
        }
        for field in drafts.indices.contains(id) ? drafts[id].fields : [] {
            switch field.meaning {
            case .stored(let slot): output.append(.stored(slot))
            case .resolved(let field): output.append(field)
            case .relation, .broken: break
            }
        }
        for (slot, field) in models[id].stored.enumerated()
        where field.origin == .timestamp || field.origin == .foreignKey {
            output.append(.stored(slot))
        }
        if models[id].output.isEmpty { models[id].output = output }
    }
}
