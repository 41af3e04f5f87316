import Bytes
public import JSON
public import Records

/// A query made ready for a store: slots and values in stored form, everything checked.
public struct ScanPlan: Sendable {
    /// Slots of the fields that must equal `hash`.
    public var hashSlots: [Int]
    /// Their values; never null.
    public var hash: [JSONValue]
    /// Slots of the fields that order the result, before creation.
    public var sortSlots: [Int]
    /// Values that the first sort fields equal.
    public var equal: [JSONValue]
    /// The test of the sort field behind those.
    public var test: Filter.Test?
    /// The query itself: its filter, limit and direction.
    public var query: RecordQuery
    /// Where to go on, its values in stored form.
    public var after: RecordQuery.Cursor?

    /// Checks a query; nil if it cannot find anything.
    ///
    /// - Throws: `StoreFailure` for a cursor that no page of this query can have ended with.
    public init?(_ query: RecordQuery, layout: DataLayout) throws(StoreFailure) {
        let model = layout.models[query.model]
        self.query = query
        self.query.limit = max(1, query.limit)
        self.query.filter = query.filter.simplified
        test = query.sort?.test
        switch query.source {
        case .all: (hashSlots, hash, sortSlots) = ([], [], [])
        case .key(let value):
            (hashSlots, hash) = ([model.key[0]], [value])
            sortSlots = Array(model.key.dropFirst())
        case .index(let number, let values):
            let index = model.indexes[number]
            precondition(values.count == index.hash.count, "a query gives each hash field a value")
            (hashSlots, hash, sortSlots) = (index.hash, values, index.sort)
        }
        equal = query.sort?.equal ?? []
        precondition(
            equal.count + (test == nil ? 0 : 1) <= sortSlots.count,
            "a sort condition has no more parts than there are sort fields")
        after = try Self.cursor(query.after, sortSlots: sortSlots, model: model)
        guard store(in: model), self.query.filter != .or([]) else { return nil }
    }

    /// Whether the record passes the test of the sort field.
    ///
    /// Stores narrow down what they read by the test; this has the last word.
    public func passesSort(_ record: Record) -> Bool {
        guard let test else { return true }
        return test.passes(record.values[sortSlots[equal.count]])
    }

    /// The place behind a record in this query's order.
    public func cursor(behind record: Record) -> RecordQuery.Cursor {
        RecordQuery.Cursor(
            sort: sortSlots.map { record.values[$0] }, sequence: record.sequence)
    }

    private mutating func store(in model: ModelLayout) -> Bool {
        for (index, slot) in hashSlots.enumerated() {
            guard let value = model.fields[slot].stored(hash[index]), !value.isNull else {
                return false
            }
            hash[index] = value
        }
        for index in equal.indices {
            guard let value = model.fields[sortSlots[index]].stored(equal[index]) else {
                return false
            }
            equal[index] = value
        }
        guard let test else { return true }
        return test.canPass(model.fields[sortSlots[equal.count]])
    }

    private static func cursor(
        _ cursor: RecordQuery.Cursor?, sortSlots: [Int], model: ModelLayout
    ) throws(StoreFailure) -> RecordQuery.Cursor? {
        guard var cursor else { return nil }
        guard cursor.sort.count == sortSlots.count else { throw .foreignCursor }
        for (index, slot) in sortSlots.enumerated() {
            guard let value = model.fields[slot].stored(cursor.sort[index]) else {
                throw .foreignCursor
            }
            cursor.sort[index] = value
        }
        return cursor
    }
}

extension StoreFailure {
    static let foreignCursor = StoreFailure(
        message: "the cursor does not belong to this query; start without one")
}

extension Filter.Test {
    /// Whether a field of this layout can hold a value that passes; true if in doubt.
    func canPass(_ field: FieldLayout) -> Bool {
        switch self {
        case .equal(let value): value.isNull || field.isComparable(with: value)
        case .less(let value), .lessOrEqual(let value), .greater(let value),
            .greaterOrEqual(let value):
            field.isComparable(with: value)
        case .between(let low, let high):
            field.isComparable(with: low) && field.isComparable(with: high)
        case .beginsWith: field.kind == .text && !field.isList
        default: true
        }
    }

    /// Where a sort field's value stands to the stretch of values that can pass: -1 before it,
    /// 0 in it, 1 behind it. Never falls when the value rises; a test that has no stretch gives 0.
    func side(of value: JSONValue) -> Int {
        if case .equal(.null) = self { return value.isNull ? 0 : 1 }
        switch self {
        case .equal(let bound): return FieldOrder.compare(value, bound) ?? -1
        case .less(let bound):
            return FieldOrder.compare(value, bound).map { $0 < 0 ? 0 : 1 } ?? -1
        case .lessOrEqual(let bound):
            return FieldOrder.compare(value, bound).map { $0 <= 0 ? 0 : 1 } ?? -1
        case .greater(let bound):
            return FieldOrder.compare(value, bound).map { $0 > 0 ? 0 : -1 } ?? -1
        case .greaterOrEqual(let bound):
            return FieldOrder.compare(value, bound).map { $0 >= 0 ? 0 : -1 } ?? -1
        case .between(let low, let high):
            if FieldOrder.compare(value, low).map({ $0 < 0 }) ?? true { return -1 }
            return FieldOrder.compare(value, high).map { $0 <= 0 ? 0 : 1 } ?? -1
        case .beginsWith(let prefix):
            guard let text = value.text else { return -1 }
            return text.hasPrefix(prefix) ? 0 : text < prefix ? -1 : 1
        default: return 0
        }
    }
}
