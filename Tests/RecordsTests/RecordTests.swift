import Bytes
import JSON
import Records
import Testing

@Suite struct RecordTests {
    static let layout = DataLayout(models: [
        ModelLayout(
            name: "Room", fields: [FieldLayout(name: "id", kind: .text)], key: [0]),
        ModelLayout(
            name: "Seat",
            fields: ["id", "row", "roomID"].map { FieldLayout(name: $0, kind: .text) },
            key: [1, 0],
            relations: [RelationLayout(name: "room", target: 0, foreignKey: [2])]),
    ])

    @Test func `models and fields are found by name, to the byte`() {
        #expect(Self.layout.modelID(named: "Seat") == 1)
        #expect(Self.layout.modelID(named: "seat") == nil)
        #expect(Self.layout.models[1].slot(of: "roomID") == 2)
        #expect(Self.layout.models[1].slot(of: "room") == nil)
    }

    @Test func `a record's key has the key fields in the key's order`() {
        let record = Record(model: 1, values: ["s", "r", nil])
        #expect(record.key(in: Self.layout) == RecordKey(model: 1, values: ["r", "s"]))
        #expect(RecordKey(model: 0, id: "a") == RecordKey(model: 0, values: ["a"]))
    }

    @Test func `a foreign key leads to its target's key, a null one nowhere`() {
        let relation = Self.layout.models[1].relations[0]
        let seat = Record(model: 1, values: ["s", "r", "lobby"])
        #expect(RecordKey(following: relation, from: seat) == RecordKey(model: 0, id: "lobby"))
        let free = Record(model: 1, values: ["s", "r", nil])
        #expect(RecordKey(following: relation, from: free) == nil)
    }

    @Test func `a change knows the record itself at the empty path`() {
        let record = Record(model: 0, values: ["a"])
        let change = Change(offset: 1, kind: .delete, record: record, previous: record)
        #expect(change.related(along: []) == record)
        #expect(change.related(along: [0]) == nil)
    }
}
