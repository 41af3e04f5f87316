import Bytes
import GraphQL

extension SchemaReader {
    /// Reads the primary key and the indexes of a model: `@key`, `@primaryKey`, `@index`.
    mutating func readKeys(of id: Int) {
        for directive in drafts[id].directives where directive.name == "key" {
            readKey(directive, of: id)
        }
        for field in drafts[id].fields {
            for directive in field.directives {
                switch directive.name {
                case "primaryKey":
                    let fields = [field.definition.name] + (directive.names("sortKeyFields") ?? [])
                    setPrimaryKey(fields, at: directive.offset, of: id)
                case "index": readIndex(directive, on: field.definition.name, of: id)
                default: break
                }
            }
        }
        if models[id].key.isEmpty && !models[id].hasCustomKey { setUsualKey(of: id) }
    }

    private mutating func setUsualKey(of id: Int) {
        guard let slot = models[id].slot(of: "id") else {
            // A field `id` that could not be read has been noted already.
            return
        }
        let field = models[id].stored[slot]
        let offset = offset(of: "id", in: id)
        if !field.canBeKey {
            errors.add("\(models[id].name).id cannot be the key", at: offset)
        } else if !field.isNonNull {
            errors.add(
                "\(models[id].name).id is the key and must be non-null", at: offset,
                suggestion: "write \(field.typeName)!")
        }
        models[id].key = [slot]
    }

    private func offset(of field: String, in id: Int) -> Int {
        drafts[id].fields.first { $0.name == field }?.definition.offset ?? models[id].offset
    }

    /// v1: `@key(fields:)` without a name is the primary key, with one an index.
    private mutating func readKey(_ directive: CheckedDirective, of id: Int) {
        guard let fields = directive.names("fields") else { return }
        guard let first = fields.first else {
            errors.add("@key needs at least one field", at: directive.offset)
            return
        }
        guard let name = directive.string("name") else {
            if let queryField = directive["queryField"], !queryField.isNull {
                errors.add(
                    "a @key without a name is the primary key and has no queryField",
                    at: queryField.offset, suggestion: "give the key a name")
            }
            setPrimaryKey(fields, at: directive.offset, of: id)
            return
        }
        addIndex(
            name: name, hash: first, sort: Array(fields.dropFirst()),
            queryField: directive.string("queryField"), isHashNullable: true,
            at: directive.offset, of: id)
    }

    private mutating func readIndex(
        _ directive: CheckedDirective, on field: Name, of id: Int
    ) {
        let sort = directive.names("sortKeyFields") ?? []
        let usual = Names.defaultIndex(
            model: models[id].name, hash: field.text.string, sort: sort.map(\.text.string))
        // An explicit null takes the query away; left out, it has the usual name.
        let queryField =
            directive["queryField"] == nil ? usual : directive.string("queryField")
        if let projection = directive["projection"]?.members?["type"],
            case .enumValue(let name) = projection.kind, name != "ALL"
        {
            errors.add(
                "an index always holds all fields; \(name) is not supported",
                at: projection.offset, suggestion: "leave projection out")
        }
        addIndex(
            name: directive.string("name") ?? usual, hash: field, sort: sort,
            queryField: queryField, isHashNullable: false, at: directive.offset, of: id)
    }

    private mutating func setPrimaryKey(_ fields: [Name], at offset: Int, of id: Int) {
        if models[id].hasCustomKey {
            errors.add("\(models[id].name) has two primary keys", at: offset)
            return
        }
        models[id].hasCustomKey = true
        guard let slots = slots(fields, of: id) else { return }
        for (slot, name) in zip(slots, fields) where !models[id].stored[slot].isNonNull {
            errors.add(
                "\(models[id].name).\(name.text) is part of the key and must be non-null",
                at: self.offset(of: name.text.string, in: id),
                suggestion: "write \(models[id].stored[slot].typeName)!")
        }
        models[id].key = slots
    }

    private mutating func addIndex(
        name: String, hash: Name, sort: [Name], queryField: String?, isHashNullable: Bool,
        at offset: Int, of id: Int
    ) {
        guard let slots = slots([hash] + sort, of: id) else { return }
        if models[id].indexes.contains(where: { $0.name == name }) {
            errors.add("\(models[id].name) has two keys of the name \(name)", at: offset)
            return
        }
        models[id].indexes.append(
            IndexDefinition(
                name: name, hash: [slots[0]], sort: Array(slots.dropFirst()),
                queryField: queryField, isHashNullable: isHashNullable))
    }

    /// The slots of fields that a key names; each fault is noted.
    mutating func slots(_ fields: [Name], of id: Int) -> [Int]? {
        var slots: [Int] = []
        for field in fields {
            guard let slot = slot(field, of: id) else { continue }
            if slots.contains(slot) {
                errors.add("\(field.text) stands twice in one key", at: field.offset)
                continue
            }
            slots.append(slot)
        }
        return slots.count == fields.count ? slots : nil
    }

    /// The slot of a stored field that a key or relation names; a fault is noted.
    mutating func slot(_ field: Name, of id: Int) -> Int? {
        let model = models[id]
        guard let slot = model.slot(of: field.text.string) else {
            // A declared field without a slot is a relation, or is broken and noted already.
            if let draft = drafts[id].fields.first(where: { $0.name == field.text.string }) {
                if case .broken = draft.meaning { return nil }
                errors.add(
                    "\(model.name).\(field.text) is a relation and cannot be a key's field",
                    at: field.offset)
            } else {
                errors.add(
                    "\(model.name) has no field \(field.text)", at: field,
                    among: model.stored.map(\.name))
            }
            return nil
        }
        if !model.stored[slot].canBeKey {
            errors.add(
                "\(model.name).\(field.text) cannot be a key's field, because it is "
                    + (model.stored[slot].isList ? "a list" : "an object"), at: field.offset)
            return nil
        }
        return slot
    }
}
