import Bytes
import JSON
import Records
import Store

private let toRoom = RelationPath(model: Sample.message, steps: [0])
private let toParent = RelationPath(model: Sample.message, steps: [0, 0])

let changeLaws: [Law] = [
    Law("changes carry the record before and after, in the order of their offsets") {
        check, store in
        let results = store.perform([
            Sample.room("a", name: "one"), Sample.update(Sample.room, "a", 1, "two"),
            Sample.room("a"), Sample.delete(Sample.room, "a"),
        ])
        let one = Record(model: Sample.room, version: 1, sequence: 1, values: ["a", "one", nil])
        let two = Record(model: Sample.room, version: 2, sequence: 1, values: ["a", "two", nil])
        check.equal(
            results.changes,
            [
                Change(offset: 1, kind: .create, record: one),
                Change(offset: 2, kind: .update, record: two, previous: one),
                Change(offset: 3, kind: .delete, record: two, previous: two),
            ])
    },
    Law("changes carry what watched paths lead to, as it was right behind the write") {
        check, store in
        _ = store.perform([
            Sample.room("t", name: "T"), Sample.room("a", name: "A", parent: "t"),
        ])
        let results = store.perform([
            .watch([toParent, toRoom]), Sample.message("1"),
            Sample.update(Sample.room, "a", 1, "B"),
            Sample.message("2"), Sample.delete(Sample.room, "a"),
            Sample.delete(Sample.message, "1"), Sample.message("3", room: nil),
        ])
        check.equal(results.answers[0], .watching(offset: 2))
        let messages = results.changes.filter { $0.record.model == Sample.message }
        check.equal(
            messages.map { $0.related.map(\.path.steps) },
            Array(repeating: [[0], [0, 0]], count: 4))
        check.equal(
            messages.map { $0.related(along: [0])?.values[1] }, ["A", "B", nil, nil])
        check.equal(
            messages.map { $0.related(along: [0, 0])?.values[1] }, ["T", "T", nil, nil])
        check.holds(
            results.changes.allSatisfy { $0.record.model == Sample.message || $0.related.isEmpty },
            "only the path's model")
    },
    Law("watching is counted") { check, store in
        let paths: [StoreRequest] = [.watch([toRoom]), .watch([toRoom]), .unwatch([toRoom])]
        _ = store.perform(paths)
        check.equal(store.perform([Sample.message("1")]).changes[0].related.count, 1)
        check.equal(store.answer(.unwatch([toRoom])), .watching(offset: 1))
        check.equal(store.perform([Sample.message("2")]).changes[0].related.count, 0)
    },
    Law("a batch without writes changes nothing") { check, store in
        let results = store.perform([
            .get([]), .query([]), .watch([]), .get([RecordKey(model: Sample.room, id: "a")]),
        ])
        check.equal(
            results.answers, [.records([]), .pages([]), .watching(offset: 0), .records([nil])])
        check.holds(results.changes.isEmpty, "no change")
        check.equal(store.perform([]).answers, [])
        check.equal(store.committedOffset, 0)
    },
]

let historyLaws: [Law] = [
    Law("the history gives the same changes again, page by page") { check, store in
        var committed: [Change] = []
        for number in 0..<10 {
            let id = Text("m\(number)")
            committed +=
                store.perform([
                    Sample.room(id), Sample.message(id, room: .string(id), likes: 1),
                    Sample.update(Sample.message, id, 4, 2), Sample.delete(Sample.room, id),
                ]).changes
        }
        for limit in [1, 3, 40, 41] {
            var found: [Change] = []
            for _ in 0...40 {
                let offset = found.last?.offset ?? 0
                guard
                    case .changes(let page, let through) = store.changes(
                        after: offset, limit: limit)
                else { break }
                check.equal(page.count, min(limit, 40 - Int(offset)))
                check.equal(through, offset + UInt64(page.count))
                found += page
            }
            check.equal(found, committed)
        }
    },
    Law("the history does not know what has not happened") { check, store in
        check.equal(store.changes(after: 0, limit: 10), .changes([], through: 0))
        check.equal(store.changes(after: 1, limit: 10), .unknown)
        _ = store.answer(Sample.room("a"))
        check.equal(store.changes(after: 1, limit: 10), .changes([], through: 1))
        check.equal(store.changes(after: 2, limit: 10), .unknown)
        check.equal(store.changes(after: .max, limit: 10), .unknown)
    },
    Law("the history gives related records as they were, watched then or not") { check, store in
        let writes = [
            Sample.message("0"), Sample.room("a", name: "one"), Sample.message("1"),
            Sample.update(Sample.room, "a", 1, "two"), Sample.message("2"),
            Sample.delete(Sample.room, "a"), Sample.message("3"), Sample.room("a", name: "new"),
            Sample.message("4"), Sample.update(Sample.room, "a", 1, "newer"),
            Sample.delete(Sample.message, "4"),
        ]
        for write in writes { _ = store.answer(write) }
        _ = store.answer(.watch([toRoom]))
        guard case .changes(let changes, _) = store.changes(after: 0, limit: 100) else {
            check.holds(false, "the history is there")
            return
        }
        let messages = changes.filter { $0.record.model == Sample.message }
        check.equal(
            messages.map { $0.related(along: [0])?.values[1] },
            [nil, "one", "two", nil, "new", "newer"])
        check.equal(messages.map { $0.related.count }, [1, 1, 1, 1, 1, 1])
    },
]
