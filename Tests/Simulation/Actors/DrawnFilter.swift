import Bytes
import JSON

/// A filter drawn by chance: as the client writes it, and as a test of its own that shares no
/// code with the hub's.
struct DrawnFilter: Sendable {
    typealias Predicate = @Sendable (_ chain: [Row?]) -> Bool

    var json: JSONValue
    var passes: Predicate

    static let authors: [Text] = ["ada", "alan", "grace", "edsger"]
    static let places: [Text] = ["north", "south", "west"]
    static let threads: [Text] = ["t0", "t1", "t2", "t3"]

    /// A filter of the model at this place of the chain, with so many levels of connectives.
    static func draw(
        _ model: Text, at level: Int = 0, depth: Int = 2, _ random: inout SeededRandom
    ) -> DrawnFilter {
        if depth > 0, random.chance(45) { return connective(model, level, depth, &random) }
        let first = leaf(model, level, depth, &random)
        guard random.chance(25) else { return first }
        // Several members of one object must all pass.
        let second = leaf(model, level, depth, &random)
        guard case .object(let one) = first.json, case .object(let other) = second.json,
            one.members[0].name != other.members[0].name
        else { return first }
        var both = one
        both.members += other.members
        return DrawnFilter(json: .object(both)) { first.passes($0) && second.passes($0) }
    }

    private static func connective(
        _ model: Text, _ level: Int, _ depth: Int, _ random: inout SeededRandom
    ) -> DrawnFilter {
        if random.chance(30) {
            let inner = draw(model, at: level, depth: depth - 1, &random)
            return DrawnFilter(json: ["not": inner.json]) { !inner.passes($0) }
        }
        let isOr = random.chance(60)
        let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            draw(model, at: level, depth: depth - 1, &random)
        }
        let json = JSONObject([(isOr ? "or" : "and", .array(parts.map(\.json)))])
        return DrawnFilter(json: .object(json)) { chain in
            isOr ? parts.contains { $0.passes(chain) } : parts.allSatisfy { $0.passes(chain) }
        }
    }

    private static func leaf(
        _ model: Text, _ level: Int, _ depth: Int, _ random: inout SeededRandom
    ) -> DrawnFilter {
        switch (model, Int.random(in: 0..<4, using: &random)) {
        case ("Message", 0): return number("rank", level, &random)
        case ("Message", 1): return text("author", authors, level, &random)
        case ("Message", _): return relation("thread", "Thread", level, depth, &random)
        case ("Reply", 0): return text("body", ["w1", "w2"], level, &random)
        case ("Reply", _): return relation("message", "Message", level, depth, &random)
        case (_, 0): return text("id", threads, level, &random)
        default: return text("location", places, level, &random)
        }
    }

    private static func relation(
        _ name: Text, _ model: Text, _ level: Int, _ depth: Int, _ random: inout SeededRandom
    ) -> DrawnFilter {
        let inner = draw(model, at: level + 1, depth: min(depth, 1), &random)
        return DrawnFilter(json: .object(JSONObject([(name, inner.json)])), passes: inner.passes)
    }

    /// The value of a field at a place of the chain. An id behind a relation is the foreign key:
    /// it is there even if no record has it.
    private static func value(_ chain: [Row?], _ level: Int, _ name: Text) -> JSONValue? {
        guard name == "id", level > 0 else { return chain[level]?[name] }
        let previous = chain[level - 1]
        return previous?["messageThreadId"] ?? previous?["replyMessageId"]
    }

    // MARK: Operators

    private typealias Operator = (
        name: Text, operand: JSONValue, test: @Sendable (JSONValue?) -> Bool
    )

    /// One or two operators of a field; of two, one is enough (AppSync contract 3.4).
    private static func field(
        _ name: Text, _ level: Int, _ operators: [Operator]
    ) -> DrawnFilter {
        var object = JSONObject()
        var tests: [@Sendable (JSONValue?) -> Bool] = []
        for one in operators where object[one.name] == nil {
            object.append(one.name, one.operand)
            tests.append(one.test)
        }
        return DrawnFilter(json: .object(JSONObject([(name, .object(object))]))) { [tests] chain in
            let value = value(chain, level, name)
            return tests.contains { $0(value) }
        }
    }

    private static func number(
        _ name: Text, _ level: Int, _ random: inout SeededRandom
    ) -> DrawnFilter {
        let count = random.chance(25) ? 2 : 1
        return field(name, level, (0..<count).map { _ in numberOperator(&random) })
    }

    private static func numberOperator(_ random: inout SeededRandom) -> Operator {
        let low = Int64.random(in: 0...7, using: &random)
        let high = low + Int64.random(in: 0...3, using: &random)
        func compare(
            _ test: @escaping @Sendable (Int64) -> Bool
        ) -> @Sendable (JSONValue?) -> Bool {
            { $0?.integer.map(test) ?? false }
        }
        let list: JSONValue = .array([.int(low), .int(high)])
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return ("eq", .int(low), compare { $0 == low })
        case 1: return ("ne", .int(low), { $0?.integer != low })
        case 2: return ("lt", .int(low), compare { $0 < low })
        case 3: return ("le", .int(low), compare { $0 <= low })
        case 4: return ("gt", .int(low), compare { $0 > low })
        case 5: return ("ge", .int(low), compare { $0 >= low })
        case 6: return ("between", list, compare { $0 >= low && $0 <= high })
        case 7: return ("in", list, compare { $0 == low || $0 == high })
        default: return ("notIn", list, { $0?.integer != low && $0?.integer != high })
        }
    }

    private static func text(
        _ name: Text, _ words: [Text], _ level: Int, _ random: inout SeededRandom
    ) -> DrawnFilter {
        let count = random.chance(25) ? 2 : 1
        return field(name, level, (0..<count).map { _ in textOperator(words, &random) })
    }

    private static func textOperator(
        _ words: [Text], _ random: inout SeededRandom
    ) -> Operator {
        let word = random.pick(words)
        let other = random.pick(words)
        let list: JSONValue = .array([.string(word), .string(other)])
        let start = String(word.string.prefix(1))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return ("eq", .string(word), { $0?.text == word })
        case 1: return ("ne", .string(word), { $0?.text != word })
        case 2: return ("in", list, { $0?.text == word || $0?.text == other })
        case 3: return ("notIn", list, { $0?.text != word && $0?.text != other })
        case 4:
            return (
                "beginsWith", .string(Text(start)), { $0?.text?.string.hasPrefix(start) ?? false }
            )
        default:
            return (
                "contains", .string(Text(start)), { $0?.text?.string.contains(start) ?? false }
            )
        }
    }
}
