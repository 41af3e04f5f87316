import Testing

struct FragmentsMustBeUsedRuleTests {
    @Test(arguments: [
        """
        { dog { ...A } } fragment A on Dog { ...B } fragment B on Dog { name }
        """,
        """
        query A { dog { ...F } } query B { dog { name } } fragment F on Dog { name }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `an unused fragment is refused, and what only it uses`() {
        expectErrors(
            """
            { dog { name } }
            fragment Unused on Dog { name }
            fragment Alone on Dog { ...Unused }
            """,
            """
            2:1 Fragment "Unused" is never used.
            3:1 Fragment "Alone" is never used.
            """)
    }

    @Test func `a fragment that uses itself is unused`() {
        expectErrors(
            """
            { dog { name } }
            fragment F on Dog { mother { ...F } }
            """,
            """
            2:1 Fragment "F" is never used.
            2:30 Cannot spread fragment "F" within itself.
            """)
    }
}
