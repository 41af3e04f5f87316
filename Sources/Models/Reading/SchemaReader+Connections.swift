import Bytes
import GraphQL

/// `@connection` of the v1 transformer (AppSync contract 4.6).
extension SchemaReader {
    /// The fields that share each name; a name that does not tie one list to one object is noted.
    mutating func connectionGroups() -> [String: [FieldPlace]] {
        var groups: [String: [FieldPlace]] = [:]
        for model in models.indices {
            for (field, draft) in drafts[model].fields.enumerated() {
                guard case .relation = draft.meaning,
                    let name = draft.directive("connection")?.string("name")
                else { continue }
                groups[name, default: []].append(FieldPlace(model: model, field: field))
            }
        }
        for (name, places) in groups.sorted(by: { $0.key < $1.key }) where places.count > 1 {
            if !check(group: places, name: name) { groups[name] = [] }
        }
        return groups
    }

    private mutating func check(group places: [FieldPlace], name: String) -> Bool {
        let offset = draft(places[places.count - 1]).directive("connection")?["name"]?.offset ?? 0
        if places.count > 2 {
            errors.add(
                "the connection name \(name) stands on \(places.count) fields; "
                    + "it ties one list to one object", at: offset)
            return false
        }
        let sides = places.map { place -> (target: Int, isList: Bool)? in
            if case .relation(let target, let isList) = draft(place).meaning {
                return (target, isList)
            }
            return nil
        }
        guard let one = sides[0], let other = sides[1] else { return false }
        if one.isList == other.isList {
            errors.add(
                "the connection name \(name) stands on two \(one.isList ? "lists" : "objects"); "
                    + "it ties one list to one object", at: offset)
            return false
        }
        if one.target != places[1].model || other.target != places[0].model {
            errors.add(
                "the connection name \(name) ties \(words(places[0])) to \(words(places[1])), "
                    + "which do not lead to each other", at: offset)
            return false
        }
        return true
    }

    /// Resolves one `@connection`.
    mutating func resolveConnection(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> OutputField? {
        for (one, other) in [
            ("name", "fields"), ("name", "keyName"), ("keyField", "fields"),
            ("keyField", "keyName"), ("sortField", "fields"),
        ] {
            if let extra = directive[other], directive[one] != nil {
                errors.add("@connection cannot have \(one) and \(other)", at: extra.offset)
                return nil
            }
        }
        if relation.isList { return connectionList(relation, directive) }
        for name in ["keyName", "sortField", "limit"] where directive[name] != nil {
            // The sort field of a two-sided connection may stand on either side.
            if name == "sortField" && directive["name"] != nil { continue }
            errors.add(
                "@connection(\(name):) needs a list", at: directive[name]?.offset ?? 0)
            return nil
        }
        if let fields = directive.names("fields") {
            let slots = ownSlots(
                fields, of: relation.place.model, for: models[relation.target].key,
                in: relation.target, at: directive["fields"]?.offset ?? 0)
            return slots.map { belongsTo(relation, foreignKey: $0) }
        }
        return singleForeignKey(relation.place, to: relation.target)
            .map { belongsTo(relation, foreignKey: [$0]) }
    }

    /// The foreign key of the single side of a connection.
    private mutating func singleForeignKey(_ place: FieldPlace, to target: Int) -> Int? {
        let field = draft(place)
        guard let directive = field.directive("connection") else { return nil }
        guard models[target].key.count == 1 else {
            errors.add(
                "\(models[target].name) has a key of \(models[target].key.count) fields; "
                    + "@connection needs fields that hold them", at: directive.offset)
            return nil
        }
        let usual = Names.foreignKey(type: models[place.model].name, field: field.name)
        return foreignKey(
            directive.string("keyField") ?? usual, on: place.model, to: target, part: 0,
            isNonNull: field.definition.type.isNonNull, at: directive.offset)
    }

    private mutating func connectionList(
        _ relation: Relation, _ directive: CheckedDirective
    ) -> OutputField? {
        let limit = limit(directive)
        if let fields = directive.names("fields") {
            return keyedList(
                relation, indexName: directive.name("keyName"), fields: fields, limit: limit,
                at: directive["fields"]?.offset ?? directive.offset)
        }
        if let keyName = directive["keyName"] {
            errors.add("@connection(keyName:) needs fields", at: keyName.offset)
            return nil
        }
        let model = relation.place.model
        let name = directive.string("name")
        let group = name.flatMap { relation.groups[$0] } ?? [relation.place]
        // A group with a fault is noted and emptied.
        if group.isEmpty { return nil }
        guard let other = group.first(where: { $0 != relation.place }) else {
            guard models[model].key.count == 1 else {
                errors.add(
                    "\(models[model].name) has a key of \(models[model].key.count) fields; "
                        + "@connection needs keyName and fields", at: directive.offset)
                return nil
            }
            let usual = Names.foreignKey(
                type: models[model].name, field: draft(relation.place).name)
            let key = foreignKey(
                directive.string("keyField") ?? usual, on: relation.target, to: model, part: 0,
                isNonNull: false, at: directive.offset)
            return indexedList(relation, foreignKey: key, directive.name("sortField"), limit)
        }
        let sortField =
            directive.name("sortField") ?? draft(other).directive("connection")?.name("sortField")
        if let keyField = directive["keyField"] {
            errors.add(
                "keyField belongs on the other side, \(words(other))", at: keyField.offset)
            return nil
        }
        return indexedList(
            relation, foreignKey: singleForeignKey(other, to: model), sortField, limit)
    }

    private mutating func indexedList(
        _ relation: Relation, foreignKey: Int?, _ sortField: Name?, _ limit: Int
    ) -> OutputField? {
        guard let foreignKey else { return nil }
        var sort: [Int] = []
        if let sortField {
            guard let slot = slot(sortField, of: relation.target) else { return nil }
            sort = [slot]
        }
        let field = draft(relation.place)
        let model = models[relation.place.model]
        let name =
            field.directive("connection")?.string("name")
            ?? model.name + Names.upperFirst(field.name)
        let index = index(name, on: relation.target, hash: [foreignKey], sort: sort)
        return hasMany(
            relation, index: index, from: [model.key[0]], limit: limit)
    }

    /// A list that reads a named index of the target, or its primary key, by own fields.
    mutating func keyedList(
        _ relation: Relation, indexName: Name?, fields: [Name], limit: Int, at offset: Int
    ) -> OutputField? {
        let target = models[relation.target]
        var index: Int?
        if let indexName {
            index = target.indexes.firstIndex { $0.name == indexName.text.string }
            if index == nil {
                errors.add(
                    "\(target.name) has no key of the name \(indexName.text)", at: indexName,
                    among: target.indexes.map(\.name))
                return nil
            }
        }
        let wanted = index.map { target.indexes[$0].hash + target.indexes[$0].sort } ?? target.key
        let slots = ownSlots(
            fields, of: relation.place.model, for: wanted, in: relation.target, at: offset,
            mayBeFewer: true)
        return slots.map { hasMany(relation, index: index, from: $0, limit: limit) }
    }
}
