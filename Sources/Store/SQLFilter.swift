import Bytes
public import JSON
public import Records

/// A condition in SQL that every record passes which passes a filter; some others may pass it too.
///
/// It spares the store reading rows; `Filter.matches` has the last word, so that all stores agree.
/// Columns are named as fields and written with a `+`: the condition never chooses the index.
public struct SQLFilter: Sendable, Hashable {
    /// The condition, with a `?` for each value.
    public private(set) var text: String
    /// The values to bind, in order, each of its column's kind.
    public private(set) var values: [JSONValue]
    /// Whether no other record passes.
    private var isExact = true

    /// How deep filters are translated, and how many values are bound.
    ///
    /// SQLite's own limits are 1,000 and 32,766; what is beyond these is left to `Filter.matches`.
    private static let depthMax = 20
    private static let valuesMax = 500

    /// How long the text may be: keeps a flat list of conditions below SQLite's depth of 1,000.
    private static let textBytesMax = 8_192

    /// Translates what can be translated of a filter; nil if that is nothing.
    public init?(_ filter: Filter, model: ModelLayout) {
        self.init(filter, model: model, depth: 0)
        if values.count > Self.valuesMax || text.utf8.count > Self.textBytesMax { return nil }
    }

    private init(_ text: String, _ values: [JSONValue] = []) {
        self.text = text
        self.values = values
    }

    private init?(_ filter: Filter, model: ModelLayout, depth: Int) {
        guard depth < Self.depthMax else { return nil }
        let translate = { SQLFilter($0, model: model, depth: depth + 1) }
        switch filter {
        case .all: return nil
        case .test(let path, let test):
            guard path.relations.isEmpty else { return nil }
            self.init(test, field: model.fields[path.slot])
        case .and(let parts):
            let translated = parts.compactMap(translate)
            guard !translated.isEmpty else { return nil }
            self.init(joining: translated, " AND ")
            isExact = isExact && translated.count == parts.count
        case .or(let parts):
            let translated = parts.compactMap(translate)
            guard translated.count == parts.count else { return nil }
            if parts.isEmpty { self = .nothing } else { self.init(joining: translated, " OR ") }
        case .not(let inner):
            guard let translated = translate(inner), translated.isExact else { return nil }
            // NOT of an unknown comparison with NULL is unknown; the filter's `not` is true then.
            self.init("(\(translated.text) IS NOT TRUE)", translated.values)
        }
    }

    private init(joining parts: [SQLFilter], _ word: String) {
        self.init("(\(parts.map(\.text).joined(separator: word)))", parts.flatMap(\.values))
        isExact = parts.allSatisfy(\.isExact)
    }

    private init?(_ test: Filter.Test, field: FieldLayout) {
        let column = "+" + SQLName.quoted(field.name.string)
        switch test {
        case .exists(let wanted): self.init("\(column) IS \(wanted ? "NOT " : "")NULL")
        case .equal(.null): self.init("\(column) IS NULL")
        case .notEqual(.null): self.init("\(column) IS NOT NULL")
        case _ where field.isList || field.kind == .json: return nil
        case .equal(let value):
            guard let operand = Self.exact(value, field) else { return nil }
            self.init("\(column) = ?", [operand])
        case .less(let value): self.init(column, "<", value, field)
        case .lessOrEqual(let value): self.init(column, "<=", value, field)
        case .greater(let value): self.init(column, ">", value, field)
        case .greaterOrEqual(let value): self.init(column, ">=", value, field)
        case .between(let low, let high):
            guard let low = SQLFilter(column, ">=", low, field),
                let high = SQLFilter(column, "<=", high, field)
            else { return nil }
            self.init(joining: [low, high], " AND ")
        case .isIn(let list):
            let operands = list.compactMap { Self.exact($0, field) }
            guard operands.count == list.count, list.count <= Self.valuesMax else { return nil }
            let marks = Array(repeating: "?", count: list.count).joined(separator: ",")
            self.init("\(column) IN (\(marks))", operands)
        default: return nil
        }
    }

    private init?(_ column: String, _ sign: String, _ value: JSONValue, _ field: FieldLayout) {
        guard let operand = Self.exact(value, field) else { return nil }
        self.init("\(column) \(sign) ?", [operand])
    }

    private static let nothing = SQLFilter("0")

    /// The operand, if SQLite compares it with the column as `FieldOrder` does.
    ///
    /// Different kinds are converted to each other by SQLite, and an integer beyond 2^53 is
    /// compared with a double exactly there but after rounding here: nil for both.
    private static func exact(_ value: JSONValue, _ field: FieldLayout) -> JSONValue? {
        guard field.isComparable(with: value) else { return nil }
        switch (field.kind, value) {
        case (.integer, .double(let double)) where double.magnitude >= 0x1p53: return nil
        case (.double, .int(let int)):
            return int.magnitude > 1 << 53 ? .none : .double(Double(int))
        default: return value
        }
    }
}

/// Names in SQL text.
public enum SQLName {
    /// The name in double quotes, as standard SQL quotes identifiers.
    public static func quoted(_ name: String) -> String {
        var result = "\""
        for character in name.unicodeScalars {
            if character == "\"" { result += "\"" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
