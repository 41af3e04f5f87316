import Bytes
import CSQLite
import JSON
import Records
public import Store

extension SQLiteRecordStore {
    private static let logColumns = "offset, kind, model, sequence, version, record, previous"

    /// The changes behind `offset` that the log still holds.
    ///
    /// Related records are given as they were when the change was committed, whether or not
    /// their paths were watched then: from the log if they were written since, else as they are.
    public func changes(after offset: UInt64, limit: Int) -> HistoryAnswer {
        guard offset <= committedOffset, offset + 1 >= oldestOffset else { return .unknown }
        let end = min(committedOffset, offset + UInt64(max(1, limit)))
        do throws(SQLiteFault) {
            var changes = try logged(after: offset, through: end)
            for index in changes.indices {
                let record = changes[index].record
                let committed = changes[index].offset
                changes[index].related = try layout.related(
                    to: record, along: watched.paths(of: record.model)
                ) { (key) throws(SQLiteFault) in try self.record(key, asOf: committed) }
            }
            return .changes(changes, through: end)
        } catch {
            return .failed(error.failure(path: connection.path, isWrite: false))
        }
    }

    private func logged(
        after offset: UInt64, through end: UInt64
    ) throws(SQLiteFault) -> [Change] {
        let statement = try connection.statement(
            """
            SELECT \(Self.logColumns) FROM __changes WHERE offset > ? AND offset <= ? \
            ORDER BY offset
            """)
        statement.bind(Int64(offset), at: 1)
        statement.bind(Int64(end), at: 2)
        defer { statement.reset() }
        var result: [Change] = []
        while try statement.step() {
            let name = statement.text(at: 2)
            // A model that the schema dropped: no subscription can ask for it.
            guard let table = tables.first(where: { $0.model.name == name }) else { continue }
            result.append(try change(in: statement, of: table))
        }
        return result
    }

    private func change(
        in row: Statement, of table: ModelTable
    ) throws(SQLiteFault) -> Change {
        guard let kind = Change.Kind(rawValue: Int(row.integer(at: 1))),
            let values = table.values(ofLogRow: row.json(at: 5))
        else { throw Self.damagedLog }
        let record = Record(
            model: table.id, version: row.integer(at: 4), sequence: row.integer(at: 3),
            values: values)
        var change = Change(
            offset: UInt64(row.integer(at: 0)), kind: kind, record: record)
        switch kind {
        case .create: break
        case .delete: change.previous = record
        case .update:
            guard let values = table.values(ofLogRow: row.json(at: 6)) else {
                throw Self.damagedLog
            }
            change.previous = record
            change.previous?.version -= 1
            change.previous?.values = values
        }
        return change
    }

    /// The record of a key as it was right behind the change of that offset.
    private func record(
        _ key: RecordKey, asOf offset: UInt64
    ) throws(SQLiteFault) -> Record? {
        guard let key = layout.storedKey(key) else { return nil }
        let table = tables[key.model]
        let statement = try connection.statement(
            """
            SELECT \(Self.logColumns) FROM __changes \
            WHERE model = ? AND key = ? AND offset > ? ORDER BY offset LIMIT 1
            """)
        defer { statement.reset() }
        statement.bind(table.model.name, at: 1)
        statement.bind(Text(JSONValue.array(key.values).jsonText), at: 2)
        statement.bind(Int64(offset), at: 3)
        let record =
            try statement.step()
            ? change(in: statement, of: table).previous : self.record(key)
        // One that was created later is another record of the same key.
        guard let record, record.sequence <= Int64(offset) else { return nil }
        return record
    }

    private static let damagedLog = SQLiteFault(
        code: SQLITE_CORRUPT, words: "a row of the change log is unreadable")
}
