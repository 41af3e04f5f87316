import Bytes
import JSON
import Records
import Store

/// Texts that systems like this one are known to lose or change.
let hardTexts: [Text] = [
    "", " ", "%", "%s %d %n", "'", "''; DROP TABLE \"Room\"; --", "\"", "`", "\\", "\u{0}",
    "a\u{0}b", "\r\n\t", "\u{2028}\u{2029}", "$1 ?1 :a @a", "\u{10FFFF}", "😀", "é", "e\u{301}",
    "\u{FEFF}bom", "null", "NULL", "5", "5.0", "{\"a\":1}", "\u{1}\u{1f}\u{7f}",
    Text(String(repeating: "x", count: 100_000)),
]

let valueLaws: [Law] = [
    Law("texts come back byte for byte, as fields, keys, items of lists and inside JSON") {
        check, store in
        for text in hardTexts {
            let values: [JSONValue] = [
                .string(text), nil, nil, nil, ["k": .string(text), "l": [.string(text)]],
                [.string(text)],
            ]
            let written = store.answer(Sample.create(Sample.thing, values)).record
            check.equal(written?.values, values)
            let read = store.record(Sample.thing, text)
            check.equal(read?.values, values)
            check.equal(read?.values[0].jsonBytes, values[0].jsonBytes)
        }
        let all = store.ids(RecordQuery(model: Sample.thing, limit: 7))
        check.equal(all, hardTexts)
    },
    Law("texts that look alike are told apart by their bytes") { check, store in
        let results = store.perform([
            Sample.message("é", room: "é"), Sample.message("e\u{301}", room: "e\u{301}"),
        ])
        check.equal(results.changes.count, 2)
        check.equal(
            store.ids(RecordQuery(model: Sample.message, source: .index(0, hash: ["é"]))), ["é"])
        let filter = Filter.test(Filter.FieldPath(slot: 1), .equal("e\u{301}"))
        check.equal(
            store.ids(RecordQuery(model: Sample.message, filter: filter)), ["e\u{301}"])
    },
    Law("numbers come back as numbers of their field's kind") { check, store in
        let cases: [(JSONValue, JSONValue)] = [
            (0, 0.0), (-0.0, 0.0), (5, 5.0), (0.1, 0.1), (.double(.leastNonzeroMagnitude), nil),
            (.double(.greatestFiniteMagnitude), nil), (-1e300, nil), (9007199254740993, nil),
        ]
        for (index, (amount, wanted)) in cases.enumerated() {
            let id = Text("d\(index)")
            let written = store.answer(
                Sample.create(Sample.thing, [.string(id), nil, amount, nil, nil, nil]))
            let expected = wanted.isNull ? .double(amount.number!) : wanted
            check.equal(written.record?.values[2], expected)
            check.equal(store.record(Sample.thing, id)?.values[2], expected)
            check.equal(
                store.record(Sample.thing, id)?.values[2].jsonText, expected.jsonText)
        }
        for (index, number) in [Int64.min, -1, 0, .max].enumerated() {
            let id = Text("i\(index)")
            _ = store.answer(
                Sample.create(Sample.thing, [.string(id), .int(number), nil, nil, nil, nil]))
            check.equal(store.record(Sample.thing, id)?.values[1], .int(number))
        }
        _ = store.answer(Sample.create(Sample.thing, ["w", 7.0, nil, nil, nil, nil]))
        check.equal(store.record(Sample.thing, "w")?.values[1], 7)
    },
    Law("lists, objects and booleans come back as they were") { check, store in
        let values: [JSONValue] = [
            "a", nil, nil, true,
            ["z": [1, 1.0, -0.0, nil, true, "t", [], .object(JSONObject())], "a": "b"],
            [nil, "x", ""],
        ]
        _ = store.answer(Sample.create(Sample.thing, values))
        let found = store.record(Sample.thing, "a")
        check.equal(found?.values, values)
        check.equal(found?.values[4].jsonText, values[4].jsonText, "the order of members")
        for scalar in ["text", 5, 1.5, false, []] as [JSONValue] {
            _ = store.answer(Sample.update(Sample.thing, "a", 4, scalar))
            check.equal(store.record(Sample.thing, "a")?.values[4], scalar)
        }
    },
    Law("JSON nested too deep is refused") { check, store in
        var deep = JSONValue.null
        for _ in 0..<256 { deep = [deep] }
        check.holds(
            store.answer(Sample.create(Sample.thing, ["a", nil, nil, nil, deep, nil])).record
                != nil, "256 levels")
        check.equal(store.record(Sample.thing, "a")?.values[4], deep)
        check.holds(
            store.answer(Sample.create(Sample.thing, ["b", nil, nil, nil, [deep], nil])).failure
                != nil, "257 levels")
    },
]
