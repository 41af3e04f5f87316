import Bytes
import CSQLite

/// One connection to one SQLite file; the statements that ran on it are kept for the next time.
///
/// Confined to its owner like all of the room; SQLite's own locks are switched off.
final class Connection {
    let path: String
    private let handle: OpaquePointer
    private var cached: [String: Statement] = [:]

    /// How many statements are kept; at one more, all are let go.
    private static let cachedMax = 512

    init(path: String) throws(SQLiteFault) {
        self.path = path
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else {
            throw SQLiteFault(code: SQLITE_NOMEM, words: "out of memory")
        }
        guard code == SQLITE_OK else {
            let fault = Self.fault(code, opened)
            sqlite3_close_v2(opened)
            throw fault
        }
        handle = opened
    }

    /// SQLite closes by itself once the last statement is let go of.
    deinit { sqlite3_close_v2(handle) }

    /// Whether no transaction is open.
    var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Whether the file could be opened for reading only.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// How many rows the last insertion, update or deletion changed.
    var changedRows: Int64 { sqlite3_changes64(handle) }

    /// Runs statements that give no rows and take no values.
    func execute(_ sql: String) throws(SQLiteFault) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The statement of this text, prepared once.
    func statement(_ sql: String) throws(SQLiteFault) -> Statement {
        if let statement = cached[sql] { return statement }
        if cached.count >= Self.cachedMax { cached.removeAll() }
        let statement = try prepare(sql)
        cached[sql] = statement
        return statement
    }

    /// A new statement, for an owner that keeps it.
    func prepare(_ sql: String) throws(SQLiteFault) -> Statement {
        var prepared: OpaquePointer?
        try check(
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let prepared else { preconditionFailure("an SQL text holds a statement") }
        return Statement(prepared, connection: self)
    }

    /// The rows' first column, as texts; for pragmas and the schema.
    func texts(_ sql: String) throws(SQLiteFault) -> [Text] {
        let statement = try prepare(sql)
        var result: [Text] = []
        while try statement.step() { result.append(statement.text(at: 0)) }
        return result
    }

    /// The first row's first column as an integer, 0 if there is none.
    func integer(_ sql: String) throws(SQLiteFault) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(at: 0) : 0
    }

    /// Lets go of all kept statements, as after a change of the schema or before closing.
    func forgetStatements() { cached.removeAll() }

    func check(_ code: Int32) throws(SQLiteFault) {
        guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
            throw Self.fault(code, handle)
        }
    }

    private static func fault(_ code: Int32, _ handle: OpaquePointer) -> SQLiteFault {
        SQLiteFault(
            code: code, systemError: sqlite3_system_errno(handle),
            words: String(cString: sqlite3_errmsg(handle)))
    }
}
