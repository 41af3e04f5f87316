public import JSON
public import Records

/// What both stores check and compute for a write, without touching what is stored.
///
/// A failure here means that this one write cannot be carried out; it hinders no other.
extension DataLayout {
    /// The record that a creation makes.
    ///
    /// - Throws: `StoreFailure` if a field cannot hold its value or a key's field is null.
    public func newRecord(
        for key: RecordKey, values: [JSONValue], sequence: Int64
    ) throws(StoreFailure) -> Record {
        let model = models[key.model]
        precondition(
            values.count == model.fields.count, "a new record has one value per field of its model")
        var record = Record(model: key.model, version: 1, sequence: sequence, values: values)
        for slot in values.indices {
            record.values[slot] = try stored(values[slot], slot: slot, in: model)
        }
        for (index, slot) in model.key.enumerated() {
            guard !record.values[slot].isNull else { throw .nullKey(model, slot) }
            let named = model.fields[slot].stored(key.values[index])
            precondition(
                named == record.values[slot], "a creation's key and values name the same record")
        }
        return record
    }

    /// The record that an update makes of `present`, one version further.
    ///
    /// - Throws: `StoreFailure` if a field cannot hold its value, or if the key would change.
    public func updatedRecord(
        _ present: Record, with updates: [RecordWrite.FieldUpdate]
    ) throws(StoreFailure) -> Record {
        let model = models[present.model]
        var record = present
        record.version += 1
        for update in updates {
            let value = try stored(update.value, slot: update.slot, in: model)
            if model.key.contains(update.slot), value != present.values[update.slot] {
                throw .changedKey(model, update.slot)
            }
            record.values[update.slot] = value
        }
        return record
    }

    private func stored(
        _ value: JSONValue, slot: Int, in model: ModelLayout
    ) throws(StoreFailure) -> JSONValue {
        let field = model.fields[slot]
        guard let stored = field.stored(value) else { throw .misfit(model, field, value) }
        return stored
    }
}

extension StoreFailure {
    static func misfit(
        _ model: ModelLayout, _ field: FieldLayout, _ value: JSONValue
    ) -> StoreFailure {
        StoreFailure(
            message: """
                the field "\(field.name)" of the model "\(model.name)" holds \(field.holds); \
                \(value.kindName) does not fit
                """)
    }

    static func nullKey(_ model: ModelLayout, _ slot: Int) -> StoreFailure {
        StoreFailure(
            message: """
                the field "\(model.fields[slot].name)" is part of the key of the model \
                "\(model.name)" and cannot be null
                """)
    }

    static func changedKey(_ model: ModelLayout, _ slot: Int) -> StoreFailure {
        StoreFailure(
            message: """
                the field "\(model.fields[slot].name)" is part of the key of the model \
                "\(model.name)" and cannot be changed; delete the record and create another
                """)
    }
}
