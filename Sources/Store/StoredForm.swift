public import JSON
public import Records

extension FieldLayout {
    /// How deep a JSON value may be nested to be stored; deeper ones are refused.
    public static let jsonDepthMax = 256

    /// The form in which a store keeps `value` in this field, or nil if the field cannot hold it.
    ///
    /// Both stores use this on the way in, so that they give back the same: a whole double in an
    /// integer field becomes an integer, any number in a double field a double, and -0 becomes 0
    /// (SQLite keeps whole doubles as integers and loses the sign).
    public func stored(_ value: JSONValue) -> JSONValue? {
        if value.isNull { return .null }
        // `Optional.none` in full: in a ternary `nil` would be JSON's null.
        if isList {
            guard case .array = value else { return .none }
            return value.isNested(atMost: Self.jsonDepthMax) ? .some(value) : .none
        }
        switch kind {
        case .text: return value.text == nil ? .none : .some(value)
        case .boolean: return value.boolean == nil ? .none : .some(value)
        case .json: return value.isNested(atMost: Self.jsonDepthMax) ? .some(value) : .none
        case .integer:
            if case .double(let double) = value { return Int64(exactly: double).map { .int($0) } }
            return value.integer == nil ? .none : .some(value)
        case .double:
            guard let number = value.number, number.isFinite else { return .none }
            return .double(number == 0 ? 0 : number)
        }
    }

    /// Whether values of this field have an order with `operand` (see `FieldOrder.compare`).
    public func isComparable(with operand: JSONValue) -> Bool {
        if isList { return false }
        switch (kind, operand) {
        case (.text, .string), (.boolean, .bool), (.integer, .int), (.integer, .double),
            (.double, .int), (.double, .double):
            return true
        default: return false
        }
    }

    /// What the field holds, in the words of an error message.
    public var holds: String {
        let one =
            switch kind {
            case .text: "text"
            case .integer: "64-bit integers"
            case .double: "finite numbers"
            case .boolean: "booleans"
            case .json: "JSON nested at most \(Self.jsonDepthMax) deep"
            }
        return isList ? "lists of \(one)" : one
    }

    /// Whether the field can be part of a key or an index.
    public var isOrdered: Bool { !isList && kind != .json }
}

extension JSONValue {
    func isNested(atMost depth: Int) -> Bool {
        switch self {
        case .array(let items):
            depth > 0 && items.allSatisfy { $0.isNested(atMost: depth - 1) }
        case .object(let object):
            depth > 0 && object.members.allSatisfy { $0.value.isNested(atMost: depth - 1) }
        default: true
        }
    }
}

extension DataLayout {
    /// The key in the form in which it is stored, or nil if no record can have it.
    public func storedKey(_ key: RecordKey) -> RecordKey? {
        let model = models[key.model]
        precondition(
            key.values.count == model.key.count, "a key has one value per key field of its model")
        var result = key
        for (index, slot) in model.key.enumerated() {
            guard let value = model.fields[slot].stored(key.values[index]), !value.isNull else {
                return nil
            }
            result.values[index] = value
        }
        return result
    }

    /// A sentence about the first thing in the layout that no store can work with, or nil.
    public var fault: String? {
        for model in models {
            let ordered = model.key + model.indexes.flatMap { $0.hash + $0.sort }
            if model.key.isEmpty { return "the model \"\(model.name)\" has no key field" }
            if model.indexes.contains(where: \.hash.isEmpty) {
                return "an index of the model \"\(model.name)\" has no hash field"
            }
            for slot in ordered {
                if !model.fields.indices.contains(slot) {
                    return "the model \"\(model.name)\" has no field of slot \(slot)"
                }
                if !model.fields[slot].isOrdered {
                    return """
                        the field "\(model.fields[slot].name)" of the model "\(model.name)" is a \
                        list or JSON and cannot be part of a key or an index
                        """
                }
            }
            for relation in model.relations {
                guard models.indices.contains(relation.target),
                    relation.foreignKey.count == models[relation.target].key.count,
                    relation.foreignKey.allSatisfy(model.fields.indices.contains)
                else {
                    return """
                        the relation "\(relation.name)" of the model "\(model.name)" does not \
                        name the key of its target
                        """
                }
            }
        }
        return nil
    }
}
