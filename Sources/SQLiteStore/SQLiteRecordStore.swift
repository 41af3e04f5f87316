public import Bytes
public import Records
public import Store

/// The durable store: one SQLite file, one connection, one transaction a batch.
///
/// Stands below the server's store queue, which owns it; nothing here knows of threads. A batch
/// that is answered is on the disk: the write-ahead log is synced with each commit, and a process
/// that dies loses nothing that it has answered.
///
///     let store = try SQLiteRecordStore(path: "data/hub.sqlite", layout: layout, newEpoch: uuid)
///     let results = store.perform([.write(RecordWrite(key: key, action: .create(values)))])
public final class SQLiteRecordStore: ChangeHistory {
    /// The id of this log of changes, made when the file was.
    public let epoch: Text
    /// The offset of the last committed change; 0 before the first.
    public internal(set) var committedOffset: UInt64

    let layout: DataLayout
    let limits: SQLiteStoreLimits
    let connection: Connection
    let tables: [ModelTable]
    let logInsertion: Statement
    let logDeletion: Statement

    /// The oldest change that the log still holds; 0 if there is none.
    var oldestOffset: UInt64
    var watched = WatchedPaths()
    var binder = RowBinder()

    /// The changes of the transaction that is under way.
    var changes: [Change] = []

    /// Opens a data file, or makes a new one, and holds it against other processes.
    ///
    /// A file of an older schema is brought up to date: new models, fields and indexes are added;
    /// what the schema no longer has stays in the file.
    /// - Parameters:
    ///   - newEpoch: the epoch of a file that is made now, for instance a random UUID.
    /// - Throws: `SQLiteStoreError`, a sentence for the operator.
    public init(
        path: String, layout: DataLayout, newEpoch: Text,
        limits: SQLiteStoreLimits = SQLiteStoreLimits()
    ) throws(SQLiteStoreError) {
        self.layout = layout
        self.limits = limits
        do {
            connection = try Connection(path: path)
        } catch {
            throw SQLiteStoreError(error, path: path)
        }
        try connection.settle(limits)
        let contents = try Schema(connection: connection, layout: layout)
            .prepare(newEpoch: newEpoch)
        epoch = contents.epoch
        committedOffset = contents.lastOffset
        oldestOffset = contents.oldestOffset
        do {
            var tables: [ModelTable] = []
            for id in layout.models.indices {
                tables.append(
                    try ModelTable(
                        id, layout: layout, stored: contents.layout, connection: connection))
            }
            self.tables = tables
            logInsertion = try connection.prepare(Self.logInsertionSQL)
            logDeletion = try connection.prepare("DELETE FROM __changes WHERE offset <= ?")
        } catch {
            throw SQLiteStoreError(error, path: path)
        }
    }

    /// Carries out all requests as one transaction and returns when it is on the disk.
    ///
    /// If the disk is full or fails, all writes of the batch are answered `.failed`, and its
    /// reads show what was committed before. The next batch is tried afresh.
    public func perform(_ batch: [StoreRequest]) -> StoreResults {
        let hasWrites = batch.contains { if case .write = $0 { true } else { false } }
        guard hasWrites else { return read(batch, writes: nil) }
        let offset = committedOffset
        let watchedBefore = watched
        do throws(SQLiteFault) {
            return try write(batch)
        } catch {
            rollBack()
            committedOffset = offset
            watched = watchedBefore
            return read(batch, writes: error.failure(path: connection.path, isWrite: true))
        }
    }

    /// A batch without writes, or one whose writes have failed already.
    private func read(_ batch: [StoreRequest], writes: StoreFailure?) -> StoreResults {
        var answers: [StoreAnswer] = []
        answers.reserveCapacity(batch.count)
        for request in batch {
            if let writes, case .write = request {
                answers.append(.failed(writes))
                continue
            }
            do throws(SQLiteFault) {
                answers.append(try answer(request))
            } catch {
                answers.append(.failed(error.failure(path: connection.path, isWrite: false)))
            }
        }
        return StoreResults(answers: answers, changes: [])
    }

    private func write(_ batch: [StoreRequest]) throws(SQLiteFault) -> StoreResults {
        defer { changes.removeAll(keepingCapacity: true) }
        var answers: [StoreAnswer] = []
        answers.reserveCapacity(batch.count)
        try connection.statement("BEGIN IMMEDIATE").run()
        for request in batch {
            if case .write(let write) = request {
                answers.append(try answer(write))
                continue
            }
            do throws(SQLiteFault) {
                answers.append(try answer(request))
            } catch {
                // SQLite ends the transaction by itself on some errors; the writes are lost then.
                if connection.isAutocommit { throw error }
                answers.append(.failed(error.failure(path: connection.path, isWrite: false)))
            }
        }
        let oldest = try pruneLog()
        try connection.statement("COMMIT").run()
        oldestOffset = oldest
        return StoreResults(answers: answers, changes: changes)
    }

    private func rollBack() {
        guard !connection.isAutocommit else { return }
        // A rollback that fails leaves the transaction open; the next batch's BEGIN says so.
        try? connection.statement("ROLLBACK").run()
    }

    private func answer(_ request: StoreRequest) throws(SQLiteFault) -> StoreAnswer {
        switch request {
        case .get(let keys):
            var records: [Record?] = []
            records.reserveCapacity(keys.count)
            for key in keys { records.append(try record(key)) }
            return .records(records)
        case .query(let queries): return try pages(queries)
        case .watch(let paths): watched.watch(paths)
        case .unwatch(let paths): watched.unwatch(paths)
        case .write: preconditionFailure("writes are answered inside a transaction")
        }
        return .watching(offset: committedOffset)
    }
}
