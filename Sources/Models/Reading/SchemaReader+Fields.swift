import Bytes
import GraphQL
import JSON

extension SchemaReader {
    /// Reads a model's own fields, its timestamps and its operations' names.
    mutating func readStoredFields(of id: Int) {
        let type = drafts[id].type
        let declaresKey =
            drafts[id].directives.contains { $0.name == "key" && $0["name"] == nil }
            || type.fields.contains { field in
                field.directives.contains { $0.name.text == "primaryKey" }
            }
        if !declaresKey && !type.fields.contains(where: { $0.name.text == "id" }) {
            models[id].stored.append(
                StoredField(
                    name: "id", base: .scalar(.id), isNonNull: true, origin: .implicitKey))
        }
        var seen: Set<Text> = []
        for field in type.fields {
            if !seen.insert(field.name.text).inserted {
                errors.add(
                    "\(type.name.text).\(field.name.text) is defined twice", at: field.offset)
                continue
            }
            checkName(of: field, in: type)
            let directives = check(
                field.directives, on: .fieldDefinition, of: type, field: field.name)
            let meaning = read(field, directives: directives, of: id)
            drafts[id].fields.append(
                DraftField(definition: field, directives: directives, meaning: meaning))
        }
        readModelDirective(of: id)
    }

    private mutating func read(
        _ field: FieldDefinition, directives: [CheckedDirective], of id: Int
    ) -> DraftField.Meaning {
        let place = "\(models[id].name).\(field.name.text)"
        if let argument = field.arguments.first {
            errors.add("\(place) cannot have arguments", at: argument.offset)
        }
        guard let shape = shape(of: field.type, place: place) else { return .broken }
        if let target = modelIDs[field.type.name.text.string] {
            return .relation(target: target, isList: shape.isList)
        }
        for directive in directives
        where ["connection", "hasMany", "hasOne", "belongsTo", "manyToMany"]
            .contains(directive.name)
        {
            errors.add(
                "@\(directive.name) needs a field whose type has @model, and "
                    + "\(field.type.name.text) has not", at: directive.offset)
        }
        guard let base = base(of: field.type.name, place: place) else { return .broken }
        var stored = StoredField(
            name: field.name.text.string, description: field.description, base: base,
            isList: shape.isList, isNonNull: field.type.isNonNull,
            isItemNonNull: shape.isItemNonNull)
        stored.deprecation = field.directives.first { $0.name.text == "deprecated" }
        stored.defaultValue = defaultValue(of: stored, directives: directives, place: place)
        models[id].stored.append(stored)
        return .stored(slot: models[id].stored.count - 1)
    }

    private mutating func shape(
        of type: TypeReference, place: String
    ) -> (isList: Bool, isItemNonNull: Bool)? {
        var inner = type
        if case .nonNull(let wrapped) = inner { inner = wrapped }
        guard case .list(var item, _) = inner else { return (false, false) }
        let isItemNonNull = item.isNonNull
        if case .nonNull(let wrapped) = item { item = wrapped }
        if case .list(_, let offset) = item {
            errors.add("\(place) is a list of lists, which is not supported", at: offset)
            return nil
        }
        return (true, isItemNonNull)
    }

    /// What a stored field is made of; a name that is not known is noted.
    mutating func base(of name: Name, place: String) -> StoredField.Base? {
        let text = name.text.string
        if let scalar = FieldScalar(rawValue: text) { return .scalar(scalar) }
        switch types[text]?.kind {
        case .enumeration: return .enumeration(text)
        case .object: return .embedded(text)
        case .interface, .union:
            return canBeEmbedded(name, place: place) ? .embedded(text) : nil
        case nil:
            errors.add(
                "unknown type \(text) of \(place)", at: name,
                among: FieldScalar.allCases.map(\.rawValue) + types.keys.sorted())
        default: errors.add("\(text) cannot be the type of \(place)", at: name.offset)
        }
        return nil
    }

    private mutating func defaultValue(
        of field: StoredField, directives: [CheckedDirective], place: String
    ) -> JSONValue? {
        guard let directive = directives.first(where: { $0.name == "default" }),
            let text = directive.string("value")
        else { return nil }
        let value = field.isList ? nil : Self.value(of: text, for: field.base, enums: types)
        if value == nil {
            errors.add(
                "the default of \(place) is no value of its type", at: directive.offset,
                suggestion: field.isList ? "lists have no default" : nil)
        }
        return value
    }

    /// `@default(value:)` is always written as a string.
    private static func value(
        of text: String, for base: StoredField.Base, enums: [String: TypeDefinition]
    ) -> JSONValue? {
        switch base {
        case .enumeration(let name):
            let isKnown = enums[name]?.values.contains { $0.name.text.string == text } ?? false
            return isKnown ? .some(.string(Text(text))) : .none
        case .embedded: return nil
        case .scalar(.int): return Int32(text).map { .int(Int64($0)) }
        case .scalar(.timestamp): return Int64(text).map { .int($0) }
        case .scalar(.float):
            return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        case .scalar(.boolean): return Bool(text).map { .bool($0) }
        case .scalar(let scalar):
            let value = JSONValue.string(Text(text))
            // `nil` here would be a JSON null, which is a value.
            return scalar.accepts(value) ? .some(value) : .none
        }
    }

    /// Checks the types without `@model`, which live inside records.
    mutating func checkEmbedded() {
        for type in embedded {
            var seen: Set<Text> = []
            for field in type.fields {
                let place = "\(type.name.text).\(field.name.text)"
                checkName(of: field, in: type)
                if !seen.insert(field.name.text).inserted {
                    errors.add("\(place) is defined twice", at: field.offset)
                }
                for directive in check(
                    field.directives, on: .fieldDefinition, of: type, field: field.name)
                where directive.name != "deprecated" {
                    errors.add(
                        "@\(directive.name) cannot stand on a field of a type without @model",
                        at: directive.offset)
                }
                if modelIDs[field.type.name.text.string] != nil {
                    errors.add(
                        "\(place) cannot lead to a model, because \(type.name.text) has no @model",
                        at: field.type.offset)
                } else {
                    _ = base(of: field.type.name, place: place)
                }
                if let argument = field.arguments.first {
                    errors.add("\(place) cannot have arguments", at: argument.offset)
                }
            }
        }
    }
}
