import Bytes
import CSQLite
import JSON
import Records
import Store

/// One prepared statement. Bind, step, read, reset.
final class Statement {
    private let handle: OpaquePointer
    /// Gives the error's words. It keeps statements, so they must not keep it.
    private unowned let connection: Connection

    init(_ handle: OpaquePointer, connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Values in. Places count from 1, as in SQLite.

    func bind(_ value: Int64, at place: Int) {
        bound(sqlite3_bind_int64(handle, Int32(place), value))
    }

    func bindNull(at place: Int) { bound(sqlite3_bind_null(handle, Int32(place))) }

    func bind(_ value: Double, at place: Int) {
        bound(sqlite3_bind_double(handle, Int32(place), value))
    }

    /// Binds text that SQLite copies.
    func bind(_ text: Text, at place: Int) {
        text.withBytes { bind(utf8: $0, at: place, lifetime: csqlite_transient()) }
    }

    /// Binds text that must stay where it is until the statement is reset.
    func bind(lent bytes: UnsafeRawBufferPointer, at place: Int) {
        bind(utf8: bytes, at: place, lifetime: nil)
    }

    /// Binds bytes compared as text, which need not be UTF-8: the end of a stretch of texts.
    func bind(bytes: [UInt8], at place: Int) {
        bytes.withUnsafeBytes { bind(utf8: $0, at: place, lifetime: csqlite_transient()) }
    }

    /// Binds a value of a scalar field. SQLite copies it.
    func bind(_ value: JSONValue, at place: Int) {
        switch value {
        case .null: bindNull(at: place)
        case .bool(let value): bind(Int64(value ? 1 : 0), at: place)
        case .int(let value): bind(value, at: place)
        case .double(let value): bind(value, at: place)
        case .string(let text): bind(text, at: place)
        case .array, .object: bind(Text(value.jsonText), at: place)
        }
    }

    private func bind(
        utf8 bytes: UnsafeRawBufferPointer, at place: Int, lifetime: sqlite3_destructor_type?
    ) {
        // A null pointer would bind NULL, and an empty buffer may have none.
        guard let base = bytes.baseAddress else {
            bound(sqlite3_bind_text(handle, Int32(place), "", 0, nil))
            return
        }
        bound(
            sqlite3_bind_text64(
                handle, Int32(place), base.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count), lifetime, UInt8(SQLITE_UTF8)))
    }

    /// A value that is too big or finds no memory fails the step that follows.
    private func bound(_ code: Int32) {
        precondition(code != SQLITE_RANGE && code != SQLITE_MISUSE, "a value is bound to its place")
        if code != SQLITE_OK { bindingFault = code }
    }

    private var bindingFault: Int32 = 0

    // MARK: Running.

    /// Goes on to the next row; false at the end.
    func step() throws(SQLiteFault) -> Bool {
        if bindingFault != 0 {
            defer { bindingFault = 0 }
            try connection.check(bindingFault)
        }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        try connection.check(code)
        return false
    }

    /// Ends the run, so that the statement holds no row; bound values stay.
    func reset() { sqlite3_reset(handle) }

    /// Runs a statement that gives no rows.
    func run() throws(SQLiteFault) {
        defer { reset() }
        while try step() {}
    }

    // MARK: Values out. Columns count from 0, as in SQLite.

    func integer(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    func text(at column: Int) -> Text { withText(at: column) { Text(utf8: $0) } }

    func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// Lends a column's text until the next step or reset.
    func withText<R>(at column: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let start = sqlite3_column_text(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// A column's JSON; nil if it is none.
    func json(at column: Int) -> JSONValue? {
        withText(at: column) { bytes in
            do {
                return try JSONValue(
                    parsing: bytes.bytes, depthMax: FieldLayout.jsonDepthMax + 1)
            } catch {
                // The caller reports damage: what was stored was JSON.
                return nil
            }
        }
    }

    /// A field's value; nil if the column does not hold what the field must.
    func value(of field: FieldLayout, at column: Int) -> JSONValue? {
        if isNull(at: column) { return .null }
        if field.isList { return json(at: column) }
        switch field.kind {
        case .text: return .string(text(at: column))
        case .integer: return .int(integer(at: column))
        case .boolean: return .bool(integer(at: column) != 0)
        case .double: return .double(sqlite3_column_double(handle, Int32(column)))
        case .json: return json(at: column)
        }
    }
}
