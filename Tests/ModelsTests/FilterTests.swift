import Bytes
import JSON
import Records
import Testing

@testable import Models

@Suite struct FilterTests {
    let layout: DataLayout
    let message: ModelID
    let reply: ModelID

    init() throws {
        layout = try Example.isolationNation.models().layout
        message = try #require(layout.modelID(named: "Message"))
        reply = try #require(layout.modelID(named: "Reply"))
    }

    func slot(_ name: Text, of model: ModelID) throws -> Int {
        try #require(layout.models[model].slot(of: name))
    }

    func relation(_ name: Text, of model: ModelID) throws -> Int {
        try #require(layout.models[model].relations.firstIndex { $0.name == name })
    }

    func query(_ filter: JSONValue) throws -> Filter {
        var compiler = FilterCompiler(layout: layout, form: .query, argument: "filter")
        return try compiler.compile(filter, model: message)
    }

    func subscription(
        _ filter: JSONValue, of model: ModelID? = nil, areOred: Bool = true
    ) throws -> Filter {
        let form = FilterForm(operatorsAreOred: areOred, relationStepsMax: 5)
        var compiler = FilterCompiler(layout: layout, form: form, argument: "filter")
        return try compiler.compile(filter, model: model ?? reply)
    }

    @Test func `every operator has its test`() throws {
        let path = Filter.FieldPath(slot: try slot("body", of: message))
        let table: [(JSONValue, Filter.Test)] = [
            (["eq": "a"], .equal("a")), (["eq": nil], .equal(nil)), (["ne": "a"], .notEqual("a")),
            (["ne": nil], .notEqual(nil)), (["lt": "a"], .less("a")),
            (["le": "a"], .lessOrEqual("a")), (["gt": "a"], .greater("a")),
            (["ge": "a"], .greaterOrEqual("a")), (["between": ["a", "b"]], .between("a", "b")),
            (["beginsWith": "a"], .beginsWith("a")), (["contains": "a"], .contains("a")),
            (["notContains": "a"], .notContains("a")), (["in": ["a"]], .isIn(["a"])),
            (["notIn": ["a"]], .isNotIn(["a"])), (["containsAny": ["a"]], .containsAny(["a"])),
            (["attributeExists": true], .exists(true)),
            (["attributeType": "_null"], .hasType(.null)),
            (["attributeType": "string"], .hasType(.string)),
            (["size": ["gt": 3]], .size(.greater(3))),
            (["size": ["between": [1, 2]]], .size(.between(1, 2))),
        ]
        for (operators, test) in table {
            #expect(try query(["body": operators]) == .test(path, test))
        }
    }

    @Test func `keys and operators of a query's filter are joined with AND`() throws {
        let body = Filter.FieldPath(slot: try slot("body", of: message))
        let id = Filter.FieldPath(slot: try slot("id", of: message))
        let filter = try query(["body": ["gt": "a", "lt": "c"], "id": ["eq": "1"]])
        #expect(
            filter
                == .and([
                    .test(body, .greater("a")), .test(body, .less("c")), .test(id, .equal("1")),
                ]))
    }

    @Test func `connectives nest`() throws {
        let id = Filter.FieldPath(slot: try slot("id", of: message))
        let one = Filter.test(id, .equal("1"))
        let two = Filter.test(id, .equal("2"))
        let filter = try query([
            "or": [
                ["id": ["eq": "1"]], ["and": [["id": ["eq": "2"]], ["not": ["id": ["eq": "1"]]]]],
            ]
        ])
        #expect(filter == .or([one, .and([two, .not(one)])]))
    }

    @Test(
        arguments: [
            nil, [:], ["body": [:]], ["body": nil], ["and": []], ["and": [[:], nil]], ["or": [[:]]],
            ["not": nil],
        ] as [JSONValue])
    func `an empty filter is no filter`(filter: JSONValue) throws {
        #expect(try query(filter) == .all)
        #expect(try subscription(filter) == .all)
    }

    @Test func `an OR of nothing matches nothing`() throws {
        #expect(try query(["or": []]) == .or([]))
    }

    @Test func `foreign keys can be tested`() throws {
        let key = Filter.FieldPath(slot: try slot("messageThreadId", of: message))
        #expect(try query(["messageThreadId": ["eq": "t"]]) == .test(key, .equal("t")))
    }

    @Test func `several operators on one field of a subscription's filter are joined with OR`()
        throws
    {
        let body = Filter.FieldPath(slot: try slot("body", of: reply))
        let id = Filter.FieldPath(slot: try slot("id", of: reply))
        let filter: JSONValue = ["body": ["le": "b", "ge": "y"], "id": ["ne": "1"]]
        let tests = [Filter.test(body, .lessOrEqual("b")), .test(body, .greaterOrEqual("y"))]
        let other = Filter.test(id, .notEqual("1"))
        #expect(try subscription(filter) == .and([.or(tests), other]))
        #expect(try subscription(filter, areOred: false) == .and(tests + [other]))
    }

    @Test func `a subscription's filter leads through relations`() throws {
        let name = try slot("name", of: try #require(layout.modelID(named: "Thread")))
        let path = Filter.FieldPath(
            relations: [try relation("message", of: reply), try relation("thread", of: message)],
            slot: name)
        let filter = try subscription(["message": ["thread": ["name": ["eq": "x"]]]])
        #expect(filter == .test(path, .equal("x")))
    }

    @Test func `a test of the last record's key needs one record less`() throws {
        let threadKey = try slot("messageThreadId", of: message)
        let byThread = try subscription(["message": ["thread": ["id": ["eq": "t1"]]]])
        #expect(
            byThread
                == .test(
                    .init(relations: [try relation("message", of: reply)], slot: threadKey),
                    .equal("t1")))
        let messageFilter = try subscription(["thread": ["id": ["eq": "t1"]]], of: message)
        #expect(messageFilter == .test(.init(slot: threadKey), .equal("t1")))
        let messageKey = try slot("replyMessageId", of: reply)
        let byMessage = try subscription(["message": ["id": ["eq": "m1"]]])
        #expect(byMessage == .test(.init(slot: messageKey), .equal("m1")))
    }

    @Test func `connectives work behind relations`() throws {
        let key = try slot("messageThreadId", of: message)
        let path = Filter.FieldPath(relations: [try relation("message", of: reply)], slot: key)
        let filter = try subscription([
            "message": ["or": [["thread": ["id": ["eq": "a"]]], ["messageThreadId": ["eq": "b"]]]]
        ])
        #expect(filter == .or([.test(path, .equal("a")), .test(path, .equal("b"))]))
    }

    @Test(
        arguments: [
            (["body": ["between": ["a"]]], "filter.body.between wants two values, not 1"),
            (
                ["body": ["between": ["a", nil]]],
                "filter.body.between wants two values, and neither can be null"
            ),
            (["body": ["between": nil]], "filter.body.between cannot be null; only eq and ne can"),
            (
                ["and": [["body": ["lt": nil]]]],
                "filter.and.body.lt cannot be null; only eq and ne can"
            ),
            (["body": ["size": ["between": [1]]]], "filter.body.size.between wants two numbers"),
            (["body": ["size": ["eq": nil]]], "filter.body.size.eq wants a whole number, not null"),
            (["body": ["like": "a"]], "filter.body.like is no operator of a filter"),
            (["nobody": ["eq": "a"]], "filter.nobody is no field of Message"),
            (["thread": ["id": ["eq": "a"]]], "filter.thread leads over more than 0 relations"),
        ] as [(JSONValue, String)])
    func `a filter without meaning is refused with its place`(filter: JSONValue, message: String) {
        #expect(throws: ArgumentFault(message)) { try query(filter) }
    }

    @Test func `the number of relations is limited`() throws {
        let form = FilterForm(operatorsAreOred: true, relationStepsMax: 1)
        var compiler = FilterCompiler(layout: layout, form: form, argument: "filter")
        #expect(throws: ArgumentFault("filter.message.thread leads over more than 1 relations")) {
            try compiler.compile(["message": ["thread": ["name": ["eq": "x"]]]], model: reply)
        }
    }
}
