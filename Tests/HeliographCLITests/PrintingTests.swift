import Bytes
import JSON
import Testing

@testable import HeliographCLI

struct PrintingTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "-12,345"),
    ])
    func `thousands are set apart`(value: Int, text: String) {
        #expect(Figure.count(value) == text)
    }

    @Test(
        arguments: [
            (0, "0.00 ms"), (1_234, "0.00 ms"), (642_000, "0.64 ms"), (9_059_000, "9.06 ms"),
            (12_340_000, "12.3 ms"), (640_000_000, "640 ms"), (1_240_000_000, "1.24 s"),
        ] as [(Int64, String)])
    func `times have the unit that fits`(nanoseconds: Int64, text: String) {
        #expect(Figure.time(nanoseconds) == text)
    }

    @Test func `the plural is for all but one`() {
        #expect(Figure.count(1, "topic") == "1 topic")
        #expect(Figure.count(0, "topic") == "0 topics")
    }

    @Test func `pretty JSON has a member a line`() throws {
        let value = try JSONValue(parsing: #"{"a":[1,{"b":"x\n"},[]],"c":{},"d":null}"#)
        #expect(
            value.prettyText == """
                {
                  "a": [
                    1,
                    {
                      "b": "x\\n"
                    },
                    []
                  ],
                  "c": {},
                  "d": null
                }
                """)
        #expect(try JSONValue(parsing: value.prettyText) == value)
    }

    @Test func `an error is shown with its path and its place in the document`() throws {
        let errors = try JSONValue(
            parsing: """
                [{"message": "no such field", "path": ["list", 0, "name"], "errorType": "Odd",
                  "locations": [{"line": 2, "column": 4}]}]
                """)
        let lines = ErrorReport.lines(errors.items ?? [], document: "{\n \t list { nam }\n}")
        #expect(
            lines == ["error: no such field [Odd] (at list.0.name)\n   \t list { nam }\n   \t ^"])
    }

    @Test(arguments: [
        "{}", #"{"message":"m"}"#, #"{"message":"m","locations":[{"line":9,"column":1}]}"#,
        #"{"message":"m","locations":[{"line":1,"column":0}]}"#, #"{"message":"m","path":[]}"#,
    ])
    func `an error that says little is shown as it is`(text: String) throws {
        let line = ErrorReport.lines([try JSONValue(parsing: text)], document: "{ a }")[0]
        #expect(line == (text == "{}" ? "error: no message came with it" : "error: m"))
    }
}
