import Testing

struct ValuesOfCorrectTypeRuleTests {
    @Test(arguments: [
        """
        { arguments {
          a: int(n: 1)
          b: int(n: -2147483648)
          c: int(n: 2147483647)
          d: int(n: 0)
          e: int(n: null)
        } }
        """,
        """
        { arguments {
          a: float(n: 1)
          b: float(n: 1.5)
          c: float(n: -1e3)
          d: float(n: 99999999999999999999)
          e: float(n: null)
        } }
        """,
        """
        { arguments {
          a: text(s: "")
          c: text(s: null)
        } }
        """,
        """
        { arguments {
          a: flag(b: true)
          b: flag(b: false)
        } }
        """,
        """
        { arguments {
          a: id(id: 1)
          b: id(id: "x")
          c: id(id: 99999999999999999999999)
        } }
        """,
        """
        { arguments {
          a: colour(c: BLACK)
          b: colour(c: null)
        } }
        """,
        """
        { arguments {
          a: moment(m: 1)
          b: moment(m: FOO)
          c: moment(m: {a: [1, "x"]})
          d: moment(m: [1])
          e: moment(m: null)
        } }
        """,
        """
        { arguments {
          a: list(l: "x")
          b: list(l: ["x", null])
          c: list(l: null)
          d: list(l: [])
        } }
        """,
        """
        { arguments {
          a: matrix(m: 1)
          b: matrix(m: [1, 2])
          c: matrix(m: [[1], 2, null])
        } }
        """,
        """
        { arguments {
          a: nonNullList(l: "a")
          b: nonNullList(l: [null])
        } }
        """,
        """
        query ($x: String) {
         arguments {
          a: list(l: [$x])
        } }
        """,
        """
        query ($id: ID!) {
         arguments {
          a: pick(by: {byID: 1})
          b: pick(by: {byID: $id})
          c: pick(by: {byPoint: {x: 1, y: 2}})
          d: pick(by: null)
        } }
        """,
        """
        query ($a: Int = 1, $b: [Colour!]! = [BLACK], $c: Search = {required: true}) {
          arguments { int(n: $a) search(by: $c) }
          ...F
        }
        fragment F on Query { box { text } arguments { moment(m: [$b]) } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `an integer has 32 bits`() {
        expectErrors(
            """
            { arguments {
              a: int(n: "x")
              b: int(n: 1.5)
              c: int(n: 3.0)
              d: int(n: 2147483648)
              e: int(n: -2147483649)
              f: int(n: true)
              g: int(n: FOO)
              h: int(n: [1])
              i: int(n: {a: 1})
            } }
            """,
            """
            2:13 Int cannot represent non-integer value: a string
            3:13 Int cannot represent non-integer value: a float
            4:13 Int cannot represent non-integer value: a float
            5:13 Int cannot represent non 32-bit signed integer value
            6:13 Int cannot represent non 32-bit signed integer value
            7:13 Int cannot represent non-integer value: a boolean
            8:13 Int cannot represent non-integer value: an enum value
            9:13 Int cannot represent non-integer value: a list
            10:13 Int cannot represent non-integer value: an object
            """)
    }

    @Test func `a float is finite`() {
        expectErrors(
            """
            { arguments {
              a: float(n: "x")
              b: float(n: 1e400)
              c: float(n: true)
              d: float(n: FOO)
              e: float(n: [1.0])
            } }
            """,
            """
            2:15 Float cannot represent non numeric value: a string
            3:15 Float cannot represent non numeric value: a number out of range
            4:15 Float cannot represent non numeric value: a boolean
            5:15 Float cannot represent non numeric value: an enum value
            6:15 Float cannot represent non numeric value: a list
            """)
    }

    @Test func `a string is in quotes`() {
        expectErrors(
            """
            { arguments {
              a: text(s: 1)
              b: text(s: 1.5)
              c: text(s: true)
              d: text(s: FOO)
              e: text(s: ["x"])
            } }
            """,
            """
            2:14 String cannot represent a non string value: an integer
            3:14 String cannot represent a non string value: a float
            4:14 String cannot represent a non string value: a boolean
            5:14 String cannot represent a non string value: an enum value
            6:14 String cannot represent a non string value: a list
            """)
    }

    @Test func `a boolean is true or false`() {
        expectErrors(
            """
            { arguments {
              a: flag(b: 1)
              b: flag(b: 1.5)
              c: flag(b: "x")
              d: flag(b: TRUE)
            } }
            """,
            """
            2:14 Boolean cannot represent a non boolean value: an integer
            3:14 Boolean cannot represent a non boolean value: a float
            4:14 Boolean cannot represent a non boolean value: a string
            5:14 Boolean cannot represent a non boolean value: an enum value
            """)
    }

    @Test func `an id is a string or an integer`() {
        expectErrors(
            """
            { arguments {
              a: id(id: 1.5)
              b: id(id: true)
              c: id(id: FOO)
            } }
            """,
            """
            2:13 ID cannot represent a non-string and non-integer value: a float
            3:13 ID cannot represent a non-string and non-integer value: a boolean
            4:13 ID cannot represent a non-string and non-integer value: an enum value
            """)
    }

    @Test func `an enum value is a bare name that the enum has`() {
        expectErrors(
            """
            { arguments {
              a: colour(c: 1)
              b: colour(c: "BLACK")
              c: colour(c: "WITE")
              d: colour(c: true)
              e: colour(c: black)
              f: colour(c: PINK)
              g: colour(c: WITE)
              h: colour(c: {a: 1})
            } }
            """,
            """
            2:16 Enum "Colour" cannot represent non-enum value: an integer.
            3:16 Enum "Colour" cannot represent non-enum value: a string. Did you mean the enum \
            value "BLACK"?
            4:16 Enum "Colour" cannot represent non-enum value: a string. Did you mean the enum \
            value "WHITE"?
            5:16 Enum "Colour" cannot represent non-enum value: a boolean.
            6:16 Value "black" does not exist in "Colour" enum. Did you mean the enum value \
            "BLACK"?
            7:16 Value "PINK" does not exist in "Colour" enum.
            8:16 Value "WITE" does not exist in "Colour" enum. Did you mean the enum value \
            "WHITE"?
            9:16 Enum "Colour" cannot represent non-enum value: an object.
            """)
    }

    @Test func `null is no value of a non-null type`() {
        expectErrors(
            """
            { arguments {
              a: nonNullInt(n: null)
            } }
            """,
            """
            2:20 Expected value of type "Int!", found null.
            """)
    }

    @Test func `items of lists are judged one by one`() {
        expectErrors(
            """
            { arguments {
              a: list(l: ["x", 1, 2])
              b: list(l: 1)
              c: list(l: [["x"]])
            } }
            """,
            """
            2:20 String cannot represent a non string value: an integer
            2:23 String cannot represent a non string value: an integer
            3:14 String cannot represent a non string value: an integer
            4:15 String cannot represent a non string value: a list
            """)
    }

    @Test func `items of lists may be non-null`() {
        expectErrors(
            """
            { arguments {
              a: listOfNonNull(l: ["x", null])
            } }
            """,
            """
            2:29 Expected value of type "String!", found null.
            """)
    }

    @Test func `a list of lists takes what is no list at any level`() {
        expectErrors(
            """
            { arguments {
              a: matrix(m: "x")
              b: matrix(m: ["x", [1, 2.0, [3]]])
              c: matrix(m: [[["x"]]])
            } }
            """,
            """
            2:16 Int cannot represent non-integer value: a string
            3:17 Int cannot represent non-integer value: a string
            3:26 Int cannot represent non-integer value: a float
            3:31 Int cannot represent non-integer value: a list
            4:18 Int cannot represent non-integer value: a list
            """)
    }

    @Test func `an input object is in braces`() {
        expectErrors(
            """
            { arguments {
              a: search(by: 1)
              b: search(by: "x")
              c: search(by: [1])
              d: search(by: FOO)
            } }
            """,
            """
            2:17 Expected value of type "Search" to be an object, found an integer.
            3:17 Expected value of type "Search" to be an object, found a string.
            4:17 Expected value of type "Search" to be an object, found a list.
            5:17 Expected value of type "Search" to be an object, found an enum value.
            """)
    }

    @Test func `fields of input objects are judged`() {
        expectErrors(
            """
            { arguments {
              a: search(by: {required: null, int: "x"})
              b: search(by: {required: true, colours: [BLACK, BLUE, null]})
              c: search(by: {required: true, and: [{required: 1}, 7]})
              d: search(by: {required: true, defaulted: null})
            } }
            """,
            """
            2:28 Expected value of type "Boolean!", found null.
            2:39 Int cannot represent non-integer value: a string
            3:51 Value "BLUE" does not exist in "Colour" enum.
            3:57 Expected value of type "Colour!", found null.
            4:51 Boolean cannot represent a non boolean value: an integer
            4:55 Expected value of type "Search" to be an object, found an integer.
            5:45 Expected value of type "Boolean!", found null.
            """)
    }

    @Test func `a oneOf input object takes exactly one field`() {
        expectErrors(
            """
            { arguments {
              a: pick(by: {})
              b: pick(by: {byID: 1, byName: "x"})
              c: pick(by: {byID: null})
              d: pick(by: {byID: 1, byName: null})
              e: pick(by: {byID: 1.5})
            } }
            """,
            """
            2:15 Within OneOf Input Object type "Pick", exactly one field must be specified, and\
             the value for that field must be non-null.
            3:15 Within OneOf Input Object type "Pick", exactly one field must be specified, and\
             the value for that field must be non-null.
            4:15 Within OneOf Input Object type "Pick", exactly one field must be specified, and\
             the value for that field must be non-null.
            5:15 Within OneOf Input Object type "Pick", exactly one field must be specified, and\
             the value for that field must be non-null.
            6:22 ID cannot represent a non-string and non-integer value: a float
            """)
    }

    @Test func `defaults of variables are judged`() {
        expectErrors(
            """
            query ($a: Int = "x", $b: Int! = null, $c: [Colour!] = [BLACK, null, RED], $d: Pick \
            = {}) {
              arguments { int(n: $a) nonNullInt(n: $b) pick(by: $d) moment(m: {c: $c}) }
            }
            """,
            """
            1:18 Int cannot represent non-integer value: a string
            1:34 Expected value of type "Int!", found null.
            1:64 Expected value of type "Colour!", found null.
            1:70 Value "RED" does not exist in "Colour" enum.
            1:87 Within OneOf Input Object type "Pick", exactly one field must be specified, and\
             the value for that field must be non-null.
            """)
    }

    @Test func `arguments of directives are judged`() {
        expectErrors(
            """
            { dog { name @limit(to: "a") @tag(name: null) } }
            """,
            """
            1:25 Int cannot represent non-integer value: a string
            1:41 Expected value of type "String!", found null.
            """)
    }
}
