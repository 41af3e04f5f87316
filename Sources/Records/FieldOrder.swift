public import JSON

/// Equality and order of field values: what filters, indexes and both stores agree on.
///
/// Numbers compare by value whether integer or double; texts by bytes; false before true.
public enum FieldOrder {
    /// Whether two values are the same value.
    public static func equal(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)):
            Int64(exactly: b) == a
        default: one == other
        }
    }

    /// Negative, zero or positive as the first value comes before, is equal to or comes after the
    /// second; nil if they are of kinds that have no order with each other.
    public static func compare(_ one: JSONValue, _ other: JSONValue) -> Int? {
        switch (one, other) {
        case (.string(let a), .string(let b)): a == b ? 0 : a < b ? -1 : 1
        case (.int(let a), .int(let b)): a == b ? 0 : a < b ? -1 : 1
        case (.bool(let a), .bool(let b)): a == b ? 0 : b ? -1 : 1
        case (.double(let a), .double(let b)): compare(a, b)
        case (.int(let a), .double(let b)): compare(a, b)
        case (.double(let a), .int(let b)): -compare(b, a)
        default: nil
        }
    }

    private static func compare(_ a: Double, _ b: Double) -> Int { a == b ? 0 : a < b ? -1 : 1 }

    /// Exact beyond 2^53 too, where turning the integer into a double would round it.
    private static func compare(_ a: Int64, _ b: Double) -> Int {
        if b >= 0x1p63 { return -1 }
        if b < -0x1p63 { return 1 }
        let whole = Int64(b)
        if a != whole { return a < whole ? -1 : 1 }
        let fraction = b - Double(whole)
        return fraction == 0 ? 0 : fraction > 0 ? -1 : 1
    }

    /// A total order for sorting, nulls first: SQLite's order of NULL, numbers, texts.
    public static func sortsBefore(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let order = compare(one, other) { return order < 0 }
        return rank(one) < rank(other)
    }

    private static func rank(_ value: JSONValue) -> Int {
        switch value {
        case .null: 0
        case .bool, .int, .double: 1
        case .string: 2
        case .array, .object: 3
        }
    }
}
