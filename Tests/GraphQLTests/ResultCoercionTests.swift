import Bytes
import GraphQL
import JSON
import Testing

/// How leaves are written (GraphQL 3.5, "Result Coercion").
struct ResultCoercionTests {
    /// A field of `Odd`, what it is given, and what is written; nil for an error.
    static let cases: [(field: String, value: JSONValue, text: String?)] = [
        ("int", 5, "5"), ("int", 2_147_483_647, "2147483647"), ("int", 2_147_483_648, nil),
        ("int", -2_147_483_648, "-2147483648"), ("int", -2_147_483_649, nil),
        ("int", 3.0, "3"), ("int", 3.5, nil), ("int", "3", nil), ("int", [1], nil),
        ("float", 1, "1"), ("float", 1.5, "1.5"), ("float", "1.5", nil),
        ("string", "a\"b", #""a\"b""#), ("string", 5, #""5""#), ("string", true, #""true""#),
        ("string", 1.5, #""1.5""#), ("string", ["a"], nil), ("string", ["a": 1], nil),
        ("boolean", true, "true"), ("boolean", 0, "false"), ("boolean", "true", nil),
        ("id", "x", #""x""#), ("id", 12345, #""12345""#), ("id", 1.5, nil), ("id", true, nil),
        ("color", "RED", #""RED""#), ("color", "PINK", nil), ("color", 1, nil),
        ("time", 1_700_000_000_000, "1700000000000"), ("time", "x", nil),
        ("ints", [1, 2], "[1,2]"), ("ints", [1, nil], nil), ("ints", 1, nil), ("ints", [], "[]"),
        ("grid", [[1], nil, [2, 3]], "[[1],null,[2,3]]"), ("grid", [[1, nil], [2]], "[null,[2]]"),
        ("any", ["a": [1, nil, "x"]], #"{"a":[1,null,"x"]}"#),
        ("int", nil, "null"), ("color", nil, "null"),
    ]

    @Test(arguments: cases.indices)
    func `a leaf is written as its type demands`(_ index: Int) throws {
        let (field, value, text) = Self.cases[index]
        var chat = try Chat()
        let names = [
            "int", "float", "string", "boolean", "id", "color", "time", "ints", "grid", "any",
        ]
        var slots = [JSONValue](repeating: .null, count: names.count)
        slots[names.firstIndex(of: field) ?? 0] = value
        let odd = chat.type("Odd")
        chat.given["Query.odd"] = { _ in .record(type: odd, slots: slots) }
        let response = chat.run(Text("{ odd { \(field) } }"))
        let data = "{\"data\":{\"odd\":{\"\(field)\":\(text ?? "null")}}"
        let hasErrors = text == nil || text == "[null,[2]]"
        #expect(response.hasPrefix(data + (hasErrors ? ",\"errors\":[{" : "}")))
        if hasErrors { #expect(response.contains(#""path":["odd","\#(field)""#)) }
    }
}
