public import Bytes
import JSON
public import Records
public import Store

/// The contract in its plainest form: one list of records, searched and sorted for each request.
///
/// The fast stores are compared with it on random operations.
public final class ReferenceStore: RecordStore {
    /// The id of this log of changes.
    public let epoch: Text = "reference"
    /// The offset of the last change.
    public private(set) var committedOffset: UInt64 = 0

    private let layout: DataLayout
    private var records: [Record] = []
    private var watched: [RelationPath] = []
    private var changes: [Change] = []

    /// An empty store.
    public init(layout: DataLayout) { self.layout = layout }

    /// Carries out all requests in order.
    public func perform(_ batch: [StoreRequest]) -> StoreResults {
        changes = []
        let answers = batch.map(answer)
        return StoreResults(answers: answers, changes: changes)
    }

    private func answer(_ request: StoreRequest) -> StoreAnswer {
        switch request {
        case .get(let keys): return .records(keys.map(record))
        case .query(let queries): return .pages(queries.map(page))
        case .write(let write): return answer(write)
        case .watch(let paths): watched += paths
        case .unwatch(let paths):
            for path in paths {
                if let index = watched.firstIndex(of: path) { watched.remove(at: index) }
            }
        }
        return .watching(offset: committedOffset)
    }

    private func record(_ key: RecordKey) -> Record? {
        records.first { record in
            record.model == key.model
                && zip(record.key(in: layout).values, key.values).allSatisfy(FieldOrder.equal)
        }
    }

    private func end(of steps: [Int], from record: Record) -> Record? {
        var current = record
        for step in steps {
            let relation = layout.models[current.model].relations[step]
            guard let key = RecordKey(following: relation, from: current),
                let next = self.record(key)
            else { return nil }
            current = next
        }
        return current
    }

    private func passes(_ filter: Filter, _ record: Record) -> Bool {
        filter.matches(record) { end(of: $0, from: record) }
    }

    private func page(_ query: RecordQuery) -> RecordPage {
        let model = layout.models[query.model]
        let (hashSlots, hash, sortSlots): ([Int], [JSONValue], [Int]) =
            switch query.source {
            case .all: ([], [], [])
            case .key(let value): ([model.key[0]], [value], Array(model.key.dropFirst()))
            case .index(let number, let values):
                (model.indexes[number].hash, values, model.indexes[number].sort)
            }
        func isBefore(_ one: ([JSONValue], Int64), _ other: ([JSONValue], Int64)) -> Bool {
            for (a, b) in zip(one.0, other.0) where a != b { return FieldOrder.sortsBefore(a, b) }
            return one.1 < other.1
        }
        func place(_ record: Record) -> ([JSONValue], Int64) {
            (sortSlots.map { record.values[$0] }, record.sequence)
        }
        var found = records.filter { record in
            record.model == query.model
                && zip(hashSlots, hash).allSatisfy { slot, value in
                    !value.isNull && FieldOrder.equal(record.values[slot], value)
                }
                && passes(query.sort, sortSlots, record) && passes(query.filter, record)
        }
        found.sort { isBefore(place($0), place($1)) }
        if query.isDescending { found.reverse() }
        if let after = query.after {
            let border = (after.sort, after.sequence)
            found.removeAll {
                query.isDescending ? !isBefore(place($0), border) : !isBefore(border, place($0))
            }
        }
        let page = Array(found.prefix(query.limit))
        let next = found.count > page.count ? page.last.map(place) : nil
        return RecordPage(
            records: page,
            next: next.map { RecordQuery.Cursor(sort: $0.0, sequence: $0.1) })
    }

    private func passes(
        _ condition: RecordQuery.SortCondition?, _ slots: [Int], _ record: Record
    ) -> Bool {
        guard let condition else { return true }
        return zip(slots, condition.equal).allSatisfy { FieldOrder.equal(record.values[$0], $1) }
            && condition.test?.passes(record.values[slots[condition.equal.count]]) ?? true
    }

    private func answer(_ write: RecordWrite) -> StoreAnswer {
        let index = records.firstIndex { $0 == record(write.key) }
        switch (write.action, index) {
        case (.create(let values), nil):
            let record = Record(
                model: write.key.model, sequence: Int64(committedOffset) + 1, values: values)
            guard passes(write.condition, record) else { return .refused(.conditionFailed) }
            records.append(record)
            return commit(.create, record, nil)
        case (.create, _?): return .refused(.exists)
        case (_, nil): return .refused(.missing)
        case (.update(let updates), let index?):
            let present = records[index]
            guard passes(write.condition, present) else { return .refused(.conditionFailed) }
            records[index].version += 1
            for update in updates { records[index].values[update.slot] = update.value }
            return commit(.update, records[index], present)
        case (.delete, let index?):
            let present = records[index]
            guard passes(write.condition, present) else { return .refused(.conditionFailed) }
            records.remove(at: index)
            return commit(.delete, present, present)
        }
    }

    private func commit(
        _ kind: Change.Kind, _ record: Record, _ previous: Record?
    ) -> StoreAnswer {
        committedOffset += 1
        let paths = Set(watched.filter { $0.model == record.model })
            .sorted { $0.steps.lexicographicallyPrecedes($1.steps) }
        changes.append(
            Change(
                offset: committedOffset, kind: kind, record: record, previous: previous,
                related: paths.map {
                    Change.Related(path: $0, record: end(of: $0.steps, from: record))
                }))
        return .written(record, offset: committedOffset)
    }
}
