import Bytes
import JSON
import Records

/// Reads one operator of a field's filter with its operand.
struct OperatorReader {
    /// Where the operator stands, for messages.
    let place: [Text]

    /// The tests that must all pass. Only `size` can have several.
    func tests(_ name: Text, _ operand: JSONValue) throws(ArgumentFault) -> [Filter.Test] {
        switch name {
        case "eq": return [.equal(operand)]
        case "ne": return [.notEqual(operand)]
        default: break
        }
        if operand.isNull { throw ArgumentFault(at: place, "cannot be null; only eq and ne can") }
        switch name {
        case "size": return try sizes(operand)
        case "attributeExists":
            guard let wanted = operand.boolean else { throw unfit("true or false", operand) }
            return [.exists(wanted)]
        case "attributeType":
            guard let type = operand.text.flatMap({ Filter.AttributeType(rawValue: $0.string) })
            else { throw unfit("a type's name", operand) }
            return [.hasType(type)]
        default:
            return [try test(name, operand)]
        }
    }

    /// An operator that compares the field's value.
    func test(_ name: Text, _ operand: JSONValue) throws(ArgumentFault) -> Filter.Test {
        switch name {
        case "eq": return .equal(operand)
        case "lt": return .less(operand)
        case "le": return .lessOrEqual(operand)
        case "gt": return .greater(operand)
        case "ge": return .greaterOrEqual(operand)
        case "between":
            let ends = try list(operand)
            guard ends.count == 2 else {
                throw ArgumentFault(at: place, "wants two values, not \(ends.count)")
            }
            if ends.contains(where: \.isNull) {
                throw ArgumentFault(at: place, "wants two values, and neither can be null")
            }
            return .between(ends[0], ends[1])
        case "beginsWith":
            guard let prefix = operand.text else { throw unfit("a string", operand) }
            return .beginsWith(prefix)
        case "contains": return .contains(operand)
        case "notContains": return .notContains(operand)
        case "in": return .isIn(try list(operand))
        case "notIn": return .isNotIn(try list(operand))
        case "containsAny": return .containsAny(try list(operand))
        default: throw ArgumentFault(at: place, "is no operator of a filter")
        }
    }

    private func sizes(_ operand: JSONValue) throws(ArgumentFault) -> [Filter.Test] {
        var tests: [Filter.Test] = []
        for member in operand.object?.members ?? [] {
            let inner = OperatorReader(place: place + [member.name])
            tests.append(.size(try inner.size(member.name, member.value)))
        }
        return tests
    }

    private func size(
        _ name: Text, _ operand: JSONValue
    ) throws(ArgumentFault) -> Filter.SizeTest {
        if name == "between" {
            let ends = try list(operand).compactMap(\.integer)
            guard ends.count == 2 else { throw ArgumentFault(at: place, "wants two numbers") }
            return .between(ends[0], ends[1])
        }
        guard let size = operand.integer else { throw unfit("a whole number", operand) }
        switch name {
        case "eq": return .equal(size)
        case "ne": return .notEqual(size)
        case "lt": return .less(size)
        case "le": return .lessOrEqual(size)
        case "gt": return .greater(size)
        case "ge": return .greaterOrEqual(size)
        default: throw ArgumentFault(at: place, "is no operator of a size")
        }
    }

    private func list(_ operand: JSONValue) throws(ArgumentFault) -> [JSONValue] {
        guard let items = operand.items else { throw unfit("a list", operand) }
        return items
    }

    private func unfit(_ wanted: String, _ operand: JSONValue) -> ArgumentFault {
        ArgumentFault(at: place, "wants \(wanted), not \(operand.kindName)")
    }
}
