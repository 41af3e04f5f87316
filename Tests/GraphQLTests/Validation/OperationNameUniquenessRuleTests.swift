import Testing

struct OperationNameUniquenessRuleTests {
    @Test(arguments: [
        """
        query A { dog { name } } query B { cat { name } } mutation C { rename(id: 1, name: "x") \
        { id } }
        """,
        """
        query F { dog { ...F } } fragment F on Dog { name }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `operations of one name are refused whatever their kinds`() {
        expectErrors(
            """
            query A { dog { name } }
            query A { cat { name } }
            mutation A { feed(dog: 1) { name } }
            """,
            """
            1:7 2:7 There can be only one operation named "A".
            1:7 3:10 There can be only one operation named "A".
            """)
    }
}
