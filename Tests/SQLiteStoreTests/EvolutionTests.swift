import Bytes
import JSON
import Records
import SQLiteStore
import Store
import Testing

@Suite struct EvolutionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("data.db") }

    init() throws {
        folder = try TemporaryFolder()
        let store = try Notes.open(path)
        _ = store.perform([
            Notes.create("a", "one", 1), Notes.create("b", "two", 2), Notes.update("a", 2, 3),
        ])
    }

    @Test func `a new field is null in old records and in the log's old rows`() throws {
        let fields = Notes.fields + [FieldLayout(name: "tags", kind: .text, isList: true)]
        let store = try Notes.open(path, Notes.layout(fields))
        #expect(store.everything == [["a", "one", 3, nil], ["b", "two", 2, nil]])
        #expect(
            store.history.map(\.record.values.last) == [nil, nil, nil].map { JSONValue?.some($0) })
        _ = store.perform([Notes.update("a", 3, ["x"])])
        #expect(store.history.last?.record.values == ["a", "one", 3, ["x"]])
        #expect(store.history.last?.previous?.values == ["a", "one", 3, nil])
    }

    @Test func `fields may stand in another order`() throws {
        let fields = [Notes.fields[2], Notes.fields[0], Notes.fields[1]]
        let store = try Notes.open(path, Notes.layout(fields, key: [1]))
        #expect(store.everything == [[3, "a", "one"], [2, "b", "two"]])
        #expect(store.history[2].previous?.values == [1, "a", "one"])
    }

    @Test func `a removed field stays in the file and can come back`() throws {
        do {
            let store = try Notes.open(path, Notes.layout([Notes.fields[0], Notes.fields[1]]))
            #expect(store.everything == [["a", "one"], ["b", "two"]])
            _ = store.perform([Notes.create("c", "three")])
            #expect(store.history.last?.record.values == ["c", "three"])
        }
        let store = try Notes.open(path)
        #expect(store.everything == [["a", "one", 3], ["b", "two", 2], ["c", "three", nil]])
        #expect(store.history.count == 4)
    }

    @Test func `a new model is added, a removed one leaves the history`() throws {
        let other = ModelLayout(
            name: "Other", fields: [FieldLayout(name: "id", kind: .text)], key: [0])
        do {
            let layout = DataLayout(models: [other] + Notes.layout().models)
            let store = try Notes.open(path, layout)
            _ = store.perform([Notes.create("o")])
            #expect(store.history.map(\.record.model) == [1, 1, 1, 0])
        }
        let store = try Notes.open(path, DataLayout(models: [other]))
        #expect(store.everything == [["o"]])
        #expect(store.changes(after: 0, limit: 2) == .changes([], through: 2))
        #expect(store.history.map(\.offset) == [4])
    }

    @Test func `indexes are made, changed and dropped with the schema`() throws {
        let query = RecordQuery(model: 0, source: .index(0, hash: ["two"]))
        for sort in [[2], [2, 0], []] {
            let index = IndexLayout(name: "byText", hash: [1], sort: sort)
            let store = try Notes.open(path, Notes.layout(indexes: [index]))
            guard case .pages(let pages) = store.perform([.query([query])]).answers[0] else {
                Issue.record("no page")
                return
            }
            #expect(pages[0].records.map(\.values) == [["b", "two", 2]])
        }
        #expect(openError(path) == nil)
    }

    @Test func `a field of another kind is refused with a sentence, even after years away`() throws
    {
        for (kind, isList) in [(FieldKind.text, false), (.boolean, false), (.integer, true)] {
            var fields = Notes.fields
            fields[2] = FieldLayout(name: "stars", kind: kind, isList: isList)
            let error = openError(path, Notes.layout(fields))
            #expect(
                error?.description.contains("the field \"stars\" of the model \"Note\" held")
                    == true)
        }
        #expect(openError(path, Notes.layout([Notes.fields[0]])) == nil)
        var fields = Notes.fields
        fields[1].kind = .json
        #expect(openError(path, Notes.layout(fields)) != nil)
        #expect(try Notes.open(path).everything.count == 2)
    }

    @Test func `another key is refused with a sentence`() {
        let error = openError(path, Notes.layout(key: [0, 1]))
        #expect(error?.description.contains("was (id) and is now (id, text)") == true)
    }

    @Test func `names that the database cannot tell apart or keeps for itself are refused`() {
        let id = FieldLayout(name: "id", kind: .text)
        let cases: [(DataLayout, String)] = [
            (
                DataLayout(
                    models: ["Room", "ROOM"].map { ModelLayout(name: $0, fields: [id], key: [0]) }),
                "\"Room\" and \"ROOM\" differ only in case"
            ),
            (
                Notes.layout([id, FieldLayout(name: "ID", kind: .text)]),
                "the fields of the model \"Note\" \"id\" and \"ID\" differ only in case"
            ),
            (
                DataLayout(models: [ModelLayout(name: "SQLite_x", fields: [id], key: [0])]),
                "the model \"SQLite_x\" cannot be stored"
            ),
            (Notes.layout([FieldLayout(name: "id", kind: .json)]), "cannot be part of a key"),
            (DataLayout(models: [ModelLayout(name: "X", fields: [id], key: [])]), "no key field"),
        ]
        for (layout, part) in cases {
            let text = openError(path, layout)?.description ?? "opened"
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func `words of SQL are names like others`() throws {
        let names: [Text] = ["select", "order", "group", "index", "rowid", "oid", "_seq", "null"]
        let fields = names.map { FieldLayout(name: $0, kind: .text) }
        let models = ["Table", "From", "changes", "meta"].map {
            ModelLayout(
                name: $0, fields: fields, key: [0, 4],
                indexes: [IndexLayout(name: "where", hash: [1], sort: [2, 5])])
        }
        let store = try Notes.open(path, DataLayout(models: models))
        for model in models.indices {
            let values = names.map { JSONValue.string($0) }
            let key = RecordKey(model: model, values: [values[0], values[4]])
            let query = RecordQuery(model: model, source: .index(0, hash: ["order"]))
            let results = store.perform([
                .write(RecordWrite(key: key, action: .create(values))), .query([query]),
            ])
            guard case .pages(let pages) = results.answers[1] else { continue }
            #expect(pages[0].records.map(\.values) == [values])
        }
    }
}
