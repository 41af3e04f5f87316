import Testing

struct FragmentsOnCompositeTypesRuleTests {
    @Test(arguments: [
        """
        { dog { ... on Dog { name } ... on Pet { name } ... on CatOrDog { __typename } ... { \
        name } } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `fragments do not apply to leaves and input objects`() {
        expectErrors(
            """
            { dog {
              ... on Trick { name }
              ... on Boolean { x }
              ...G
            } }
            fragment G on Point { x }
            """,
            """
            2:10 Fragment cannot condition on non composite type "Trick".
            3:10 Fragment cannot condition on non composite type "Boolean".
            6:15 Fragment "G" cannot condition on non composite type "Point".
            """)
    }
}
