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
        guard let after = plan.after else {
            var whole = Scan(plan, model, equalTo: [])
            whole.narrow(isLower: true, isUpper: true)
            return [whole]
        }
        var result: [Scan] = []
        if plan.canHold(after.sort) {
            var nearest = Scan(plan, model, equalTo: after.sort)
            let sign = plan.query.isDescending ? "<" : ">"
            nearest.add("__seq \(sign) ?", .value(.int(after.sequence)))
            result.append(nearest)
        }
        for level in plan.sortSlots.indices.reversed() {
            result += stretches(of: plan, behind: after.sort[level], at: level, in: model)
        }
        return result
    }

    /// The stretches of the cursor's values before a level and of those behind `value` at it.
    private static func stretches(
        of plan: ScanPlan, behind value: JSONValue, at level: Int, in model: ModelLayout
    ) -> [Scan] {
        let leading = Array(plan.after?.sort[..<level] ?? [])
        guard plan.canHold(leading), plan.canGoOn(behind: value, at: level) else { return [] }
        let isDescending = plan.query.isDescending
        var stretch = Scan(plan, model, equalTo: leading)
        if level <= plan.equal.count {
            // The cursor bounds one side already; a second bound there would mislead SQLite into
            // starting from it, and each page would read all pages before it again.
            let isInside = level == plan.equal.count && plan.test?.passes(value) ?? false
            stretch.narrow(isLower: isDescending || !isInside, isUpper: !isDescending || !isInside)
        }
        let column = stretch.column(plan.sortSlots[level])
        // Nulls stand first: behind a null are all values, before a value are the nulls too.
        guard !value.isNull else {
            return isDescending ? [] : [stretch.adding("\(column) IS NOT NULL")]
        }
        guard isDescending else { return [stretch.adding("\(column) > ?", .value(value))] }
        let behind = stretch.adding("\(column) < ?", .value(value))
        guard plan.canBeNull(level) else { return [behind] }
        return [behind, Scan(plan, model, equalTo: leading).adding("\(column) IS NULL")]
    }

    private init(_ plan: ScanPlan, _ model: ModelLayout, equalTo values: [JSONValue]) {
        self.plan = plan
        self.model = model
        fixed = max(plan.equal.count, values.count)
        for (slot, value) in zip(plan.hashSlots, plan.hash) {
            add("\(column(slot)) = ?", .value(value))
        }
        for (slot, value) in zip(plan.sortSlots, plan.equal + values.dropFirst(plan.equal.count)) {
            add("\(column(slot)) IS ?", .value(value))
        }
    }

    /// The statement's text, `selection` naming the columns and the table.
    func sql(selection: String) -> String {
        var conditions = conditions
        if let filter { conditions.append(filter.text) }
        let direction = plan.query.isDescending ? " DESC" : ""
        let order = plan.sortSlots[fixed...].map(column) + ["__seq"]
        return selection + access
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
            + (isOneRow ? "" : " ORDER BY " + order.map { $0 + direction }.joined(separator: ", "))
    }

    /// Whether the hash names one record at most, which SQLite would sort.
    private var isOneRow: Bool {
        if case .key = plan.query.source { model.key.count == 1 } else { false }
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

    /// Adds the bounds of the sort condition's test.
    private mutating func narrow(isLower: Bool, isUpper: Bool) {
        guard let test = plan.test else { return }
        let slot = plan.sortSlots[plan.equal.count]
        switch test {
        case .equal(.null): add("\(column(slot)) IS NULL")
        case .equal(let value): narrow(slot, "=", value)
        case .less(let value) where isUpper: narrow(slot, "<", value)
        case .lessOrEqual(let value) where isUpper: narrow(slot, "<=", value)
        case .greater(let value) where isLower: narrow(slot, ">", value)
        case .greaterOrEqual(let value) where isLower: narrow(slot, ">=", value)
        case .between(let low, let high):
            if isLower { narrow(slot, ">=", low) }
            if isUpper { narrow(slot, "<=", high) }
        case .beginsWith(let prefix):
            if isLower { add("\(column(slot)) >= ?", .value(.string(prefix))) }
            var end = Array(prefix.string.utf8)
            guard isUpper, let last = end.popLast() else { return }
            // No byte of UTF-8 is 0xff, so the sum is a byte.
            add("\(column(slot)) < ?", .bytes(end + [last + 1]))
        default: break
        }
    }

    /// A number far out is compared after rounding by `FieldOrder` but exactly by SQLite; the
    /// test itself has the last word on all rows then.
    private mutating func narrow(_ slot: Int, _ sign: String, _ value: JSONValue) {
        switch value {
        case .double(let double) where double.magnitude >= 0x1p53: return
        case .int(let int) where int.magnitude > 1 << 53 && model.fields[slot].kind == .double:
            return
        default: add("\(column(slot)) \(sign) ?", .value(value))
        }
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

extension ScanPlan {
    /// Whether records with these values of the first sort fields can pass the sort condition.
    fileprivate func canHold(_ values: [JSONValue]) -> Bool {
        for (index, value) in values.enumerated() {
            if index < equal.count ? equal[index] != value : false { return false }
            if index == equal.count, let test, !test.passes(value) { return false }
        }
        return true
    }

    /// Whether anything that passes the sort condition can stand behind `value` at a level.
    fileprivate func canGoOn(behind value: JSONValue, at level: Int) -> Bool {
        if level < equal.count {
            // A foreign cursor in front of the fixed value: all that is behind stands behind it.
            return query.isDescending
                ? FieldOrder.sortsBefore(equal[level], value)
                : FieldOrder.sortsBefore(value, equal[level])
        }
        guard level == equal.count, case .equal = test else { return true }
        return test?.passes(value) == false
    }

    /// Whether the sort field can be null in a record that passes the sort condition.
    fileprivate func canBeNull(_ level: Int) -> Bool {
        if level < equal.count { return equal[level].isNull }
        return level > equal.count || test?.passes(.null) ?? true
    }
}
