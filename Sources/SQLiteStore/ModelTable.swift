import Bytes
import CSQLite
import JSON
import Records
import Store

/// The statements and the row format of one model's table.
final class ModelTable {
    let id: ModelID
    let model: ModelLayout
    /// The table's name, quoted.
    let name: String
    /// `SELECT` of all that makes a record, up to and with the table's name.
    let selection: String
    /// For each place of the log's rows the slot that stands there; nil if it is not served.
    let logSlots: [Int?]

    private let connection: Connection
    private let insertion: Statement
    private let byKey: Statement
    private let deletion: Statement

    init(
        _ id: ModelID, layout: DataLayout, stored: StoredLayout, connection: Connection
    ) throws(SQLiteFault) {
        self.id = id
        self.connection = connection
        model = layout.models[id]
        name = SQLName.quoted(model.name.string)
        let columns = model.fields.map { SQLName.quoted($0.name.string) }
        selection =
            "SELECT \((["__seq", "__version"] + columns).joined(separator: ", ")) FROM \(name)"
        let fields = stored.model(named: model.name)?.fields ?? []
        logSlots = fields.map { [model] in model.slot(of: $0.name) }
        let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        let key = model.key.map { columns[$0] }
        insertion = try connection.prepare(
            """
            INSERT INTO \(name)(\((["__seq", "__version"] + columns).joined(separator: ", "))) \
            VALUES(\(marks), ?) ON CONFLICT(\(key.joined(separator: ", "))) DO NOTHING
            """)
        byKey = try connection.prepare(
            selection + " WHERE " + key.map { "\($0) = ?" }.joined(separator: " AND "))
        deletion = try connection.prepare("DELETE FROM \(name) WHERE __seq = ?")
    }

    // MARK: Reading.

    /// The record of a key in stored form.
    func record(_ key: [JSONValue]) throws(SQLiteFault) -> Record? {
        defer { byKey.reset() }
        for (index, value) in key.enumerated() { byKey.bind(value, at: index + 1) }
        return try byKey.step() ? try record(in: byKey) : nil
    }

    /// The record in the statement's present row, which a `selection` gave.
    func record(in row: Statement) throws(SQLiteFault) -> Record {
        var record = Record(
            model: id, version: row.integer(at: 1), sequence: row.integer(at: 0), values: [])
        record.values.reserveCapacity(model.fields.count)
        for (slot, field) in model.fields.enumerated() {
            guard let value = row.value(of: field, at: slot + 2) else { throw damage }
            record.values.append(value)
        }
        return record
    }

    private var damage: SQLiteFault {
        SQLiteFault(code: SQLITE_CORRUPT, words: "a row of \(model.name) holds broken JSON")
    }

    // MARK: Writing.

    /// Inserts a record; false if its key is taken.
    func insert(_ record: Record, _ binder: inout RowBinder) throws(SQLiteFault) -> Bool {
        insertion.bind(record.sequence, at: 1)
        insertion.bind(record.version, at: 2)
        for (slot, field) in model.fields.enumerated() {
            binder.bind(record.values[slot], of: field, to: insertion, at: slot + 3)
        }
        try binder.run(insertion)
        return connection.changedRows == 1
    }

    /// Writes the fields in which the two records differ, and the version.
    func update(
        _ old: Record, to new: Record, _ binder: inout RowBinder
    ) throws(SQLiteFault) {
        let slots = model.fields.indices.filter { old.values[$0] != new.values[$0] }
        let columns = slots.map { "\(SQLName.quoted(model.fields[$0].name.string)) = ?" }
        let statement = try connection.statement(
            """
            UPDATE \(name) SET \((["__version = ?"] + columns).joined(separator: ", ")) \
            WHERE __seq = ?
            """)
        statement.bind(new.version, at: 1)
        for (index, slot) in slots.enumerated() {
            binder.bind(new.values[slot], of: model.fields[slot], to: statement, at: index + 2)
        }
        statement.bind(new.sequence, at: slots.count + 2)
        try binder.run(statement)
    }

    /// Deletes a record that is there.
    func delete(_ record: Record) throws(SQLiteFault) {
        deletion.bind(record.sequence, at: 1)
        try deletion.run()
    }

    // MARK: Rows of the log.

    /// Appends a record's values as a JSON list in the log's order of fields.
    func append(logRow record: Record, to queue: inout ByteQueue) {
        var separator = UInt8(ascii: "[")
        for slot in logSlots {
            queue.append(separator)
            separator = UInt8(ascii: ",")
            if let slot { queue.append(json: record.values[slot]) } else { queue.append("null") }
        }
        queue.append(UInt8(ascii: "]"))
    }

    /// The values of a row of the log by slot; nil if it is none.
    func values(ofLogRow json: JSONValue?) -> [JSONValue]? {
        guard let items = json?.items, items.count <= logSlots.count else { return nil }
        var values = [JSONValue](repeating: .null, count: model.fields.count)
        for (place, item) in items.enumerated() {
            if let slot = logSlots[place] { values[slot] = item }
        }
        return values
    }
}
