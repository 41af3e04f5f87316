import Testing

struct AllVariablesUsedRuleTests {
    @Test(arguments: [
        """
        query ($a: Int, $b: Boolean!) { ...F @skip(if: $b) } fragment F on Query { arguments { \
        search(by: {required: true, int: $a}) } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `unused variables are refused`() {
        expectErrors(
            """
            query ($a: Int, $b: Int) { arguments { int(n: $a) } }
            """,
            """
            1:17 Variable "$b" is never used.
            """)
    }

    @Test func `uses of another operation do not count`() {
        expectErrors(
            """
            query A($a: Int) { arguments { int(n: $a) } }
            query B($a: Int, $b: Int) { dog { id } }
            """,
            """
            2:9 Variable "$a" is never used in operation "B".
            2:18 Variable "$b" is never used in operation "B".
            """)
    }
}
