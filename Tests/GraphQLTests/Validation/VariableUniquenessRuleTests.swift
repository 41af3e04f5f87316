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
            1:9 1:27 1:48 There can be only one variable named "$a".
            1:18 1:39 There can be only one variable named "$b".
            """)
    }
}
