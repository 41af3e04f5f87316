import Testing

struct AllVariableUsesDefinedRuleTests {
    @Test(arguments: [
        """
        query ($a: Int) { ...F } fragment F on Query { arguments { int(n: $a) } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `each use of an unknown variable is an error`() {
        expectErrors(
            """
            query A {
              arguments { int(n: $a) x: int(n: $a) list(l: [$b]) search(by: {required: $c}) }
              dog @skip(if: $d) { name }
            }
            """,
            """
            2:22 1:1 Variable "$a" is not defined by operation "A".
            2:36 1:1 Variable "$a" is not defined by operation "A".
            2:49 1:1 Variable "$b" is not defined by operation "A".
            2:76 1:1 Variable "$c" is not defined by operation "A".
            3:17 1:1 Variable "$d" is not defined by operation "A".
            """)
    }

    @Test func `uses in fragments are those of each operation`() {
        expectErrors(
            """
            query A { ...F }
            query B($a: Int) { ...F }
            query C { ...F }
            fragment F on Query { arguments { int(n: $a) } }
            """,
            """
            4:42 1:1 Variable "$a" is not defined by operation "A".
            4:42 3:1 Variable "$a" is not defined by operation "C".
            """)
    }

    @Test func `fragments in a cycle are followed once`() {
        expectErrors(
            """
            { ...F }
            fragment F on Query { arguments { int(n: $a) } ...G }
            fragment G on Query { arguments { x: int(n: $b) } ...F }
            """,
            """
            2:42 1:1 Variable "$a" is not defined.
            3:45 1:1 Variable "$b" is not defined.
            2:48 3:51 Cannot spread fragment "F" within itself via "G".
            """)
    }

    @Test func `variables in values without a type are uses`() {
        expectErrors(
            """
            { arguments { moment(m: {a: [$x]}) } nope(a: $y) dog @nope(a: $z) { id } }
            """,
            """
            1:38 Cannot query field "nope" on type "Query".
            1:54 Unknown directive "@nope". Did you mean "@note"?
            1:30 1:1 Variable "$x" is not defined.
            1:46 1:1 Variable "$y" is not defined.
            1:63 1:1 Variable "$z" is not defined.
            """)
    }
}
