import Testing

struct ExecutableDefinitionsRuleTests {
    @Test(arguments: [
        """
        { dog { name } }
        """,
        """
        query A { dog { ...F } } fragment F on Dog { name }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `definitions of types are not executed`() {
        expectErrors(
            """
            type Foo { a: Int }
            { dog { name } }
            extend type Dog { x: Int }
            """,
            """
            1:1 The "Foo" definition is not executable.
            3:1 The "Dog" definition is not executable.
            """)
    }

    @Test func `definitions of the schema and of directives are not executed`() {
        expectErrors(
            """
            schema { query: Query }
            query A { dog { name } }
            directive @x on FIELD
            """,
            """
            1:1 The schema definition is not executable.
            3:1 The "x" definition is not executable.
            """)
    }
}
