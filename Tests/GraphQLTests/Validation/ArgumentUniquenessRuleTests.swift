import Testing

struct ArgumentUniquenessRuleTests {
    @Test(arguments: [
        """
        { arguments { two(a: 1, b: 1) x: two(a: 2, b: 2) } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `an argument given twice is one error with all places`() {
        expectErrors(
            """
            { arguments { int(n: 1, n: 2, n: 3) two(a: 1, b: 1, a: 2, b: 2) } }
            """,
            """
            1:19 1:25 1:31 There can be only one argument named "n".
            1:41 1:53 There can be only one argument named "a".
            1:47 1:59 There can be only one argument named "b".
            """)
    }

    @Test func `arguments of directives are no exception`() {
        expectErrors(
            """
            { dog @skip(if: true, if: false) { name } }
            """,
            """
            1:13 1:23 There can be only one argument named "if".
            """)
    }
}
