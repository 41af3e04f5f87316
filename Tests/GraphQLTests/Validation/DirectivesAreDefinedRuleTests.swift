import Testing

struct DirectivesAreDefinedRuleTests {
    @Test(arguments: [
        """
        { dog @skip(if: true) { name @note @onField } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `unknown directives are refused`() {
        expectErrors(
            """
            { dog @nope { name @skp(if: true) @alsoNope } }
            """,
            """
            1:7 Unknown directive "@nope". Did you mean "@note"?
            1:20 Unknown directive "@skp". Did you mean "@skip"?
            1:35 Unknown directive "@alsoNope".
            """)
    }

    @Test func `directives of incremental delivery are refused by name`() {
        expectErrors(
            """
            { dog { ...F @defer friends @stream(initialCount: 1) { id } } } fragment F on Dog { id }
            """,
            """
            1:14 Directive "@defer" is not supported: each operation is answered in one piece. \
            Leave it out.
            1:29 Directive "@stream" is not supported: each operation is answered in one piece. \
            Leave it out.
            """)
    }
}
