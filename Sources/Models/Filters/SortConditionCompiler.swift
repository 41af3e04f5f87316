import Bytes
import JSON
import Records

/// Turns a key condition argument into a condition on an index's sort fields
/// (AppSync contract 4.4).
struct SortConditionCompiler: Sendable {
    /// The argument's name, for messages.
    let argument: Text
    /// The sort fields in the index's order, with their slots.
    let fields: [(name: Text, slot: Int)]

    /// A condition, as far as the index can answer it, and a filter for the rest.
    struct Condition: Hashable {
        var sort: RecordQuery.SortCondition?
        var filter: Filter = .all
    }

    /// Compiles a condition; nil and null are none. A key condition has one operator.
    func compile(_ value: JSONValue?) throws(ArgumentFault) -> Condition {
        guard let members = value?.object?.members, !members.isEmpty else { return Condition() }
        guard members.count == 1, let member = members.first else {
            let names = members.map(\.name.string).joined(separator: ", ")
            throw ArgumentFault(
                "\(argument) takes one operator, not \(members.count) (\(names)); "
                    + "use between for a range, or a filter")
        }
        let place = [argument, member.name]
        if member.value.isNull { throw ArgumentFault(at: place, "cannot be null") }
        if fields.count > 1 { return try composite(member.name, member.value, place: place) }
        let test = try OperatorReader(place: place).test(member.name, member.value)
        return Condition(sort: RecordQuery.SortCondition(test: test))
    }

    /// Conditions on several sort fields compare them as one, first field first.
    private func composite(
        _ name: Text, _ operand: JSONValue, place: [Text]
    ) throws(ArgumentFault) -> Condition {
        switch name {
        case "eq":
            let values = try prefix(operand, place: place)
            guard values.count == fields.count else {
                throw ArgumentFault(at: place, "wants all of \(fieldNames)")
            }
            return same(values, last: values.last.map { .equal($0) })
        case "beginsWith":
            let values = try prefix(operand, place: place)
            // A whole value that is no text can only be begun with by itself.
            return same(
                values, last: values.last.map { $0.text.map { .beginsWith($0) } ?? .equal($0) })
        case "between":
            guard let ends = operand.items, ends.count == 2 else {
                throw ArgumentFault(at: place, "wants two values")
            }
            let low = try prefix(ends[0], place: place)
            let high = try prefix(ends[1], place: place)
            return Condition(
                filter: .and([order("ge", low), order("le", high)]).simplified)
        case "lt", "le", "gt", "ge":
            return Condition(filter: order(name, try prefix(operand, place: place)).simplified)
        default: throw ArgumentFault(at: place, "is no operator of a key condition")
        }
    }

    private func same(_ values: [JSONValue], last: Filter.Test?) -> Condition {
        Condition(sort: RecordQuery.SortCondition(equal: Array(values.dropLast()), test: last))
    }

    /// The given values of the leading fields; a field behind one that is left out is refused.
    private func prefix(
        _ operand: JSONValue, place: [Text]
    ) throws(ArgumentFault) -> [JSONValue] {
        var values: [JSONValue] = []
        for (index, field) in fields.enumerated() {
            guard let value = operand[field.name], !value.isNull else { continue }
            guard values.count == index else {
                throw ArgumentFault(
                    at: place + [field.name], "needs \(fields[values.count].name) before it")
            }
            values.append(value)
        }
        if values.isEmpty { throw ArgumentFault(at: place, "wants the first of \(fieldNames)") }
        return values
    }

    /// Lexicographic order as a filter: an earlier field decides, or is equal and the next does.
    private func order(_ name: Text, _ values: [JSONValue]) -> Filter {
        let isUp = name == "gt" || name == "ge"
        let includesEqual = name == "le" || name == "ge"
        var result: Filter = includesEqual ? .all : .or([])
        for (field, value) in zip(fields, values).reversed() {
            let path = Filter.FieldPath(slot: field.slot)
            let strict = Filter.test(path, isUp ? .greater(value) : .less(value))
            result = .or([strict, .and([.test(path, .equal(value)), result])])
        }
        return result
    }

    private var fieldNames: String { fields.map(\.name.string).joined(separator: ", ") }
}
