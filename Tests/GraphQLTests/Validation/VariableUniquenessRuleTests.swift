import Testing

struct VariableUniquenessRuleTests {
    @Test(arguments: [
        """
        query A($a: Int) { arguments { int(n: $a) } } query B($a: Int) { arguments { int(n: $a) \
        } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a variable declared twice is one error with all places`() {
        expectErrors(
            """
            query ($a: Int, $b: Int, $a: String, $b: Int, $a: Int) {
              arguments { int(n: $a) x: int(n: $b) }
            }
            """,
            """
            1:8 1:26 1:47 There can be only one variable named "$a".
            1:17 1:38 There can be only one variable named "$b".
            """)
    }
}
