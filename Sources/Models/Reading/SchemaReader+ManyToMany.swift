import Bytes
import GraphQL
import Records

/// `@manyToMany`: two lists of the same `relationName` get a model of their own between them
/// (AppSync contract 4.7).
extension SchemaReader {
    /// Resolves one of the two fields; the first one makes the model between them.
    mutating func resolveManyToMany(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> OutputField? {
        let limit = limit(directive)
        guard let name = directive.string("relationName"),
            let pair = pair(named: name, at: directive)
        else { return nil }
        let join = modelIDs[name] ?? addJoinModel(name, between: pair)
        guard let join else { return nil }
        let isFirst = pair.first == relation.place
        var field = relation
        field.target = join
        return hasMany(
            field, index: isFirst ? 0 : 1, from: models[relation.place.model].key, limit: limit)
    }

    /// The two fields that a relation ties together.
    private mutating func pair(
        named name: String, at directive: CheckedDirective
    ) -> (first: FieldPlace, second: FieldPlace)? {
        var places: [FieldPlace] = []
        for model in drafts.indices {
            for (index, field) in drafts[model].fields.enumerated()
            where field.directive("manyToMany")?.string("relationName") == name {
                places.append(FieldPlace(model: model, field: index))
            }
        }
        let offset = directive["relationName"]?.offset ?? directive.offset
        guard places.count == 2 else {
            errors.add(
                "the relation \(name) stands on \(places.count) "
                    + (places.count == 1 ? "field; " : "fields; ")
                    + "it ties exactly two lists together", at: offset)
            return nil
        }
        let (first, second) = (places[0], places[1])
        guard leads(first, to: second.model), leads(second, to: first.model),
            first.model != second.model
        else {
            errors.add(
                "the relation \(name) ties \(words(first)) to \(words(second)), "
                    + "which must be lists of each other's type", at: offset)
            return nil
        }
        guard models[first.model].key.count == 1, models[second.model].key.count == 1 else {
            errors.add(
                "the relation \(name) needs models whose key is one field", at: offset,
                suggestion: "write the model between them yourself, with @hasMany on both sides")
            return nil
        }
        return (first, second)
    }

    private func leads(_ place: FieldPlace, to model: Int) -> Bool {
        draft(place).definition.type.name.text.string == models[model].name
    }

    private mutating func addJoinModel(
        _ name: String, between pair: (first: FieldPlace, second: FieldPlace)
    ) -> Int? {
        let offset = draft(pair.first).definition.offset
        guard types[name] == nil else {
            errors.add("the relation \(name) has the name of a type", at: offset)
            return nil
        }
        var model = ModelDefinition(
            name: name, offset: offset, operations: OperationNames(model: name))
        model.stored = [
            StoredField(name: "id", base: .scalar(.id), isNonNull: true, origin: .implicitKey)
        ]
        model.key = [0]
        model.output = [.stored(0)]
        for place in [pair.first, pair.second] { addSide(place.model, to: &model) }
        for field in ["createdAt", "updatedAt"] {
            model.stored.append(
                StoredField(
                    name: field, base: .scalar(.dateTime), isNonNull: true, origin: .timestamp))
            model.output.append(.stored(model.stored.count - 1))
        }
        model.createdSlot = model.stored.count - 2
        model.updatedSlot = model.stored.count - 1
        modelIDs[name] = models.count
        models.append(model)
        return models.count - 1
    }

    /// One side of the join: its foreign key, the index by it, and the relation.
    private func addSide(_ side: Int, to model: inout ModelDefinition) {
        let target = models[side]
        let field = Names.lowerFirst(target.name)
        let slot = model.stored.count
        model.stored.append(
            StoredField(
                name: field + "ID", base: target.stored[target.key[0]].base, isNonNull: true))
        model.relations.append(
            RelationLayout(name: Text(field), target: side, foreignKey: [slot]))
        model.indexes.append(
            IndexDefinition(name: "by" + target.name, hash: [slot], sort: []))
        model.output += [
            .stored(slot),
            .toOne(
                ToOneField(
                    name: field, isNonNull: true, target: side,
                    way: .foreignKey(relation: model.relations.count - 1))),
        ]
    }
}
