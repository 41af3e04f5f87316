import Testing

struct LoneAnonymousOperationRuleTests {
    @Test(arguments: [
        """
        { dog { name } }
        """,
        """
        { dog { ...F } } fragment F on Dog { name }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `two operations without names are refused`() {
        expectErrors(
            """
            { dog { name } }
            { cat { name } }
            """,
            """
            1:1 This anonymous operation must be the only defined operation.
            2:1 This anonymous operation must be the only defined operation.
            """)
    }

    @Test func `an operation without a name beside others is refused`() {
        expectErrors(
            """
            query A { dog { name } }
            mutation { feed(dog: 1) { id } }
            subscription S { catMeowed { id } }
            """,
            """
            2:1 This anonymous operation must be the only defined operation.
            """)
    }
}
