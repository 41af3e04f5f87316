import Bytes
import JSON
import Records
import Store
import Testing

@Suite struct SQLFilterTests {
    private static let model = ModelLayout(
        name: "M",
        fields: [
            FieldLayout(name: "id", kind: .text), FieldLayout(name: "n", kind: .integer),
            FieldLayout(name: "d", kind: .double), FieldLayout(name: "j", kind: .json),
            FieldLayout(name: "l", kind: .text, isList: true),
        ], key: [0])

    struct Case: Sendable {
        var filter: Filter
        var text: String?
        var values: [JSONValue] = []
    }

    private static func test(_ slot: Int, _ test: Filter.Test) -> Filter {
        .test(Filter.FieldPath(slot: slot), test)
    }

    private static let a = test(0, .equal("a"))
    private static let unknown = test(0, .contains("a"))

    static let cases: [Case] = [
        Case(filter: .all, text: nil),
        Case(filter: a, text: #"+"id" = ?"#, values: ["a"]),
        Case(filter: test(0, .equal(nil)), text: #"+"id" IS NULL"#),
        Case(filter: test(3, .exists(true)), text: #"+"j" IS NOT NULL"#),
        Case(filter: test(1, .equal("1")), text: nil),
        Case(filter: test(1, .less(1.5)), text: #"+"n" < ?"#, values: [1.5]),
        Case(filter: test(1, .less(1e16)), text: nil),
        Case(filter: test(2, .greaterOrEqual(2)), text: #"+"d" >= ?"#, values: [2.0]),
        Case(filter: test(2, .equal(9_007_199_254_740_993)), text: nil),
        Case(
            filter: test(1, .between(1, 2)), text: #"(+"n" >= ? AND +"n" <= ?)"#, values: [1, 2]),
        Case(filter: test(0, .isIn(["a", "b"])), text: #"+"id" IN (?,?)"#, values: ["a", "b"]),
        Case(filter: test(0, .isIn(["a", nil])), text: nil),
        Case(filter: test(3, .equal("a")), text: nil),
        Case(filter: test(4, .equal("a")), text: nil),
        Case(filter: .test(Filter.FieldPath(relations: [0], slot: 0), .equal("a")), text: nil),
        Case(filter: .and([a, unknown]), text: #"(+"id" = ?)"#, values: ["a"]),
        Case(filter: .or([a, unknown]), text: nil),
        Case(filter: .or([a, a]), text: #"(+"id" = ? OR +"id" = ?)"#, values: ["a", "a"]),
        Case(filter: .or([]), text: "0"),
        Case(filter: .not(a), text: #"(+"id" = ? IS NOT TRUE)"#, values: ["a"]),
        Case(filter: .not(unknown), text: nil),
        Case(filter: .not(.and([a, unknown])), text: nil),
    ]

    @Test(arguments: cases) func `a filter becomes what SQLite decides alike, or nothing`(
        given: Case
    ) {
        let translated = SQLFilter(given.filter, model: Self.model)
        #expect(translated?.text == given.text)
        #expect(translated?.values ?? [] == given.values)
    }

    @Test func `filters over the limits are left to the store`() {
        let many = Array(repeating: Self.a, count: 501)
        #expect(SQLFilter(.and(many), model: Self.model) == nil)
        #expect(SQLFilter(.and(Array(many.prefix(400))), model: Self.model) != nil)
        let wide = Array(repeating: Self.test(0, .exists(true)), count: 2000)
        #expect(SQLFilter(.or(wide), model: Self.model) == nil)
        var deep = Self.a
        for _ in 0..<25 { deep = .and([deep, Self.test(0, .exists(true))]) }
        #expect(SQLFilter(deep, model: Self.model)?.values == [])
    }

    @Test func `names are quoted`() {
        #expect(SQLName.quoted("a\"b; --") == "\"a\"\"b; --\"")
    }
}
