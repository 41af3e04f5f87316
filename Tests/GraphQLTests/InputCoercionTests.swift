import Bytes
import GraphQL
import JSON
import Testing

/// How variables and literals are read (GraphQL 3, "Input Coercion"; 6.1.2; 6.4.1).
struct InputCoercionTests {
    /// A variable's type and value, and the coerced value; nil for an error.
    static let variables: [(type: String, value: JSONValue, result: JSONValue?)] = [
        ("Int", 5, 5), ("Int", 3.0, 3), ("Int", 1.5, nil), ("Int", "1", nil), ("Int", true, nil),
        ("Int", 2_147_483_648, nil), ("Int", -2_147_483_649, nil), ("Int", [1], nil),
        ("Int", ["a": 1], nil), ("Int", nil, nil as JSONValue? ?? .null),
        ("Float", 1, 1.0), ("Float", 1.5, 1.5), ("Float", "1", nil), ("Float", false, nil),
        ("String", "x", "x"), ("String", 1, nil), ("String", true, nil),
        ("Boolean", true, true), ("Boolean", 1, nil), ("Boolean", "true", nil),
        ("ID", "x", "x"), ("ID", 12345, "12345"), ("ID", 1.5, nil), ("ID", true, nil),
        ("ID", nil, .null), ("ID!", nil, nil),
        ("Color", "RED", "RED"), ("Color", "PINK", nil), ("Color", 1, nil),
        ("[Int]", 1, [1]), ("[Int]", [1, nil], [1, nil]), ("[Int!]", [1, nil], nil),
        ("[Int]", nil, .null), ("[Int]", ["a"], nil),
        ("[[Int]]", 1, [[1]]), ("[[Int]]", [1, 2, 3], [[1], [2], [3]]),
        ("[[Int]]", [1, nil, 3], [[1], nil, [3]]), ("[[Int]]", [[1], [2, 3]], [[1], [2, 3]]),
        ("[[Int]]", nil, .null),
        ("Echo", ["a": 1], ["a": 1, "b": "b"]), ("Echo", ["a": 1, "b": nil], ["a": 1, "b": nil]),
        ("Echo", ["b": "x"], nil), ("Echo", ["a": nil], nil), ("Echo", ["a": 1, "zz": 1], nil),
        ("Echo", ["a": 1, "d": 2], ["a": 1, "b": "b", "d": [2.0]]),
        ("Echo", ["a": 1, "e": ["a": 2]], ["a": 1, "b": "b", "e": ["a": 2, "b": "b"]]),
        ("Echo", ["a": 1, "id": 5], ["a": 1, "b": "b", "id": "5"]),
        ("Echo", 5, nil), ("Echo", [["a": 1]], nil),
        ("One", ["a": 1], ["a": 1]), ("One", ["a": nil], nil), ("One", [:], nil),
        ("One", ["a": 1, "b": "x"], nil),
        ("Any", ["x": [1, nil]], ["x": [1, nil]]), ("Timestamp", 5, 5), ("Timestamp", -1, nil),
    ]

    @Test(arguments: variables.indices)
    func `a variable is coerced to its type`(_ index: Int) throws {
        let (type, value, result) = Self.variables[index]
        let chat = try Chat()
        // The variable's use does not matter here; `Any` takes all of them.
        let operation = try chat.prepare(Text("query Q($v: \(type)) { echo(any: { v: $v }) }"))
            .get()
        switch operation.coerce(variables: ["v": value]) {
        case .success(let variables): #expect(variables["v"] == result)
        case .failure(let failure):
            #expect(result == nil)
            #expect(failure.stage == .variables)
            #expect(failure.errors[0].locations == [GraphQL.SourceLocation(line: 1, column: 9)])
        }
    }

    /// Arguments of `echo` and what the data source gets; nil for an error.
    static let literals: [(arguments: String, result: String?)] = [
        ("", #"{"color":"RED","need":3}"#),
        ("(need: 1)", #"{"color":"RED","need":1}"#),
        ("(color: null)", #"{"color":null,"need":3}"#),
        ("(color: BLUE)", #"{"color":"BLUE","need":3}"#),
        (#"(color: "BLUE")"#, nil), ("(color: PINK)", nil), ("(need: null)", nil),
        ("(need: 1.0)", nil), (#"(need: "1")"#, nil), ("(need: 2147483648)", nil),
        ("(need: 99999999999999999999)", nil),
        ("(input: {a: 1, d: 2})", #"{"input":{"a":1,"b":"b","d":[2.0]},"color":"RED","need":3}"#),
        ("(input: {a: 1, b: null})", #"{"input":{"a":1,"b":null},"color":"RED","need":3}"#),
        (
            "(input: {a: 1, id: 12345678901234567890123})",
            #"{"input":{"a":1,"b":"b","id":"12345678901234567890123"},"color":"RED","need":3}"#
        ),
        ("(input: {a: 1, id: 1.5})", nil), ("(input: {a: 1, f: 1})", nil),
        ("(input: {})", nil), ("(input: {a: 1, x: 1})", nil), ("(input: 5)", nil),
        ("(list: 1)", #"{"list":[[1]],"color":"RED","need":3}"#),
        ("(list: [1, null, [3]])", #"{"list":[[1],null,[3]],"color":"RED","need":3}"#),
        (#"(list: "x")"#, nil),
        (#"(one: {a: 1})"#, #"{"one":{"a":1},"color":"RED","need":3}"#),
        (#"(one: {a: 1, b: "x"})"#, nil), ("(one: {a: null})", nil), ("(one: {})", nil),
        (
            "(any: {a: [1, 2.5, RED, true, null], b: \"x\"})",
            #"{"any":{"a":[1,2.5,"RED",true,null],"b":"x"},"color":"RED","need":3}"#
        ),
    ]

    @Test(arguments: literals.indices)
    func `a literal is coerced to its type`(_ index: Int) throws {
        let (arguments, result) = Self.literals[index]
        var chat = try Chat()
        let response = chat.run(Text("{ echo\(arguments) }"))
        if let result {
            #expect(response == "{\"data\":{\"echo\":\(JSONValue.string(Text(result)).jsonText)}}")
        } else {
            #expect(
                response.hasPrefix(#"{"data":{"echo":null},"errors"#)
                    || response.hasPrefix("validation:"))
        }
    }

    @Test func `a variable without value leaves its argument out, null does not`() throws {
        var chat = try Chat()
        let document: Text =
            "query Q($c: Color, $a: Int) { echo(color: $c, input: {a: 1, d: [1], id: 2}, any: [$a]) }"
        func echo(_ text: String) -> String {
            "{\"data\":{\"echo\":\(JSONValue.string(Text(text)).jsonText)}}"
        }
        let input = #""input":{"a":1,"b":"b","d":[1.0],"id":"2"},"any":[null]"#
        #expect(chat.run(document) == echo("{\(input),\"color\":\"RED\",\"need\":3}"))
        #expect(chat.run(document, ["c": nil]) == echo("{\(input),\"color\":null,\"need\":3}"))
        #expect(
            chat.run(document, ["c": "BLUE"]) == echo("{\(input),\"color\":\"BLUE\",\"need\":3}"))
    }

    @Test func `a default fills in for an absent variable but not for null`() throws {
        let chat = try Chat()
        let operation = try chat.prepare("query Q($n: Int = 1) { messages(limit: $n) { id } }")
            .get()
        #expect(try operation.coerce(variables: [:]).get()["n"] == 1)
        #expect(try operation.coerce(variables: ["n": 2]).get()["n"] == 2)
        #expect(try operation.coerce(variables: ["n": nil]).get()["n"] == .some(.null))
    }

    @Test func `an error of a variable says where in the value`() throws {
        let chat = try Chat()
        let operation = try chat.prepare("query Q($e: Echo!) { echo(input: $e) }").get()
        guard
            case .failure(let failure) = operation.coerce(
                variables: ["e": ["a": 1, "d": [1, "secret"]]])
        else {
            Issue.record("the variable was taken")
            return
        }
        #expect(
            failure.errors[0].message
                == "Variable \"$e\" got an invalid value at \"e.d[1]\": Float cannot represent a string"
        )
        guard case .failure(let missing) = operation.coerce(variables: [:]) else { return }
        #expect(
            missing.errors[0].message
                == "Variable \"$e\" of required type \"Echo!\" was not provided.")
    }

    @Test func `equal variables are equal whatever was written`() throws {
        let chat = try Chat()
        let operation = try chat.prepare(
            "query Q($n: Int = 1, $e: Echo) { messages(limit: $n) { id } echo(input: $e) }"
        ).get()
        let one = try operation.coerce(variables: ["n": 1, "e": ["a": 1]]).get()
        let other = try operation.coerce(variables: ["e": ["b": "b", "a": 1.0], "x": 5]).get()
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one.object == ["n": 1, "e": ["a": 1, "b": "b"]])
    }
}
