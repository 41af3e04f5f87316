import Bytes
import JSON
import Records
import Store

/// Twenty-five messages, twelve in room "a" at two instants, some without one.
private func fill(_ store: any RecordStore) {
    _ = store.perform(
        (0..<25).map { number in
            let at: JSONValue = [nil, "t1", "t2"][number % 3]
            return Sample.message(
                Text("m\(number)"), room: number % 2 == 0 ? "a" : "b", at: at,
                body: .string(Text(String(repeating: "x", count: number % 5))),
                likes: .int(Int64(number % 4)))
        })
}

private let byRoom = RecordQuery.Source.index(0, hash: ["a"])

let queryLaws: [Law] = [
    Law("all records come in the order of their creation, each once, whatever the page size") {
        check, store in
        fill(store)
        let wanted = (0..<25).map { Text("m\($0)") }
        for limit in [1, 2, 3, 7, 24, 25, 26] {
            for isDescending in [false, true] {
                let query = RecordQuery(
                    model: Sample.message, isDescending: isDescending, limit: limit)
                check.equal(store.ids(query), isDescending ? wanted.reversed() : wanted)
            }
        }
        check.equal(
            store.page(RecordQuery(model: Sample.message, limit: 25))?.next, nil, "the last page")
    },
    Law("an index gives equal hash values by sort value, nulls first, then by creation") {
        check, store in
        fill(store)
        let wanted = [0, 6, 12, 18, 24, 4, 10, 16, 22, 2, 8, 14, 20].map { Text("m\($0)") }
        for limit in [1, 2, 3, 12, 13, 14] {
            for isDescending in [false, true] {
                let query = RecordQuery(
                    model: Sample.message, source: byRoom, isDescending: isDescending,
                    limit: limit)
                check.equal(store.ids(query), isDescending ? wanted.reversed() : wanted)
            }
        }
    },
    Law("a null or misfitting hash value finds nothing") { check, store in
        _ = store.perform([Sample.message("1", room: nil), Sample.message("2", room: "5")])
        for hash in [nil, 5, true] as [JSONValue] {
            let query = RecordQuery(model: Sample.message, source: .index(0, hash: [hash]))
            check.equal(store.page(query), RecordPage(records: [], next: nil))
        }
        check.equal(
            store.ids(RecordQuery(model: Sample.message, source: .key(hash: nil))), [])
    },
    Law("a key's hash field gives its records by the key's sort fields") { check, store in
        let writes = [
            Sample.reading("s", 10, "a"), Sample.reading("s", 9, "b"), Sample.reading("r", 1, "a"),
            Sample.reading("s", 9, "a"), Sample.reading("s", -1, "z"),
        ]
        _ = store.perform(writes)
        var query = RecordQuery(model: Sample.reading, source: .key(hash: "s"), limit: 2)
        func days() -> [[JSONValue]] {
            var result: [[JSONValue]] = []
            query.after = nil
            repeat {
                let page = store.page(query)
                result += page?.records.map { Array($0.values[1...2]) } ?? []
                query.after = page?.next
            } while query.after != nil
            return result
        }
        check.equal(days(), [[-1, "z"], [9, "a"], [9, "b"], [10, "a"]])
        query.isDescending = true
        check.equal(days(), [[10, "a"], [9, "b"], [9, "a"], [-1, "z"]])
        query.sort = RecordQuery.SortCondition(equal: [9])
        check.equal(days(), [[9, "b"], [9, "a"]])
        query.sort = RecordQuery.SortCondition(equal: [9.0], test: .greater("a"))
        check.equal(days(), [[9, "b"]])
        query.sort = RecordQuery.SortCondition(test: .less(9.5))
        check.equal(days(), [[9, "b"], [9, "a"], [-1, "z"]])
    },
    Law("a key of one field finds its record, in front of and behind a cursor") { check, store in
        fill(store)
        var query = RecordQuery(model: Sample.message, source: .key(hash: "m3"))
        check.equal(store.ids(query), ["m3"])
        for (sequence, isDescending, found) in [
            (3, false, 1), (4, false, 0), (4, true, 0), (5, true, 1),
        ] {
            query.after = RecordQuery.Cursor(sort: [], sequence: Int64(sequence))
            query.isDescending = isDescending
            check.equal(store.ids(query).count, found)
        }
    },
    Law("a sort condition cuts the index's order") { check, store in
        _ = store.perform(
            [nil, "", "a", "ab", "abc", "b", "é", "\u{10FFFF}"].enumerated().map {
                Sample.message(Text("\($0.offset)"), at: $0.element)
            })
        let cases: [(Filter.Test, [Text])] = [
            (.equal("ab"), ["3"]), (.equal(nil), ["0"]), (.less("ab"), ["1", "2"]),
            (.lessOrEqual("ab"), ["1", "2", "3"]), (.greater("b"), ["6", "7"]),
            (.greaterOrEqual("b"), ["5", "6", "7"]), (.between("a", "abc"), ["2", "3", "4"]),
            (.between("b", "a"), []), (.beginsWith("a"), ["2", "3", "4"]),
            (.beginsWith(""), ["1", "2", "3", "4", "5", "6", "7"]), (.beginsWith("é"), ["6"]),
            (.beginsWith("\u{10FFFF}"), ["7"]), (.equal(5), []), (.less(5), []),
        ]
        for (test, wanted) in cases {
            for isDescending in [false, true] {
                let query = RecordQuery(
                    model: Sample.message, source: byRoom,
                    sort: RecordQuery.SortCondition(test: test), isDescending: isDescending,
                    limit: 2)
                check.equal(
                    store.ids(query), isDescending ? wanted.reversed() : wanted, "\(test)")
            }
        }
    },
    Law("pages are filled with records that pass, and end when none is left") { check, store in
        fill(store)
        let filter = Filter.test(Filter.FieldPath(slot: 4), .equal(3))
        let first = store.page(RecordQuery(model: Sample.message, filter: filter, limit: 6))
        check.equal(first?.records.count, 6)
        check.equal(first?.next, nil)
        let query = RecordQuery(model: Sample.message, filter: filter, limit: 5)
        check.equal(store.page(query)?.next?.sequence, 20)
        check.equal(store.ids(query).count, 6)
    },
    Law("a filter looks along relations") { check, store in
        _ = store.perform([
            Sample.room("top", name: "T"), Sample.room("a", name: "A", parent: "top"),
            Sample.room("b", name: "B"), Sample.message("1", room: "a"),
            Sample.message("2", room: "b"), Sample.message("3", room: "c"),
        ])
        func ids(_ relations: [Int], _ test: Filter.Test) -> [Text] {
            let filter = Filter.test(Filter.FieldPath(relations: relations, slot: 1), test)
            return store.ids(RecordQuery(model: Sample.message, filter: filter))
        }
        check.equal(ids([0], .equal("A")), ["1"])
        check.equal(ids([0, 0], .equal("T")), ["1"])
        check.equal(ids([0, 0], .exists(false)), ["2", "3"])
        check.equal(ids([0], .notEqual("A")), ["2", "3"])
    },
    Law("updates and deletions move records in every order") { check, store in
        fill(store)
        _ = store.perform([
            Sample.update(Sample.message, "m0", 1, "b"), Sample.delete(Sample.message, "m6"),
            Sample.update(Sample.message, "m1", 1, "a"),
            Sample.update(Sample.message, "m12", 2, "t9"),
        ])
        check.equal(
            store.ids(RecordQuery(model: Sample.message, source: byRoom, limit: 3)),
            [18, 24, 1, 4, 10, 16, 22, 2, 8, 14, 20, 12].map { Text("m\($0)") })
    },
    Law("a page goes on behind a record that is gone or has moved") { check, store in
        fill(store)
        var query = RecordQuery(model: Sample.message, source: byRoom, limit: 5)
        let first = store.page(query)
        _ = store.perform(
            first!.records.map { Sample.delete(Sample.message, $0.values[0].text!) })
        query.after = first?.next
        check.equal(
            store.ids(query), [4, 10, 16, 22, 2, 8, 14, 20].map { Text("m\($0)") })
    },
    Law("a made-up cursor is an error or a place, and good ones still work") { check, store in
        fill(store)
        var query = RecordQuery(model: Sample.message, source: byRoom)
        for sort in [[], ["t1", "t2"], [5], [["t1"]]] as [[JSONValue]] {
            query.after = RecordQuery.Cursor(sort: sort, sequence: 1)
            check.holds(store.answer(.query([query])).failure != nil, "\(sort)")
        }
        for sequence in [Int64.min, -1, 0] {
            query.after = RecordQuery.Cursor(sort: ["t1"], sequence: sequence)
            check.equal(store.ids(query).count, 8)
        }
        query.after = RecordQuery.Cursor(sort: ["t1"], sequence: .max)
        check.equal(store.ids(query).count, 4)
    },
    Law("filters of any size and depth are answered") { check, store in
        _ = store.perform([Sample.room("a", name: "n"), Sample.room("b")])
        let isN = Filter.test(Filter.FieldPath(slot: 1), .equal("n"))
        let exists = Filter.test(Filter.FieldPath(slot: 2), .exists(true))
        var deep = isN
        for level in 0..<300 { deep = level % 2 == 0 ? .not(.and([deep, isN])) : .or([deep]) }
        let names = (0..<2000).map { JSONValue.string(Text("x\($0)")) }
        let filters: [Filter] = [
            .or(Array(repeating: exists, count: 5000) + [isN]),
            .or(Array(repeating: isN, count: 5000)), .and([deep, isN]), .or([.not(deep), isN]),
            .test(Filter.FieldPath(slot: 1), .isIn(names + ["n"])),
        ]
        for filter in filters {
            let matches = filter.matches(Record(model: Sample.room, values: ["a", "n", nil]))
            check.equal(
                store.ids(RecordQuery(model: Sample.room, filter: filter)), matches ? ["a"] : [])
        }
    },
    Law("pages of a large model begin where they should") { check, store in
        for start in stride(from: 0, to: 1500, by: 500) {
            _ = store.perform(
                (start..<(start + 500)).map { number in
                    let at = JSONValue.string(Text("t\(number * 7919 % 300)"))
                    return Sample.message(Text("m\(number)"), at: at)
                })
        }
        let whole = store.page(RecordQuery(model: Sample.message, source: byRoom, limit: 2000))
        check.equal(whole?.records.count, 1500)
        for limit in [100, 499] {
            let query = RecordQuery(model: Sample.message, source: byRoom, limit: limit)
            check.equal(store.ids(query), whole?.records.compactMap { $0.values[0].text } ?? [])
        }
        let sort = RecordQuery.SortCondition(test: .between("t1", "t2"))
        let query = RecordQuery(
            model: Sample.message, source: byRoom, sort: sort, isDescending: true, limit: 33)
        let wanted = whole?.records.filter {
            "t1" <= $0.values[2].text! && $0.values[2].text! <= "t2"
        }
        check.equal(store.ids(query), wanted?.reversed().compactMap { $0.values[0].text } ?? [])
    },
]
