import Bytes
import JSON
import Records
import SQLiteStore
import Store

/// A layout of one model and short ways to use it, for tests of the file.
enum Notes {
    static let fields = [
        FieldLayout(name: "id", kind: .text), FieldLayout(name: "text", kind: .text),
        FieldLayout(name: "stars", kind: .integer),
    ]

    static func layout(
        _ fields: [FieldLayout] = fields, key: [Int] = [0], indexes: [IndexLayout] = []
    ) -> DataLayout {
        DataLayout(models: [ModelLayout(name: "Note", fields: fields, key: key, indexes: indexes)])
    }

    static func open(
        _ path: String, _ layout: DataLayout = layout(),
        limits: SQLiteStoreLimits = SQLiteStoreLimits()
    ) throws(SQLiteStoreError) -> SQLiteRecordStore {
        try SQLiteRecordStore(path: path, layout: layout, newEpoch: "first", limits: limits)
    }

    static func create(_ values: JSONValue...) -> StoreRequest {
        .write(
            RecordWrite(
                key: RecordKey(model: 0, values: [values[0]]), action: .create(values)))
    }

    static func update(_ id: Text, _ slot: Int, _ value: JSONValue) -> StoreRequest {
        .write(
            RecordWrite(
                key: RecordKey(model: 0, id: id),
                action: .update([RecordWrite.FieldUpdate(slot: slot, value: value)])))
    }

    static func get(_ id: Text) -> StoreRequest { .get([RecordKey(model: 0, id: id)]) }
}

extension SQLiteRecordStore {
    /// All records' values, in the order of creation.
    var everything: [[JSONValue]] {
        let query = RecordQuery(model: 0, limit: 100_000)
        guard case .pages(let pages) = perform([.query([query])]).answers[0] else { return [] }
        return pages[0].records.map(\.values)
    }

    var history: [Change] {
        guard case .changes(let changes, _) = changes(after: 0, limit: 100_000) else { return [] }
        return changes
    }
}

extension StoreAnswer {
    var failure: String? {
        if case .failed(let failure) = self { failure.description } else { nil }
    }

    var isWritten: Bool {
        if case .written = self { true } else { false }
    }
}

/// Why a file cannot be opened, or nil if it can.
func openError(
    _ path: String, _ layout: DataLayout = Notes.layout(),
    limits: SQLiteStoreLimits = SQLiteStoreLimits()
) -> SQLiteStoreError? {
    do throws(SQLiteStoreError) {
        _ = try Notes.open(path, layout, limits: limits)
        return nil
    } catch {
        return error
    }
}
