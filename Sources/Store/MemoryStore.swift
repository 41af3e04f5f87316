public import Bytes
public import Records

/// A store that keeps everything in memory and forgets it with the process.
///
/// For `serve --memory`, the simulation and tests. It follows the same laws as the durable
/// store; a query costs the logarithm of the model's size and what it reads.
public final class MemoryStore: ChangeHistory {
    /// The id of this log of changes.
    public let epoch: Text
    /// The offset of the last change; 0 before the first.
    public private(set) var committedOffset: UInt64 = 0

    private let layout: DataLayout
    private let changesKeptMax: Int
    private let changeBytesKeptMax: Int
    private var tables: [MemoryTable]
    private var watched = WatchedPaths()
    private var changes: [Change] = []
    /// The last changes, oldest first; twice the limits at most, cut back to them in one go.
    private var kept: [Change] = []
    private var keptBytes = 0

    /// An empty store.
    ///
    /// - Parameters:
    ///   - epoch: a new id, for instance a random UUID.
    ///   - changesKeptMax: how many of the last changes `changes(after:limit:)` can tell of.
    ///   - changeBytesKeptMax: how many bytes their records may have together, roughly.
    /// - Precondition: the layout has no fault.
    public init(
        layout: DataLayout, epoch: Text, changesKeptMax: Int = 10_000,
        changeBytesKeptMax: Int = 16_777_216
    ) {
        if let fault = layout.fault { preconditionFailure(fault) }
        self.layout = layout
        self.epoch = epoch
        self.changesKeptMax = max(0, changesKeptMax)
        self.changeBytesKeptMax = max(0, changeBytesKeptMax)
        tables = layout.models.map(MemoryTable.init)
    }

    /// Carries out all requests in order.
    public func perform(_ batch: [StoreRequest]) -> StoreResults {
        changes = []
        var answers: [StoreAnswer] = []
        answers.reserveCapacity(batch.count)
        for request in batch { answers.append(answer(request)) }
        if changesKeptMax > 0 { keepChanges() }
        defer { changes = [] }
        return StoreResults(answers: answers, changes: changes)
    }

    private func keepChanges() {
        kept += changes
        for change in changes { keptBytes += change.bytesRoughly }
        guard kept.count > 2 * changesKeptMax || keptBytes > 2 * changeBytesKeptMax else { return }
        var first = 0
        while kept.count - first > changesKeptMax || keptBytes > changeBytesKeptMax {
            keptBytes -= kept[first].bytesRoughly
            first += 1
        }
        kept.removeFirst(first)
    }

    /// The changes behind `offset` that are still kept.
    ///
    /// Cost: as many steps as there are changes behind `offset`.
    public func changes(after offset: UInt64, limit: Int) -> HistoryAnswer {
        let oldest = committedOffset - UInt64(min(kept.count, changesKeptMax)) + 1
        guard offset <= committedOffset, offset + 1 >= oldest else { return .unknown }
        let end = min(committedOffset, offset + UInt64(max(1, limit)))
        // From the last change back, with what the changed records were before in `past`.
        var past: [RecordKey: Record?] = [:]
        var result: [Change] = []
        for change in kept.reversed().prefix(Int(committedOffset - offset)) {
            let key = change.record.key(in: layout)
            if change.offset <= end {
                var change = change
                change.related = layout.related(
                    to: change.record, along: watched.paths(of: key.model)
                ) { key in layout.storedKey(key).flatMap { past[$0] ?? read($0) } }
                result.append(change)
            }
            past[key] = .some(change.previous)
        }
        return .changes(result.reversed(), through: end)
    }

    private func answer(_ request: StoreRequest) -> StoreAnswer {
        switch request {
        case .get(let keys): return .records(keys.map(read))
        case .query(let queries):
            return pages(queries)
        case .write(let write):
            do { return try answer(write) } catch { return .failed(error) }
        case .watch(let paths):
            watched.watch(paths)
            return .watching(offset: committedOffset)
        case .unwatch(let paths):
            watched.unwatch(paths)
            return .watching(offset: committedOffset)
        }
    }

    private func read(_ key: RecordKey) -> Record? {
        layout.storedKey(key).flatMap { tables[key.model].record($0.values) }
    }

    private func passes(_ filter: Filter, _ record: Record) -> Bool {
        filter.matches(record) { steps in
            layout.record(along: steps, from: record, read: read)
        }
    }

    private func pages(_ queries: [RecordQuery]) -> StoreAnswer {
        var pages: [RecordPage] = []
        do { for query in queries { pages.append(try page(query)) } } catch {
            return .failed(error)
        }
        return .pages(pages)
    }

    private func page(_ query: RecordQuery) throws(StoreFailure) -> RecordPage {
        guard let plan = try ScanPlan(query, layout: layout) else {
            return RecordPage(records: [], next: nil)
        }
        var page = RecordPage(records: [], next: nil)
        tables[query.model].scan(plan) { record in
            guard plan.passesSort(record), passes(query.filter, record) else { return true }
            if page.records.count == plan.query.limit {
                page.next = page.records.last.map(plan.cursor(behind:))
                return false
            }
            page.records.append(record)
            return true
        }
        return page
    }

    private func answer(_ write: RecordWrite) throws(StoreFailure) -> StoreAnswer {
        let model = write.key.model
        let present = read(write.key)
        if case .create(let values) = write.action {
            let record = try layout.newRecord(
                for: write.key, values: values, sequence: Int64(committedOffset) + 1)
            guard present == nil else { return .refused(.exists) }
            guard passes(write.condition, record) else { return .refused(.conditionFailed) }
            tables[model].insert(record)
            return commit(.create, record, previous: nil)
        }
        guard let present else { return .refused(.missing) }
        guard passes(write.condition, present) else { return .refused(.conditionFailed) }
        guard case .update(let updates) = write.action else {
            tables[model].remove(present)
            return commit(.delete, present, previous: present)
        }
        let record = try layout.updatedRecord(present, with: updates)
        tables[model].replace(present, by: record)
        return commit(.update, record, previous: present)
    }

    private func commit(
        _ kind: Change.Kind, _ record: Record, previous: Record?
    ) -> StoreAnswer {
        committedOffset += 1
        let related = layout.related(
            to: record, along: watched.paths(of: record.model), read: read)
        changes.append(
            Change(
                offset: committedOffset, kind: kind, record: record, previous: previous,
                related: related))
        return .written(record, offset: committedOffset)
    }
}
