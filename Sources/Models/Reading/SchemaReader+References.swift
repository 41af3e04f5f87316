import Bytes
import GraphQL
import Records

/// `@hasMany`, `@hasOne`, `@belongsTo` and `@manyToMany` of the v2 transformer
/// (AppSync contract 4.7).
extension SchemaReader {
    /// Resolves a `@hasMany`.
    mutating func resolveHasMany(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> OutputField? {
        let limit = limit(directive)
        if let fields = directive.names("fields") {
            if refuses(directive, "references", beside: "fields") { return nil }
            return keyedList(
                relation, indexName: directive.name("indexName"), fields: fields, limit: limit,
                at: directive["fields"]?.offset ?? directive.offset)
        }
        if let indexName = directive["indexName"] {
            errors.add("@hasMany(indexName:) needs fields", at: indexName.offset)
            return nil
        }
        guard let keys = otherSide(relation, directive) else { return nil }
        let name = indexName(relation)
        let index = index(name, on: relation.target, hash: keys, sort: [])
        return hasMany(
            relation, index: index, from: models[relation.place.model].key, limit: limit)
    }

    /// Resolves a `@hasOne`.
    mutating func resolveHasOne(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> OutputField? {
        if directive["references"] == nil { return ownKey(relation, directive) }
        if refuses(directive, "references", beside: "fields") { return nil }
        guard let keys = otherSide(relation, directive) else { return nil }
        let index = index(indexName(relation), on: relation.target, hash: keys, sort: [])
        let field = draft(relation.place)
        return .toOne(
            ToOneField(
                name: field.name, description: field.definition.description,
                isNonNull: field.definition.type.isNonNull, target: relation.target,
                way: .index(index, from: models[relation.place.model].key)))
    }

    /// Resolves a `@belongsTo`: by own fields, or by the foreign key of the matching field.
    mutating func resolveBelongsTo(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> OutputField? {
        if directive["fields"] != nil || directive["references"] != nil {
            return ownKey(relation, directive)
        }
        let model = relation.place.model
        let matches = drafts[relation.target].fields.enumerated().compactMap {
            index, field -> FieldPlace? in
            guard field.definition.type.name.text.string == models[model].name,
                field.directive("hasMany") != nil || field.directive("hasOne") != nil
            else { return nil }
            return FieldPlace(model: relation.target, field: index)
        }
        guard let match = matches.first, matches.count == 1 else {
            errors.add(
                matches.isEmpty
                    ? "\(models[relation.target].name) has no @hasMany or @hasOne that leads to "
                        + models[model].name
                    : "\(models[relation.target].name) has \(matches.count) relations to "
                        + "\(models[model].name)",
                at: directive.offset, suggestion: "name the foreign key with fields")
            return nil
        }
        guard let many = draft(match).directive("hasMany") else {
            return ownKey(relation, directive)
        }
        if let references = many.names("references") {
            return ownKey(relation, names: references, at: directive.offset)
        }
        if many["fields"] != nil {
            errors.add(
                "\(words(match)) reads an index, so @belongsTo needs fields",
                at: directive.offset)
            return nil
        }
        return implicitKeys(match, on: model, to: relation.target, isNonNull: isNonNull(relation))
            .map { belongsTo(relation, foreignKey: $0) }
    }

    private func isNonNull(_ relation: Relation) -> Bool {
        draft(relation.place).definition.type.isNonNull
    }

    /// A to-one field by a foreign key on its own model, named or implicit.
    private mutating func ownKey(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> OutputField? {
        if refuses(directive, "references", beside: "fields") { return nil }
        if let names = directive.names("fields") ?? directive.names("references") {
            return ownKey(relation, names: names, at: directive.offset)
        }
        return implicitKeys(
            relation.place, on: relation.place.model, to: relation.target,
            isNonNull: isNonNull(relation)
        ).map { belongsTo(relation, foreignKey: $0) }
    }

    private mutating func ownKey(
        _ relation: Relation, names: [Name], at offset: Int
    ) -> OutputField? {
        ownSlots(
            names, of: relation.place.model, for: models[relation.target].key,
            in: relation.target, at: offset
        ).map { belongsTo(relation, foreignKey: $0) }
    }

    /// The slots of the target that hold this model's key: named by `references`, or implicit.
    private mutating func otherSide(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> [Int]? {
        let model = relation.place.model
        if let names = directive.names("references") {
            return ownSlots(
                names, of: relation.target, for: models[model].key, in: model,
                at: directive["references"]?.offset ?? directive.offset)
        }
        let isNonNull = drafts[relation.target].fields.contains { field in
            field.definition.type.name.text.string == models[model].name
                && field.definition.type.isNonNull && field.directive("belongsTo") != nil
                && field.directive("belongsTo")?["fields"] == nil
        }
        return implicitKeys(relation.place, on: relation.target, to: model, isNonNull: isNonNull)
    }

    /// Implicit foreign keys named after the field that leads over the relation: one for each
    /// field of the key, `postCommentsId` and, with a custom key, `postCommentsTitle`.
    private mutating func implicitKeys(
        _ place: FieldPlace, on model: Int, to target: Int, isNonNull: Bool
    ) -> [Int]? {
        var slots: [Int] = []
        for (part, keySlot) in models[target].key.enumerated() {
            let name = Names.foreignKey(
                type: models[place.model].name, field: draft(place).name,
                keyField: models[target].stored[keySlot].name)
            guard
                let slot = foreignKey(
                    name, on: model, to: target, part: part, isNonNull: isNonNull,
                    at: draft(place).definition.offset)
            else { return nil }
            slots.append(slot)
        }
        return slots
    }

    private func indexName(_ relation: Relation) -> String {
        models[relation.place.model].name + Names.upperFirst(draft(relation.place).name)
    }

    private mutating func refuses(
        _ directive: CheckedDirective, _ one: String, beside other: String
    ) -> Bool {
        guard let extra = directive[one], directive[other] != nil else { return false }
        errors.add("@\(directive.name) cannot have \(one) and \(other)", at: extra.offset)
        return true
    }
}
