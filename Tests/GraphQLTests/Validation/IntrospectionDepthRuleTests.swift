import Testing

struct IntrospectionDepthRuleTests {
    @Test(arguments: [
        """
        { __schema { types { fields { type { fields { name } } } } } }
        """,
        """
        { __type(name: "Dog") { fields { type { ofType { ofType { ofType { name } } } } } \
        interfaces { name } } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `the fields of the types of fields of fields are refused`() {
        expectErrors(
            """
            { __schema { types { fields { type { fields { type { fields { name } } } } } } } }
            """,
            """
            1:3 Maximum introspection depth exceeded
            """)
    }

    @Test func `fragments are followed`() {
        expectErrors(
            """
            { __type(name: "Dog") { ...T } }
            fragment T on __Type { fields { type { ...U } } }
            fragment U on __Type { possibleTypes { inputFields { type { name } } } }
            """,
            """
            1:3 Maximum introspection depth exceeded
            """)
    }
}
