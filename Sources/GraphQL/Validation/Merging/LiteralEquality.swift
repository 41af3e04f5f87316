import Bytes

/// Whether values as written mean the same, whatever the order of names in them.
enum LiteralEquality {
    /// Whether two lists of arguments, or of an input object's fields, are the same.
    static func areEqual(_ left: [Argument], _ right: [Argument]) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left, right).allSatisfy({ $0.name.text == $1.name.text }) {
            return zip(left, right).allSatisfy { areEqual($0.value, $1.value) }
        }
        let sorted = (sorted(left), sorted(right))
        return zip(sorted.0, sorted.1).allSatisfy {
            $0.name.text == $1.name.text && areEqual($0.value, $1.value)
        }
    }

    private static func sorted(_ arguments: [Argument]) -> [Argument] {
        arguments.sorted { $0.name.text < $1.name.text }
    }

    /// Whether two values are the same.
    static func areEqual(_ left: Literal, _ right: Literal) -> Bool {
        switch (left.kind, right.kind) {
        case (.variable(let one), .variable(let other)),
            (.int(let one), .int(let other)),
            (.float(let one), .float(let other)),
            (.string(let one), .string(let other)),
            (.enumValue(let one), .enumValue(let other)):
            one == other
        case (.boolean(let one), .boolean(let other)): one == other
        case (.null, .null): true
        case (.list(let one), .list(let other)):
            one.count == other.count && zip(one, other).allSatisfy { areEqual($0, $1) }
        case (.object(let one), .object(let other)): areEqual(one, other)
        default: false
        }
    }
}
