import Testing

struct AllVariableUsagesAreAllowedRuleTests {
    @Test(arguments: [
        """
        query ($i: Int, $n: Int!, $d: Int = 1) { arguments { int(n: $i) a: int(n: $n) \
        nonNullInt(n: $n) b: nonNullInt(n: $d) nonNullDefaulted(n: $i) } }
        """,
        """
        query ($l: [String], $m: [String!]!) { arguments { list(l: $l) a: list(l: $m) \
        listOfNonNull(l: $m) nonNullList(l: $m) } }
        """,
        """
        query ($s: String!) { arguments { list(l: [$s]) listOfNonNull(l: [$s]) } }
        """,
        """
        query ($b: Boolean, $d: Boolean = true) { arguments { search(by: {required: true, \
        defaulted: $b}) } dog @skip(if: $d) { id } }
        """,
        """
        query ($id: ID!) { arguments { pick(by: {byID: $id}) } }
        """,
        """
        query ($x: Int) { arguments { moment(m: {any: $x}) } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a nullable variable is no non-null value`() {
        expectErrors(
            """
            query ($i: Int, $b: Boolean) {
              arguments { nonNullInt(n: $i) search(by: {required: $b}) }
              dog @skip(if: $b) { id }
            }
            """,
            """
            1:8 2:29 Variable "$i" of type "Int" used in position expecting type "Int!".
            1:17 2:55 Variable "$b" of type "Boolean" used in position expecting type "Boolean!".
            1:17 3:17 Variable "$b" of type "Boolean" used in position expecting type "Boolean!".
            """)
    }

    @Test func `a default of null is none`() {
        expectErrors(
            """
            query ($i: Int = null) { arguments { nonNullInt(n: $i) } }
            """,
            """
            1:8 1:52 Variable "$i" of type "Int" used in position expecting type "Int!".
            """)
    }

    @Test func `types differ`() {
        expectErrors(
            """
            query ($s: String, $p: Point) { arguments { int(n: $s) search(by: $p) } }
            """,
            """
            1:8 1:52 Variable "$s" of type "String" used in position expecting type "Int".
            1:20 1:67 Variable "$p" of type "Point" used in position expecting type "Search".
            """)
    }

    @Test func `a variable is no list of itself`() {
        expectErrors(
            """
            query ($s: String, $i: Int) { arguments { list(l: $s) matrix(m: $i) x: matrix(m: \
            [$i]) } }
            """,
            """
            1:8 1:51 Variable "$s" of type "String" used in position expecting type "[String]".
            1:20 1:65 Variable "$i" of type "Int" used in position expecting type "[[Int]]".
            1:20 1:83 Variable "$i" of type "Int" used in position expecting type "[Int]".
            """)
    }

    @Test func `items of lists may be non-null`() {
        expectErrors(
            """
            query ($l: [String], $s: String) {
              arguments { listOfNonNull(l: $l) nonNullList(l: $l) x: listOfNonNull(l: [$s]) }
            }
            """,
            """
            1:8 2:32 Variable "$l" of type "[String]" used in position expecting type "[String!]".
            1:8 2:51 Variable "$l" of type "[String]" used in position expecting type "[String]!".
            1:22 2:76 Variable "$s" of type "String" used in position expecting type "String!".
            """)
    }

    @Test func `each operation is judged with its fragments`() {
        expectErrors(
            """
            query A($a: Int, $b: String) { ...F ...G }
            query B($a: Int!, $b: Int) { ...F ...G }
            fragment F on Query { arguments { nonNullInt(n: $a) } }
            fragment G on Query { arguments { i: int(n: $b) } }
            """,
            """
            1:9 3:49 Variable "$a" of type "Int" used in position expecting type "Int!".
            1:18 4:45 Variable "$b" of type "String" used in position expecting type "Int".
            """)
    }

    @Test func `a oneOf field takes no nullable variable`() {
        expectErrors(
            """
            query ($id: ID, $d: ID = 1) { arguments { pick(by: {byID: $id}) x: pick(by: {byID: \
            $d}) } }
            """,
            """
            1:8 1:59 Variable "$id" is of type "ID" but must be non-nullable to be used for \
            OneOf Input Object "Pick".
            1:17 1:84 Variable "$d" is of type "ID" but must be non-nullable to be used for \
            OneOf Input Object "Pick".
            """)
    }
}
