import Bytes
import JSON
import Records

/// Binds one row's values without a copy by SQLite: texts are gathered in one buffer that is kept
/// from row to row, and lent while the statement runs.
struct RowBinder {
    private var buffer = ByteQueue()
    private var lent: [(place: Int, range: Range<Int>)] = []

    /// Binds a field's value.
    mutating func bind(
        _ value: JSONValue, of field: FieldLayout, to statement: Statement, at place: Int
    ) {
        switch value {
        case .null: statement.bindNull(at: place)
        case _ where field.isList || field.kind == .json:
            lend(at: place) { $0.append(json: value) }
        case .bool(let value): statement.bind(Int64(value ? 1 : 0), at: place)
        case .int(let value): statement.bind(value, at: place)
        case .double(let value): statement.bind(value, at: place)
        case .string(let text): lend(at: place) { $0.append(utf8: text) }
        case .array, .object: preconditionFailure("a scalar field holds a scalar")
        }
    }

    /// Binds what `write` appends to the buffer as one text.
    mutating func lend(at place: Int, _ write: (inout ByteQueue) -> Void) {
        let start = buffer.count
        write(&buffer)
        lent.append((place, start..<buffer.count))
    }

    /// Runs the statement with everything that was bound, and is ready for the next row.
    mutating func run(_ statement: Statement) throws(SQLiteFault) {
        defer {
            // One huge record must not hold its memory for ever.
            buffer.removeAll(keepingCapacity: buffer.count < 1 << 20)
            lent.removeAll(keepingCapacity: true)
        }
        let lent = lent
        let result: Result<Void, SQLiteFault> = buffer.withBytes { bytes in
            for (place, range) in lent {
                statement.bind(lent: UnsafeRawBufferPointer(rebasing: bytes[range]), at: place)
            }
            do throws(SQLiteFault) { return .success(try statement.run()) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
