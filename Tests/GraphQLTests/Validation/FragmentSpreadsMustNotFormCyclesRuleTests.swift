import Testing

struct FragmentSpreadsMustNotFormCyclesRuleTests {
    @Test(arguments: [
        """
        { dog { ...A ...B } } fragment A on Dog { ...B ...B } fragment B on Dog { name }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a fragment does not spread itself`() {
        expectErrors(
            """
            { dog { ...A } }
            fragment A on Dog { mother { ...A } ...A }
            """,
            """
            2:30 Cannot spread fragment "A" within itself.
            2:37 Cannot spread fragment "A" within itself.
            """)
    }

    @Test func `a cycle is told with its way`() {
        expectErrors(
            """
            { dog { ...A } }
            fragment A on Dog { name ...B }
            fragment B on Dog { ...C }
            fragment C on Dog { ...A }
            """,
            """
            2:26 3:21 4:21 Cannot spread fragment "A" within itself via "B", "C".
            """)
    }

    @Test func `each spread that closes a cycle is an error`() {
        expectErrors(
            """
            { dog { ...A } }
            fragment A on Dog { ...B ...B }
            fragment B on Dog { ...A ... on Dog { ...A } }
            """,
            """
            2:21 3:21 Cannot spread fragment "A" within itself via "B".
            2:21 3:39 Cannot spread fragment "A" within itself via "B".
            """)
    }

    @Test func `cycles that share fragments are told apart`() {
        expectErrors(
            """
            { dog { ...A } }
            fragment A on Dog { ...B }
            fragment B on Dog { ...C ...D }
            fragment C on Dog { ...A }
            fragment D on Dog { ...A ...B ...D }
            """,
            """
            2:21 3:21 4:21 Cannot spread fragment "A" within itself via "B", "C".
            2:21 3:26 5:21 Cannot spread fragment "A" within itself via "B", "D".
            3:26 5:26 Cannot spread fragment "B" within itself via "D".
            5:31 Cannot spread fragment "D" within itself.
            """)
    }
}
