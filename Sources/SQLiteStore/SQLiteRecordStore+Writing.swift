import Bytes
import JSON
import Records
import Store

extension SQLiteRecordStore {
    static let logInsertionSQL = """
        INSERT INTO __changes(offset, kind, model, sequence, version, record, previous, key) \
        VALUES(?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Carries out one write inside the transaction.
    func answer(_ write: RecordWrite) throws(SQLiteFault) -> StoreAnswer {
        if case .create(let values) = write.action { return try create(write, values) }
        guard let present = try record(write.key) else { return .refused(.missing) }
        guard try passes(write.condition, present) else { return .refused(.conditionFailed) }
        let table = tables[present.model]
        guard case .update(let updates) = write.action else {
            try table.delete(present)
            return try log(.delete, present, previous: present)
        }
        let record: Record
        do throws(StoreFailure) {
            record = try layout.updatedRecord(present, with: updates)
        } catch {
            return .failed(error)
        }
        try table.update(present, to: record, &binder)
        return try log(.update, record, previous: present)
    }

    private func create(
        _ write: RecordWrite, _ values: [JSONValue]
    ) throws(SQLiteFault) -> StoreAnswer {
        let record: Record
        do throws(StoreFailure) {
            record = try layout.newRecord(
                for: write.key, values: values, sequence: Int64(committedOffset) + 1)
        } catch {
            return .failed(error)
        }
        // Without a condition the unique index alone says whether the key is taken.
        if write.condition != .all {
            guard try self.record(write.key) == nil else { return .refused(.exists) }
            guard try passes(write.condition, record) else { return .refused(.conditionFailed) }
        }
        guard try tables[record.model].insert(record, &binder) else { return .refused(.exists) }
        return try log(.create, record, previous: nil)
    }

    /// Writes the change's row and keeps the change for the batch's results.
    private func log(
        _ kind: Change.Kind, _ record: Record, previous: Record?
    ) throws(SQLiteFault) -> StoreAnswer {
        let offset = committedOffset + 1
        let table = tables[record.model]
        logInsertion.bind(Int64(offset), at: 1)
        logInsertion.bind(Int64(kind.rawValue), at: 2)
        binder.lend(at: 3) { $0.append(utf8: table.model.name) }
        logInsertion.bind(record.sequence, at: 4)
        logInsertion.bind(record.version, at: 5)
        binder.lend(at: 6) { table.append(logRow: record, to: &$0) }
        // A deletion's two records are the same, and a creation has but one.
        if kind == .update, let previous {
            binder.lend(at: 7) { table.append(logRow: previous, to: &$0) }
        } else {
            logInsertion.bindNull(at: 7)
        }
        // Creations have none: history looks for the first write behind an offset that tells how
        // the record was before it.
        if previous != nil {
            binder.lend(at: 8) { $0.append(json: .array(record.key(in: layout).values)) }
        } else {
            logInsertion.bindNull(at: 8)
        }
        try binder.run(logInsertion)
        let related = try layout.related(
            to: record, along: watched.paths(of: record.model), read: self.record)
        committedOffset = offset
        changes.append(
            Change(
                offset: offset, kind: kind, record: record, previous: previous, related: related))
        return .written(record, offset: offset)
    }

    /// Deletes old rows of the log, a bounded number at a time; returns the oldest that is left.
    func pruneLog() throws(SQLiteFault) -> UInt64 {
        guard !changes.isEmpty else { return oldestOffset }
        let oldest = max(1, oldestOffset)
        let kept = UInt64(limits.changesKeptMax)
        // In steps, so that most batches have nothing to delete.
        let step = UInt64(min(1024, max(1, limits.changesKeptMax / 8)))
        guard committedOffset >= oldest + kept + step else { return oldest }
        let budget = UInt64(max(4096, 2 * changes.count))
        let last = min(committedOffset - kept, oldest + budget - 1)
        logDeletion.bind(Int64(last), at: 1)
        try logDeletion.run()
        return last + 1
    }
}
