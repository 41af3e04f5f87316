import Bytes
import JSON
import Records
import Testing

@testable import Models

@Suite struct SortConditionTests {
    let single = SortConditionCompiler(argument: "at", fields: [(name: "at", slot: 3)])
    let composite = SortConditionCompiler(
        argument: "statusAt", fields: [(name: "status", slot: 1), (name: "at", slot: 2)])

    @Test func `each operator on one field is the index's condition`() throws {
        let table: [(JSONValue, Filter.Test)] = [
            (["eq": 1], .equal(1)), (["lt": 1], .less(1)), (["le": 1], .lessOrEqual(1)),
            (["gt": 1], .greater(1)), (["ge": 1], .greaterOrEqual(1)),
            (["between": [1, 2]], .between(1, 2)), (["beginsWith": "a"], .beginsWith("a")),
        ]
        for (value, test) in table {
            let condition = try single.compile(value)
            #expect(condition == .init(sort: .init(test: test), filter: .all))
        }
        for value in [nil, [:]] as [JSONValue] {
            #expect(try single.compile(value) == .init(sort: nil, filter: .all))
        }
        #expect(try single.compile(nil) == .init(sort: nil, filter: .all))
    }

    @Test func `a composite condition that is a range of the index is given to it`() throws {
        let whole = try composite.compile(["eq": ["status": "a", "at": 1]])
        #expect(whole == .init(sort: .init(equal: ["a"], test: .equal(1))))
        let begin = try composite.compile(["beginsWith": ["status": "a"]])
        #expect(begin == .init(sort: .init(equal: [], test: .beginsWith("a"))))
        let exact = try composite.compile(["beginsWith": ["status": "a", "at": 1]])
        #expect(exact == .init(sort: .init(equal: ["a"], test: .equal(1))))
    }

    @Test func `composite comparisons are in the order of the fields`() throws {
        let values: [(JSONValue, JSONValue)] = [
            ("a", 1), ("a", 2), ("a", 3), ("b", 1), ("b", 2), ("c", 0),
        ]
        func found(_ condition: JSONValue) throws -> [Int] {
            let compiled = try composite.compile(condition)
            return values.indices.filter { index in
                let record = Record(model: 0, values: ["id", values[index].0, values[index].1])
                return compiled.filter.matches(record)
            }
        }
        let place: JSONValue = ["status": "b", "at": 1]
        #expect(try found(["lt": place]) == [0, 1, 2])
        #expect(try found(["le": place]) == [0, 1, 2, 3])
        #expect(try found(["gt": place]) == [4, 5])
        #expect(try found(["ge": place]) == [3, 4, 5])
        #expect(try found(["between": [["status": "a", "at": 2], place]]) == [1, 2, 3])
        #expect(try found(["lt": ["status": "b"]]) == [0, 1, 2])
    }

    @Test(
        arguments: [
            (["eq": ["status": "a"]], "statusAt.eq wants all of status, at"),
            (["lt": ["at": 1]], "statusAt.lt.at needs status before it"),
            (["lt": [:]], "statusAt.lt wants the first of status, at"),
            (["between": [["status": "a"]]], "statusAt.between wants two values"),
            (["gt": nil], "statusAt.gt cannot be null"),
            (["ne": ["status": "a"]], "statusAt.ne is no operator of a key condition"),
        ] as [(JSONValue, String)])
    func `a condition without meaning is refused`(condition: JSONValue, message: String) {
        #expect(throws: ArgumentFault(message)) { try composite.compile(condition) }
    }
}
