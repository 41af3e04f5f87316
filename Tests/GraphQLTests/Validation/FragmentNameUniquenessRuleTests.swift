import Testing

struct FragmentNameUniquenessRuleTests {
    @Test(arguments: [
        """
        { dog { ...A ...B } } fragment A on Dog { name } fragment B on Dog { name }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `fragments of one name are refused`() {
        expectErrors(
            """
            { dog { ...F } }
            fragment F on Dog { name }
            fragment F on Dog { nickname }
            fragment F on Dog { id }
            """,
            """
            2:10 3:10 There can be only one fragment named "F".
            2:10 4:10 There can be only one fragment named "F".
            """)
    }
}
