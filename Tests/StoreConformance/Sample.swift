public import Bytes
public import JSON
public import Records
import Store

/// A layout with every kind of field, key, index and relation, and short ways to use it.
public enum Sample {
    /// A room of a chat; its `parent` is another room.
    public static let room = 0
    /// A message in a room.
    public static let message = 1
    /// A reading whose key has three fields.
    public static let reading = 2
    /// A record with a field of each kind.
    public static let thing = 3

    /// The layout.
    public static let layout = DataLayout(models: [
        ModelLayout(
            name: "Room",
            fields: [text("id"), text("name"), text("parent")], key: [0],
            relations: [RelationLayout(name: "up", target: room, foreignKey: [2])]),
        ModelLayout(
            name: "Message",
            fields: [
                text("id"), text("roomID"), text("at"), text("body"),
                FieldLayout(name: "likes", kind: .integer),
            ], key: [0],
            indexes: [
                IndexLayout(name: "byRoom", hash: [1], sort: [2]),
                IndexLayout(name: "byRoomAndLikes", hash: [1], sort: [4, 2]),
                IndexLayout(name: "byBody", hash: [3], sort: []),
            ],
            relations: [RelationLayout(name: "room", target: room, foreignKey: [1])]),
        ModelLayout(
            name: "Reading",
            fields: [
                text("sensor"), FieldLayout(name: "day", kind: .integer), text("hour"),
                FieldLayout(name: "value", kind: .double),
            ], key: [0, 1, 2],
            indexes: [IndexLayout(name: "byDay", hash: [1, 2], sort: [3])]),
        ModelLayout(
            name: "Thing",
            fields: [
                text("id"), FieldLayout(name: "number", kind: .integer),
                FieldLayout(name: "amount", kind: .double),
                FieldLayout(name: "flag", kind: .boolean), FieldLayout(name: "data", kind: .json),
                FieldLayout(name: "tags", kind: .text, isList: true),
            ], key: [0],
            indexes: [
                IndexLayout(name: "byNumber", hash: [1], sort: [2]),
                IndexLayout(name: "byFlag", hash: [3], sort: [1]),
            ]),
    ])

    private static func text(_ name: Text) -> FieldLayout { FieldLayout(name: name, kind: .text) }

    static func room(_ id: Text, name: JSONValue = "r", parent: JSONValue = nil) -> StoreRequest {
        create(room, [.string(id), name, parent])
    }

    static func message(
        _ id: Text, room: JSONValue = "a", at: JSONValue = nil, body: JSONValue = nil,
        likes: JSONValue = nil
    ) -> StoreRequest {
        create(message, [.string(id), room, at, body, likes])
    }

    static func reading(_ sensor: Text, _ day: Int64, _ hour: Text) -> StoreRequest {
        create(reading, [.string(sensor), .int(day), .string(hour), nil])
    }

    /// A creation with these values.
    public static func create(
        _ model: ModelID, _ values: [JSONValue], if condition: Filter = .all
    ) -> StoreRequest {
        let key = RecordKey(model: model, values: layout.models[model].key.map { values[$0] })
        return .write(RecordWrite(key: key, action: .create(values), condition: condition))
    }

    /// An update of one field of a record with a key of one field.
    public static func update(
        _ model: ModelID, _ id: Text, _ slot: Int, _ value: JSONValue, if condition: Filter = .all
    ) -> StoreRequest {
        .write(
            RecordWrite(
                key: RecordKey(model: model, id: id),
                action: .update([RecordWrite.FieldUpdate(slot: slot, value: value)]),
                condition: condition))
    }

    /// A deletion of a record with a key of one field.
    public static func delete(
        _ model: ModelID, _ id: Text, if condition: Filter = .all
    ) -> StoreRequest {
        .write(
            RecordWrite(
                key: RecordKey(model: model, id: id), action: .delete, condition: condition))
    }
}

extension StoreAnswer {
    var record: Record? {
        if case .written(let record, _) = self { record } else { nil }
    }

    var refusal: WriteRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    var failure: StoreFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }

    var offset: UInt64? {
        switch self {
        case .written(_, let offset), .watching(let offset): offset
        default: nil
        }
    }
}

extension RecordStore {
    func answer(_ request: StoreRequest) -> StoreAnswer { perform([request]).answers[0] }

    func record(_ model: ModelID, _ id: Text) -> Record? {
        guard case .records(let records) = answer(.get([RecordKey(model: model, id: id)])) else {
            return nil
        }
        return records[0]
    }

    func page(_ query: RecordQuery) -> RecordPage? {
        guard case .pages(let pages) = answer(.query([query])) else { return nil }
        return pages[0]
    }

    /// The first fields (ids in most models) of all records that a query finds, page by page.
    func ids(_ query: RecordQuery, pages pageMax: Int = 1000) -> [Text] {
        var query = query
        var result: [Text] = []
        for _ in 0..<pageMax {
            guard let page = page(query) else { return ["failed"] }
            result += page.records.compactMap { $0.values[0].text }
            guard let next = page.next else { return result }
            query.after = next
        }
        return result + ["endless"]
    }
}
