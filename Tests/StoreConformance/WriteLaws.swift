import Bytes
import JSON
import Records
import Store

let writeLaws: [Law] = [
    Law("a creation gives version 1 and its change's offset as sequence") { check, store in
        let results = store.perform([Sample.room("a"), Sample.room("b")])
        let records = results.answers.compactMap(\.record)
        check.equal(records.map(\.version), [1, 1])
        check.equal(records.map(\.sequence), [1, 2])
        check.equal(results.answers.map(\.offset), [1, 2])
        check.equal(results.changes.map(\.offset), [1, 2])
        check.equal(store.committedOffset, 2)
        check.equal(store.record(Sample.room, "b"), records.last)
    },
    Law("a second creation of a key is refused and changes nothing") { check, store in
        let first = store.answer(Sample.room("a", name: "first")).record
        let results = store.perform([
            Sample.room("a", name: "second"),
            Sample.create(Sample.room, ["a", "third", nil], if: .or([])),
        ])
        check.equal(results.answers.map(\.refusal), [.exists, .exists])
        check.holds(results.changes.isEmpty, "no change")
        check.equal(store.record(Sample.room, "a"), first)
        check.equal(store.committedOffset, 1)
    },
    Law("of twenty creations of one key in a batch exactly one wins") { check, store in
        let results = store.perform((0..<20).map { Sample.room("a", name: .int($0).text()) })
        check.equal(results.answers.compactMap(\.record).count, 1)
        check.equal(results.answers.filter { $0.refusal == .exists }.count, 19)
    },
    Law("an update or deletion of a missing record is refused and makes none") { check, store in
        let results = store.perform([
            Sample.update(Sample.room, "x", 1, "n"), Sample.delete(Sample.room, "x"),
        ])
        check.equal(results.answers.map(\.refusal), [.missing, .missing])
        check.equal(store.record(Sample.room, "x"), nil)
        check.equal(store.committedOffset, 0)
    },
    Law("an update raises the version, keeps the sequence and sets only its fields") {
        check, store in
        _ = store.perform([Sample.room("z"), Sample.room("a", name: "n", parent: "p")])
        let record = store.answer(Sample.update(Sample.room, "a", 1, "m")).record
        check.equal(
            record,
            Record(model: Sample.room, version: 2, sequence: 2, values: ["a", "m", "p"]))
        check.equal(store.record(Sample.room, "a"), record)
    },
    Law("an update without fields is a write all the same") { check, store in
        _ = store.answer(Sample.room("a"))
        let key = RecordKey(model: Sample.room, id: "a")
        let answer = store.answer(.write(RecordWrite(key: key, action: .update([]))))
        check.equal(answer.record?.version, 2)
        check.equal(answer.offset, 2)
    },
    Law("a deletion gives the record as it last was, and the key is free again") { check, store in
        _ = store.answer(Sample.room("a", name: "one"))
        let last = store.answer(Sample.update(Sample.room, "a", 1, "two")).record
        let results = store.perform([Sample.delete(Sample.room, "a")])
        check.equal(results.answers[0].record, last)
        check.equal(results.changes.first?.record, last)
        check.equal(store.record(Sample.room, "a"), nil)
        let again = store.answer(Sample.room("a", name: "three")).record
        check.equal(again?.version, 1)
        check.equal(again?.sequence, 4)
        check.equal(store.ids(RecordQuery(model: Sample.room)), ["a"])
    },
    Law("a condition is tested on the present record, of a creation on the new one") {
        check, store in
        let isN = Filter.test(Filter.FieldPath(slot: 1), .equal("n"))
        let results = store.perform([
            Sample.create(Sample.room, ["a", "m", nil], if: isN),
            Sample.create(Sample.room, ["a", "n", nil], if: isN),
            Sample.update(Sample.room, "a", 1, "m", if: isN),
            Sample.update(Sample.room, "a", 1, "n", if: isN),
            Sample.delete(Sample.room, "a", if: isN),
        ])
        check.equal(
            results.answers.map(\.refusal),
            [.conditionFailed, nil, nil, .conditionFailed, .conditionFailed])
        check.equal(results.changes.map(\.kind), [.create, .update])
    },
    Law("a condition sees what the record's relations lead to") { check, store in
        let inLobby = Filter.test(Filter.FieldPath(relations: [0], slot: 1), .equal("lobby"))
        let results = store.perform([
            Sample.room("a", name: "lobby"), Sample.room("b"),
            Sample.create(Sample.message, ["1", "a", nil, nil, nil], if: inLobby),
            Sample.create(Sample.message, ["2", "b", nil, nil, nil], if: inLobby),
            Sample.create(Sample.message, ["3", "nowhere", nil, nil, nil], if: inLobby),
            Sample.update(Sample.message, "1", 3, "x", if: inLobby),
        ])
        check.equal(
            results.answers.map(\.refusal),
            [nil, nil, nil, .conditionFailed, .conditionFailed, nil])
    },
    Law("each request of a batch sees the writes before it") { check, store in
        let key = RecordKey(model: Sample.room, id: "a")
        let results = store.perform([
            .get([key]), Sample.room("a", name: "one"), .get([key]),
            Sample.update(Sample.room, "a", 1, "two"), .query([RecordQuery(model: Sample.room)]),
            Sample.delete(Sample.room, "a"), .get([key]),
        ])
        check.equal(results.answers[0], .records([nil]))
        check.equal(results.answers[2], .records([results.answers[1].record]))
        check.equal(
            results.answers[4],
            .pages([RecordPage(records: [results.answers[3].record!], next: nil)]))
        check.equal(results.answers[6], .records([nil]))
    },
    Law("a write that no field can hold fails alone and without the value in its message") {
        check, store in
        let results = store.perform([
            Sample.create(Sample.thing, ["a", "secret", nil, nil, nil, nil]),
            Sample.create(Sample.thing, [nil, nil, nil, nil, nil, nil]),
            Sample.room("b"),
            Sample.update(Sample.room, "b", 0, "secret"),
            Sample.update(Sample.room, "b", 0, "b"),
        ])
        check.equal(results.answers.map { $0.failure == nil }, [false, false, true, false, true])
        check.equal(results.changes.map(\.kind), [.create, .update])
        for failure in results.answers.compactMap(\.failure) {
            check.holds(!failure.message.contains("secret"), failure.message)
        }
    },
    Law("keys of several fields name one record") { check, store in
        let writes = [
            Sample.reading("s", 1, "a"), Sample.reading("s", 1, "b"), Sample.reading("s", 2, "a"),
            Sample.reading("s", 1, "a"),
        ]
        check.equal(store.perform(writes).answers.map(\.refusal), [nil, nil, nil, .exists])
        let key = RecordKey(model: Sample.reading, values: ["s", 2.0, "a"])
        let other = RecordKey(model: Sample.reading, values: ["s", "2", "a"])
        guard case .records(let found) = store.answer(.get([key, other])) else { return }
        check.equal(found.map { $0?.values }, [["s", 2, "a", nil], nil])
    },
]

extension JSONValue {
    func text() -> JSONValue { .string(Text(jsonText)) }
}
