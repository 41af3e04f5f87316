import Bytes
import JSON
import Records
import Testing

@Suite struct FilterTests {
    struct Case: Sendable, CustomStringConvertible {
        var test: Filter.Test
        var passes: [JSONValue]
        var fails: [JSONValue]
        var description: String { "\(test)" }
    }

    static let cases: [Case] = [
        Case(test: .equal("a"), passes: ["a"], fails: ["A", "", nil, 1, ["a"]]),
        Case(test: .equal("é"), passes: ["é"], fails: ["e\u{301}"]),
        Case(test: .equal(nil), passes: [nil], fails: ["", 0, false]),
        Case(test: .equal(1), passes: [1, 1.0], fails: [1.5, "1", true]),
        Case(test: .notEqual("a"), passes: ["b", nil, 1], fails: ["a"]),
        Case(test: .notEqual(nil), passes: ["", 0, false], fails: [nil]),
        Case(test: .less(2), passes: [1, 1.9, -5], fails: [2, 2.0, nil, "1", false]),
        Case(test: .lessOrEqual("b"), passes: ["a", "b", "B", ""], fails: ["ba", nil, 1]),
        Case(test: .greater(false), passes: [true], fails: [false, nil, 1]),
        Case(test: .greaterOrEqual(2), passes: [2, 2.0, 3], fails: [1, nil]),
        Case(test: .between(1, 3), passes: [1, 2, 3.0], fails: [0, 3.1, nil, "2"]),
        Case(test: .between("b", "a"), passes: [], fails: ["a", "b"]),
        Case(test: .beginsWith("ab"), passes: ["ab", "abc"], fails: ["a", "AB", nil, ["ab"]]),
        Case(test: .beginsWith(""), passes: ["", "a"], fails: [nil]),
        Case(test: .beginsWith("e"), passes: ["e\u{301}"], fails: ["é"]),
        Case(
            test: .contains("b"), passes: ["abc", ["a", "b"]], fails: ["ac", ["abc"], nil, [:]]),
        Case(test: .contains(1), passes: [[1.0, 2]], fails: ["1", [], nil]),
        Case(test: .notContains("b"), passes: ["ac", nil, ["a"]], fails: ["b", ["b"]]),
        Case(test: .isIn(["a", 1]), passes: ["a", 1, 1.0], fails: ["b", nil]),
        Case(test: .isIn([]), passes: [], fails: ["a", nil]),
        Case(test: .isIn([nil]), passes: [nil], fails: ["a"]),
        Case(test: .isNotIn(["a"]), passes: ["b", nil], fails: ["a"]),
        Case(
            test: .containsAny(["a", "b"]), passes: [["b", "c"], "xa"], fails: [["c"], nil, []]),
        Case(test: .exists(true), passes: ["", 0, false, []], fails: [nil]),
        Case(test: .exists(false), passes: [nil], fails: [""]),
        Case(test: .hasType(.string), passes: ["a"], fails: [1, nil]),
        Case(test: .hasType(.number), passes: [1, 1.5], fails: ["1", true]),
        Case(test: .hasType(.bool), passes: [true], fails: [1]),
        Case(test: .hasType(.list), passes: [[]], fails: [[:]]),
        Case(test: .hasType(.map), passes: [[:]], fails: [[]]),
        Case(test: .hasType(.null), passes: [nil], fails: [""]),
        Case(test: .hasType(.stringSet), passes: [], fails: [["a"]]),
        Case(test: .size(.equal(2)), passes: ["ab", "é", [1, 2]], fails: ["a", nil, 12]),
        Case(test: .size(.notEqual(2)), passes: ["a"], fails: ["ab", nil]),
        Case(test: .size(.between(1, 2)), passes: ["a", "ab"], fails: ["", "abc"]),
        Case(test: .size(.less(1)), passes: ["", []], fails: ["a", nil]),
        Case(test: .size(.lessOrEqual(1)), passes: ["a"], fails: ["ab"]),
        Case(test: .size(.greater(1)), passes: ["ab"], fails: ["a"]),
        Case(test: .size(.greaterOrEqual(1)), passes: ["a"], fails: [""]),
    ]

    @Test(arguments: cases) func `a test passes what it should and nothing else`(given: Case) {
        for value in given.passes { #expect(given.test.passes(value), "\(value) passes") }
        for value in given.fails { #expect(!given.test.passes(value), "\(value) fails") }
        let filter = Filter.test(Filter.FieldPath(slot: 1), given.test)
        for value in given.passes {
            let record = Record(model: 0, values: ["other", value])
            #expect(filter.matches(record))
            #expect(!Filter.not(filter).matches(record))
        }
    }

    private static func isA(_ slot: Int, _ relations: [Int] = []) -> Filter {
        .test(Filter.FieldPath(relations: relations, slot: slot), .equal("a"))
    }

    @Test func `lists of filters follow Boolean algebra, empty ones too`() {
        let record = Record(model: 0, values: ["a", "b"])
        let yes = Self.isA(0)
        let no = Self.isA(1)
        #expect(Filter.all.matches(record))
        #expect(Filter.and([]).matches(record))
        #expect(!Filter.or([]).matches(record))
        #expect(Filter.and([yes, .not(no)]).matches(record))
        #expect(!Filter.and([yes, no]).matches(record))
        #expect(Filter.or([no, yes]).matches(record))
        #expect(!Filter.or([no, no]).matches(record))
        #expect(!Filter.not(.all).matches(record))
    }

    @Test func `fields behind relations are those of the record there, or null`() {
        let parent = Record(model: 1, values: ["a"])
        let path = RelationPath(model: 0, steps: [2, 0])
        let change = Change(
            offset: 1, kind: .create, record: Record(model: 0, values: ["b"]),
            related: [
                Change.Related(path: path, record: parent),
                Change.Related(path: RelationPath(model: 0, steps: [1]), record: nil),
            ])
        #expect(Self.isA(0, [2, 0]).matches(change))
        #expect(!Self.isA(0).matches(change))
        for steps in [[1], [2], [0]] {
            #expect(!Self.isA(0, steps).matches(change))
            let isNull = Filter.test(
                Filter.FieldPath(relations: steps, slot: 0), .exists(false))
            #expect(isNull.matches(change))
        }
        #expect(!Self.isA(0, [2, 0]).matches(change.record), "unknown without the change")
    }

    @Test func `a filter names the paths it looks along, each once`() {
        let filter = Filter.and([
            Self.isA(0), Self.isA(0, [1]), .not(.or([Self.isA(1, [1]), Self.isA(0, [1, 2])])),
        ])
        #expect(filter.relationPaths == [[1], [1, 2]])
        #expect(Filter.all.relationPaths == [])
    }

    @Test func `simplifying opens needless levels`() {
        let one = Self.isA(0)
        let other = Self.isA(1)
        #expect(Filter.and([.all, .and([one, .or([other])])]).simplified == .and([one, other]))
        #expect(Filter.or([one, .or([.and([other])])]).simplified == .or([one, other]))
        #expect(Filter.not(.not(one)).simplified == one)
        #expect(Filter.and([]).simplified == .all)
        #expect(Filter.and([one, .or([])]).simplified == .or([]))
        #expect(Filter.or([one, .all]).simplified == .all)
    }

    @Test func `simplifying a deep filter takes as many steps as it has parts`() {
        var filter = Self.isA(0)
        for _ in 0..<500 { filter = .not(.and([filter, Self.isA(1)])) }
        #expect(filter.simplified == filter)
    }

    @Test func `a simplified filter passes the same records`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let filter = Self.filter(&random, depth: 4)
            for values in [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]] as [[JSONValue]] {
                let record = Record(model: 0, values: values)
                #expect(filter.matches(record) == filter.simplified.matches(record), "\(filter)")
            }
        }
    }

    private static func filter(_ random: inout SeededRandom, depth: Int) -> Filter {
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0..<(depth == 0 ? 3 : 6), using: &random) {
        case 0: return .all
        case 1, 2: return isA(Int.random(in: 0...1, using: &random))
        case 3: return .not(filter(&random, depth: depth - 1))
        case 4: return .and((0..<count).map { _ in filter(&random, depth: depth - 1) })
        default: return .or((0..<count).map { _ in filter(&random, depth: depth - 1) })
        }
    }
}
