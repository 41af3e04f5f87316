import Bytes
import JSON
import Records

/// Turns the filter inputs of the API into `Filter` (AppSync contract 3.4 and 4.4).
///
/// Keys of one object are joined with AND. Several operators on one field are joined with AND
/// in queries and conditions, but with OR in subscriptions, as AppSync does it
/// (`FilterForm.subscription`). `{}` and null are no filter.
struct FilterCompiler {
    let layout: DataLayout
    let form: FilterForm

    private var place: [Text]

    init(layout: DataLayout, form: FilterForm, argument: Text) {
        self.layout = layout
        self.form = form
        place = [argument]
    }

    /// Compiles one coerced filter object; nil and null match everything.
    mutating func compile(
        _ value: JSONValue?, model: ModelID
    ) throws(ArgumentFault) -> Filter {
        try object(value, model: model, steps: []).simplified
    }

    private mutating func object(
        _ value: JSONValue?, model: ModelID, steps: [Step]
    ) throws(ArgumentFault) -> Filter {
        guard let members = value?.object?.members else { return .all }
        var parts: [Filter] = []
        for member in members {
            place.append(member.name)
            parts.append(try self.member(member, model: model, steps: steps))
            place.removeLast()
        }
        return .and(parts)
    }

    private mutating func member(
        _ member: JSONObject.Member, model: ModelID, steps: [Step]
    ) throws(ArgumentFault) -> Filter {
        if member.value.isNull { return .all }
        let fields = layout.models[model]
        // A field of the model goes before the connectives: a model may have a field `not`.
        if let slot = fields.slot(of: member.name) {
            return try tests(member.value, path: path(steps, slot: slot))
        }
        if let index = fields.relations.firstIndex(where: { $0.name == member.name }) {
            let relation = fields.relations[index]
            guard steps.count < form.relationStepsMax else {
                throw ArgumentFault(
                    at: place, "leads over more than \(form.relationStepsMax) relations")
            }
            let next = steps + [Step(model: model, relation: index)]
            return try object(member.value, model: relation.target, steps: next)
        }
        switch member.name {
        case "and": return .and(try list(member.value, model: model, steps: steps))
        case "or": return .or(try list(member.value, model: model, steps: steps))
        case "not": return .not(try object(member.value, model: model, steps: steps))
        default: throw ArgumentFault(at: place, "is no field of \(fields.name)")
        }
    }

    private mutating func list(
        _ value: JSONValue, model: ModelID, steps: [Step]
    ) throws(ArgumentFault) -> [Filter] {
        var parts: [Filter] = []
        for item in value.items ?? [value] {
            parts.append(try object(item, model: model, steps: steps))
        }
        return parts
    }

    /// One step along a belongs-to relation.
    private struct Step {
        var model: ModelID
        var relation: Int
    }

    /// The path to a field behind relations. If the field is part of the last record's key, the
    /// record before it holds the value already in its foreign key: one record less to look at.
    private func path(_ steps: [Step], slot: Int) -> Filter.FieldPath {
        var steps = steps
        var slot = slot
        while let last = steps.last {
            let relation = layout.models[last.model].relations[last.relation]
            let key = layout.models[relation.target].key
            guard let place = key.firstIndex(of: slot) else { break }
            slot = relation.foreignKey[place]
            steps.removeLast()
        }
        return Filter.FieldPath(relations: steps.map(\.relation), slot: slot)
    }

    private mutating func tests(
        _ value: JSONValue, path: Filter.FieldPath
    ) throws(ArgumentFault) -> Filter {
        var parts: [Filter] = []
        for member in value.object?.members ?? [] {
            place.append(member.name)
            let tests = try OperatorReader(place: place).tests(member.name, member.value)
            parts.append(.and(tests.map { .test(path, $0) }))
            place.removeLast()
        }
        // No operator is no test, in both forms.
        return form.operatorsAreOred && !parts.isEmpty ? .or(parts) : .and(parts)
    }
}

/// What differs between the filters of queries and of subscriptions.
struct FilterForm: Sendable, Hashable {
    /// Whether several operators on one field are joined with OR.
    var operatorsAreOred: Bool
    /// How many relations a filter may lead over.
    var relationStepsMax: Int

    /// Filters of queries and conditions of mutations.
    static let query = FilterForm(operatorsAreOred: false, relationStepsMax: 0)
}
