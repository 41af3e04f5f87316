import Bytes
import JSON
import Records

/// Turns the arguments of a mutation into a write (AppSync contract 4.5).
struct WritePlanner {
    let layout: DataLayout
    let model: ModelDefinition
    let id: ModelID
    let embedded: EmbeddedForms

    /// The write that a mutation asks for.
    func write(
        _ kind: Change.Kind, _ arguments: JSONObject, context: inout RequestContext
    ) throws(ArgumentFault) -> RecordWrite {
        let input = arguments["input"]?.object ?? JSONObject()
        var compiler = FilterCompiler(layout: layout, form: .query, argument: "condition")
        let condition = try compiler.compile(arguments["condition"], model: id)
        let action: RecordWrite.Action
        let key: RecordKey
        switch kind {
        case .create:
            let values = try created(input, context: &context)
            key = try self.key { values[$0] }
            action = .create(values)
        case .update:
            key = try self.key { input[Text(model.stored[$0].name)] ?? .null }
            action = .update(try updates(input, context: context))
        case .delete:
            key = try self.key { input[Text(model.stored[$0].name)] ?? .null }
            action = .delete
        }
        return RecordWrite(key: key, action: action, condition: condition)
    }

    /// A value for each field: given, else its default, else a new id or the time.
    private func created(
        _ input: JSONObject, context: inout RequestContext
    ) throws(ArgumentFault) -> [JSONValue] {
        var values: [JSONValue] = []
        values.reserveCapacity(model.stored.count)
        for (slot, field) in model.stored.enumerated() {
            let given = input[Text(field.name)]
            var value = given ?? field.defaultValue ?? .null
            if value.isNull {
                if ModelTypes.isGenerated(slot, of: model) {
                    value = .string(context.random.nextUUID())
                } else if slot == model.createdSlot || slot == model.updatedSlot {
                    value = .string(CalendarText.dateTime(milliseconds: context.nowMilliseconds))
                } else if field.isNonNull {
                    throw required(field)
                }
            }
            values.append(stored(value, field))
        }
        return values
    }

    /// The given fields, and the time of the update unless the client gives one.
    private func updates(
        _ input: JSONObject, context: RequestContext
    ) throws(ArgumentFault) -> [RecordWrite.FieldUpdate] {
        var updates: [RecordWrite.FieldUpdate] = []
        for (slot, field) in model.stored.enumerated() where !model.key.contains(slot) {
            var value = input[Text(field.name)]
            if slot == model.updatedSlot && value?.isNull ?? true {
                value = .string(CalendarText.dateTime(milliseconds: context.nowMilliseconds))
            }
            guard let value else { continue }
            if value.isNull && field.isNonNull { throw required(field) }
            updates.append(RecordWrite.FieldUpdate(slot: slot, value: stored(value, field)))
        }
        return updates
    }

    private func required(_ field: StoredField) -> ArgumentFault {
        ArgumentFault(
            "input.\(field.name) cannot be null, because \(model.name).\(field.name) "
                + "is non-null")
    }

    private func key(_ value: (Int) -> JSONValue) throws(ArgumentFault) -> RecordKey {
        var values: [JSONValue] = []
        for slot in model.key {
            let value = stored(value(slot), model.stored[slot])
            if value == .string("") {
                throw ArgumentFault("input.\(model.stored[slot].name) is a key and cannot be empty")
            }
            values.append(value)
        }
        return RecordKey(model: id, values: values)
    }

    /// The one form in which a field's value is stored: numbers of double fields are doubles,
    /// values of interfaces and unions name their type.
    private func stored(_ value: JSONValue, _ field: StoredField) -> JSONValue {
        if case .embedded(let type) = field.base { return embedded.stored(value, Text(type)) }
        guard field.kind == .double else { return value }
        switch value {
        case .int(let number): return .double(Double(number))
        case .array(let items): return .array(items.map { stored($0, field) })
        default: return value
        }
    }
}
