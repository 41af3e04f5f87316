import Bytes
import JSON
import Testing

@Suite struct JSONValueTests {
    /// A random value of at most `depth` levels.
    private func value(_ depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return nil
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int64(bitPattern: random.next()))
        case 3: return .double(Double.random(in: -1e9...1e9, using: &random))
        case 4: return .string(random.nextUUID())
        case 5: return .int(Int64.random(in: -9...9, using: &random))
        case 6:
            let count = Int.random(in: 0..<5, using: &random)
            return .array((0..<count).map { _ in value(depth - 1, &random) })
        default:
            let count = Int.random(in: 0..<5, using: &random)
            return .object(
                JSONObject((0..<count).map { (Text("m\($0)\n"), value(depth - 1, &random)) }))
        }
    }

    @Test func `any value is written and read back equal`() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<500 {
            let value = value(5, &random)
            let back = try JSONValue(parsing: value.jsonText)
            #expect(back == value)
            #expect(back.hashValue == value.hashValue)
            #expect(back.jsonBytes == value.jsonBytes)
        }
    }

    @Test func `values are written compactly, members in their order`() throws {
        let value: JSONValue = ["b": [1, 2.5, nil, true], "a": ["c": "d\n"], "e": [], "f": [:]]
        #expect(
            value.jsonText == #"{"b":[1,2.5,null,true],"a":{"c":"d\n"},"e":[],"f":{}}"#)
    }

    @Test func `each question answers for its own kind only`() {
        let values: [JSONValue] = [nil, true, 1, 1.5, "a", [1], ["a": 1]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
        #expect(values.map(\.boolean) == [nil, true, nil, nil, nil, nil, nil])
        #expect(values.map(\.integer) == [nil, nil, 1, nil, nil, nil, nil])
        #expect(values.map(\.number) == [nil, nil, 1, 1.5, nil, nil, nil])
        #expect(values.map(\.text) == [nil, nil, nil, nil, "a", nil, nil])
        #expect(values.map { $0.items?.count } == [nil, nil, nil, nil, nil, 1, nil])
        #expect(values.map { $0["a"] } == [nil, nil, nil, nil, nil, nil, 1])
        #expect(Set(values.map(\.kindName)).count == 6)
    }

    @Test func `equality and hash do not ask for the order of members`() {
        let one: JSONObject = ["a": 1, "b": ["c": 2, "d": 3], "e": nil]
        let other: JSONObject = ["e": nil, "b": ["d": 3, "c": 2], "a": 1]
        #expect(one == other && one.hashValue == other.hashValue)
        for different: JSONObject in [
            ["a": 1], ["a": 1, "b": 2, "e": nil], ["a": 1, "b": ["c": 2, "d": 3], "f": nil],
            ["a": 1, "b": ["c": 2, "d": 3], "e": nil, "g": 1],
        ] {
            #expect(one != different && different != one)
        }
    }

    @Test func `equality holds both ways when a name stands twice`() {
        let twice = JSONObject([("a", 2), ("a", 2)])
        let other = JSONObject([("a", 2), ("b", 1)])
        #expect(twice != other)
        #expect(other != twice)
        let turned = JSONObject([("b", 1), ("a", 1), ("a", 2)])
        #expect(JSONObject([("a", 1), ("a", 2), ("b", 1)]) == turned)
        #expect(JSONObject([("a", 2), ("a", 1), ("b", 1)]) != turned)
        #expect(
            JSONObject([("a", 1), ("a", 1), ("b", 1)])
                != JSONObject([("a", 1), ("b", 1), ("b", 1)]))
    }

    @Test func `members are read, replaced, appended and removed by name`() {
        var object: JSONObject = ["a": 1]
        object["b"] = 2
        object["a"] = 3
        #expect(object.members.map(\.name) == ["a", "b"] && object["a"] == 3)
        object.append("a", 4)
        #expect(object["a"] == 4 && object.count == 3)
        object["a"] = nil
        #expect(object == ["b": 2] && object["a"] == nil)
        object["b"] = JSONValue.null
        #expect(object["b"] == JSONValue.null && !object.isEmpty)
        #expect(JSONObject().isEmpty)
    }

    @Test func `names that differ in composition are two names`() throws {
        let value = try JSONValue(parsing: "{\"caf\u{e9}\":1,\"cafe\u{301}\":2}")
        #expect(value["caf\u{e9}"] == 1 && value["cafe\u{301}"] == 2)
    }
}
