import Bytes
import JSON
public import Records
public import Store

/// Random batches over the sample layout, the same for the same seed.
///
/// Few ids, rooms, times and numbers, so that keys collide and sort values tie; all values are in
/// the form in which they are stored.
public struct RandomOperations {
    private var random: SeededRandom
    private var watched: [RelationPath] = []
    /// Cursors that pages ended with, to go on with or to use where they do not belong.
    private var cursors: [(RecordQuery, RecordQuery.Cursor)] = []

    /// Operations of a seed.
    public init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The next batch.
    public mutating func batch() -> [StoreRequest] {
        (0..<Int.random(in: 1...12, using: &random)).map { _ in request() }
    }

    /// Remembers where the batch's pages ended, so that later queries go on there.
    public mutating func note(_ batch: [StoreRequest], _ results: StoreResults) {
        for case (.query(let queries), .pages(let pages)) in zip(batch, results.answers) {
            for (query, page) in zip(queries, pages) {
                if let next = page.next { cursors.append((query, next)) }
            }
        }
        if cursors.count > 50 { cursors.removeFirst(25) }
    }

    private mutating func pick<T>(_ items: [T]) -> T {
        items[Int.random(in: 0..<items.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func request() -> StoreRequest {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .get((0..<3).map { _ in key() })
        case 1...7: return .query([query(), query()])
        case 8 where chance(50):
            let path = pick([
                RelationPath(model: Sample.message, steps: [0]),
                RelationPath(model: Sample.message, steps: [0, 0]),
                RelationPath(model: Sample.room, steps: [0]),
            ])
            watched.append(path)
            return .watch([path])
        case 8:
            guard let path = watched.popLast() else { return .unwatch([]) }
            return .unwatch([path])
        default: return .write(write())
        }
    }

    private mutating func key() -> RecordKey {
        let model = Int.random(in: 0..<4, using: &random)
        return RecordKey(
            model: model,
            values: Sample.layout.models[model].key.map { value(model, $0, nulls: 0) })
    }

    private mutating func write() -> RecordWrite {
        let key = key()
        let fields = Sample.layout.models[key.model].fields.indices
        let slots = Sample.layout.models[key.model].key
        let condition = chance(25) ? filter(key.model, depth: 2) : .all
        switch Int.random(in: 0..<10, using: &random) {
        case 0...5:
            var values = fields.map { value(key.model, $0, nulls: 20) }
            for (slot, part) in zip(slots, key.values) { values[slot] = part }
            return RecordWrite(key: key, action: .create(values), condition: condition)
        case 6...7:
            let free = fields.filter { !slots.contains($0) }.filter { _ in chance(50) }
            let updates = free.map {
                RecordWrite.FieldUpdate(slot: $0, value: value(key.model, $0, nulls: 20))
            }
            return RecordWrite(key: key, action: .update(updates), condition: condition)
        default: return RecordWrite(key: key, action: .delete, condition: condition)
        }
    }

    private mutating func value(_ model: ModelID, _ slot: Int, nulls: Int) -> JSONValue {
        if chance(nulls) { return .null }
        let field = Sample.layout.models[model].fields[slot]
        if field.isList { return .array((0..<2).map { _ in .string(pick(["a", "b", ""])) }) }
        switch field.kind {
        case .text:
            return .string(pick(["", "a", "aa", "ab", "b", "é", "e\u{301}", "a\u{0}", "z%"]))
        case .integer: return pick([-1, 0, 1, 2, .int(.max), 9_007_199_254_740_993])
        case .double: return pick([-1.5, 0.0, 0.5, 1.0, 1e18, 9_007_199_254_740_992.0])
        case .boolean: return pick([true, false])
        case .json: return pick([["a": 1], [1, "b"], "a", 5, false])
        }
    }

    private mutating func operand(_ model: ModelID, _ slot: Int) -> JSONValue {
        chance(85)
            ? value(model, slot, nulls: 5)
            : pick([nil, 0, 1.0, 0.5, "a", "", true, ["a"], 9_007_199_254_740_992.0, "5"])
    }

    // MARK: Queries.

    private mutating func query() -> RecordQuery {
        if chance(40), !cursors.isEmpty {
            var (query, cursor) = pick(cursors)
            query.after = cursor
            if chance(20) { query.isDescending.toggle() }
            if chance(20) { query.sort = sort(query.model, sortSlots(query)) }
            return query
        }
        let model = Int.random(in: 0..<4, using: &random)
        let layout = Sample.layout.models[model]
        var query = RecordQuery(model: model)
        switch Int.random(in: 0...(1 + layout.indexes.count), using: &random) {
        case 0: break
        case 1: query.source = .key(hash: operand(model, layout.key[0]))
        case let number:
            let index = number - 2
            query.source = .index(
                index, hash: layout.indexes[index].hash.map { operand(model, $0) })
        }
        if chance(50) { query.sort = sort(model, sortSlots(query)) }
        if chance(50) { query.filter = filter(model, depth: 3) }
        query.isDescending = chance(50)
        query.limit = pick([1, 2, 3, 100])
        return query
    }

    private func sortSlots(_ query: RecordQuery) -> [Int] {
        let model = Sample.layout.models[query.model]
        return switch query.source {
        case .all: []
        case .key: Array(model.key.dropFirst())
        case .index(let number, _): model.indexes[number].sort
        }
    }

    private mutating func sort(_ model: ModelID, _ slots: [Int]) -> RecordQuery.SortCondition? {
        guard !slots.isEmpty else { return nil }
        let count = Int.random(in: 0..<slots.count, using: &random)
        var condition = RecordQuery.SortCondition(
            equal: slots[..<count].map { operand(model, $0) })
        if chance(80) { condition.test = test(model, slots[count], isSort: chance(90)) }
        return condition
    }

    // MARK: Filters.

    private mutating func filter(_ model: ModelID, depth: Int) -> Filter {
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0..<(depth == 0 ? 6 : 10), using: &random) {
        case 0: return .all
        case 1: return relatedTest(model)
        case 2...6: return ownTest(model)
        case 7: return .not(filter(model, depth: depth - 1))
        case 8: return .and((0..<count).map { _ in filter(model, depth: depth - 1) })
        default: return .or((0..<count).map { _ in filter(model, depth: depth - 1) })
        }
    }

    private mutating func ownTest(_ model: ModelID) -> Filter {
        let slot = Int.random(
            in: 0..<Sample.layout.models[model].fields.count, using: &random)
        return .test(Filter.FieldPath(slot: slot), test(model, slot, isSort: false))
    }

    private mutating func relatedTest(_ model: ModelID) -> Filter {
        guard !Sample.layout.models[model].relations.isEmpty else { return ownTest(model) }
        let slot = Int.random(in: 0...2, using: &random)
        return .test(
            Filter.FieldPath(relations: chance(50) ? [0] : [0, 0], slot: slot),
            test(Sample.room, slot, isSort: false))
    }

    private mutating func test(_ model: ModelID, _ slot: Int, isSort: Bool) -> Filter.Test {
        let one = operand(model, slot)
        let other = operand(model, slot)
        switch Int.random(in: 0..<(isSort ? 7 : 16), using: &random) {
        case 0: return .equal(one)
        case 1: return .less(one)
        case 2: return .lessOrEqual(one)
        case 3: return .greater(one)
        case 4: return .greaterOrEqual(one)
        case 5: return .between(one, other)
        case 6: return .beginsWith(one.text ?? "a")
        case 7, 8: return .notEqual(one)
        case 9: return .contains(one)
        case 10: return .notContains(one)
        case 11: return .isIn([one, other])
        case 12: return .isNotIn([one, other])
        case 13: return .exists(chance(50))
        case 14: return .hasType(pick(Filter.AttributeType.allCases))
        default: return .size(.greaterOrEqual(1))
        }
    }
}

/// Runs the same random operations on two stores; the first difference, or nil.
public func firstDifference(
    _ one: any RecordStore, _ other: any RecordStore, seed: UInt64, batches: Int
) -> String? {
    var operations = RandomOperations(seed: seed)
    for number in 0..<batches {
        let batch = operations.batch()
        let results = one.perform(batch)
        let others = other.perform(batch)
        for (index, request) in batch.enumerated()
        where results.answers[index] != others.answers[index] {
            return """
                seed \(seed), batch \(number), request \(index): \(request)
                \(results.answers[index])
                \(others.answers[index])
                """
        }
        if results.changes != others.changes {
            return "seed \(seed), batch \(number): changes differ"
        }
        operations.note(batch, results)
    }
    return one.committedOffset == other.committedOffset ? nil : "seed \(seed): offsets differ"
}
