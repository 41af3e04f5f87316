import Bytes
import JSON
import Records
import Store

/// One stretch of an index, as a statement that reads it in order without sorting.
///
/// A query without a cursor is one stretch. Behind a cursor (a, b, seq) it is, from the nearest to
/// the farthest: the rows of the same a and b behind seq, those of the same a behind b, those
/// behind a. Each is an equality and one range, which an index answers from its very place
/// however many rows share a value, and nulls need no special comparison.
struct Scan {
    private let plan: ScanPlan
    private let model: ModelLayout
    /// How many of the sort fields have one value in all rows, so that they need no order.
    private let fixed: Int
    private var conditions: [String] = []
    private var values: [Bound] = []

    private enum Bound {
        case value(JSONValue)
        /// Bytes that are compared as text and need not be UTF-8.
        case bytes([UInt8])
    }

    /// All stretches of a plan, in the order in which they are to be read.
    static func all(of plan: ScanPlan, in model: ModelLayout) -> [Scan] {
        guard let after = plan.after else { return [Scan(plan, model, equalTo: [])] }
        let sign = plan.query.isDescending ? "<" : ">"
        var nearest = Scan(plan, model, equalTo: after.sort)
        nearest.add("__seq \(sign) ?", .value(.int(after.sequence)))
        var result = [nearest]
        for level in plan.sortSlots.indices.reversed() {
            let value = after.sort[level]
            // Where the query fixes the field to the cursor's value, nothing is behind it.
            if level < plan.equal.count, plan.equal[level] == value { continue }
            let stretch = Scan(plan, model, equalTo: Array(after.sort[..<level]))
            let column = stretch.column(plan.sortSlots[level])
            // Nulls stand first: behind a null are all values, before a value are the nulls too.
            switch (plan.query.isDescending, value) {
            case (true, .null): continue
            case (false, .null): result.append(stretch.adding("\(column) IS NOT NULL"))
            case (false, _): result.append(stretch.adding("\(column) > ?", .value(value)))
            case (true, _):
                result.append(stretch.adding("\(column) < ?", .value(value)))
                result.append(stretch.adding("\(column) IS NULL"))
            }
        }
        return result
    }

    private init(_ plan: ScanPlan, _ model: ModelLayout, equalTo values: [JSONValue]) {
        self.plan = plan
        self.model = model
        fixed = max(plan.equal.count, values.count)
        for (slot, value) in zip(plan.hashSlots, plan.hash) {
            add("\(column(slot)) = ?", .value(value))
        }
        for (slot, value) in zip(plan.sortSlots, plan.equal) {
            add("\(column(slot)) IS ?", .value(value))
        }
        for (index, value) in values.enumerated() {
            if index < plan.equal.count, plan.equal[index] == value { continue }
            add("\(column(plan.sortSlots[index])) IS ?", .value(value))
        }
        if let test = plan.test { narrow(test, column(plan.sortSlots[plan.equal.count])) }
    }

    /// The statement's text, `selection` naming the columns and the table.
    func sql(selection: String) -> String {
        var conditions = conditions
        if let filter { conditions.append(filter.text) }
        let direction = plan.query.isDescending ? " DESC" : ""
        let order = plan.sortSlots[fixed...].map(column) + ["__seq"]
        return selection + access
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
            + " ORDER BY " + order.map { $0 + direction }.joined(separator: ", ")
    }

    /// Binds the values to a statement of `sql(selection:)`.
    func bind(to statement: Statement) {
        var place = 1
        for bound in values {
            switch bound {
            case .value(let value): statement.bind(value, at: place)
            case .bytes(let bytes): statement.bind(bytes: bytes, at: place)
            }
            place += 1
        }
        for value in filter?.values ?? [] {
            statement.bind(value, at: place)
            place += 1
        }
    }

    private var filter: SQLFilter? { SQLFilter(plan.query.filter, model: model) }

    /// The index is named rather than left to the planner's guess: the order decides, not a filter.
    private var access: String {
        switch plan.query.source {
        case .all: return " NOT INDEXED"
        case .key: return " INDEXED BY " + SQLName.quoted(Schema.keyIndexName(model))
        case .index(let number, _):
            let index = model.indexes[number]
            let name = Schema.indexName(model, hash: index.hash, sort: index.sort)
            return " INDEXED BY " + SQLName.quoted(name)
        }
    }

    private mutating func narrow(_ test: Filter.Test, _ column: String) {
        switch test {
        case .equal(.null): add("\(column) IS NULL")
        case .equal(let value): narrow(column, "=", value)
        case .less(let value): narrow(column, "<", value)
        case .lessOrEqual(let value): narrow(column, "<=", value)
        case .greater(let value): narrow(column, ">", value)
        case .greaterOrEqual(let value): narrow(column, ">=", value)
        case .between(let low, let high):
            narrow(column, ">=", low)
            narrow(column, "<=", high)
        case .beginsWith(let prefix):
            add("\(column) >= ?", .value(.string(prefix)))
            var end = Array(prefix.string.utf8)
            guard let last = end.popLast() else { return }
            // No byte of UTF-8 is 0xff, so the sum is a byte.
            add("\(column) < ?", .bytes(end + [last + 1]))
        default: break
        }
    }

    /// A double far out is compared after rounding by `FieldOrder` but exactly by SQLite; the
    /// test itself has the last word on all rows then.
    private mutating func narrow(_ column: String, _ sign: String, _ value: JSONValue) {
        if let number = value.number, number.magnitude >= 0x1p53, value.integer == nil { return }
        if let integer = value.integer, integer.magnitude > 1 << 53,
            model.fields[plan.sortSlots[plan.equal.count]].kind == .double
        {
            return
        }
        add("\(column) \(sign) ?", .value(value))
    }

    private mutating func add(_ condition: String, _ values: Bound...) {
        conditions.append(condition)
        self.values += values
    }

    private func adding(_ condition: String, _ values: Bound...) -> Scan {
        var result = self
        result.conditions.append(condition)
        result.values += values
        return result
    }

    private func column(_ slot: Int) -> String { SQLName.quoted(model.fields[slot].name.string) }
}
