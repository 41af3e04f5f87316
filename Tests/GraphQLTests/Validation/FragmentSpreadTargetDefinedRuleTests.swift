import Testing

struct FragmentSpreadTargetDefinedRuleTests {
    @Test(arguments: [
        """
        { dog { ...A } } fragment A on Dog { name }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `fragments that do not exist are refused`() {
        expectErrors(
            """
            { dog { ...Missing ... on Dog { ...AlsoMissing } } }
            """,
            """
            1:12 Unknown fragment "Missing".
            1:36 Unknown fragment "AlsoMissing".
            """)
    }
}
