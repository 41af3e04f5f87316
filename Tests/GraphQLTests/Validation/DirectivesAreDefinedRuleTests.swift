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
            1:7 Unknown directive "@nope".
            1:20 Unknown directive "@skp".
            1:35 Unknown directive "@alsoNope".
            """)
    }
}
