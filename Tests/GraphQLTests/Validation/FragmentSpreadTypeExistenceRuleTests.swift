import Testing

struct FragmentSpreadTypeExistenceRuleTests {
    @Test(arguments: [
        """
        query ($a: [Search!]) { dog { ... on Pet { name } } arguments { search(by: {required: \
        true, and: $a}) } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `inline fragments apply to types that exist`() {
        expectErrors(
            """
            { dog { ... on Nope { name } ... on Dg { name } } }
            """,
            """
            1:16 Unknown type "Nope".
            1:37 Unknown type "Dg". Did you mean "Dog"?
            """)
    }

    @Test func `fragments apply to types that exist`() {
        expectErrors(
            """
            { dog { ...G } }
            fragment G on Kat { name }
            """,
            """
            2:15 Unknown type "Kat". Did you mean "Cat", "Int", or "Pet"?
            """)
    }

    @Test func `variables have types that exist`() {
        expectErrors(
            """
            query ($a: Strng, $c: [Pont!]) {
              arguments { text(s: $a) point(p: $c) }
            }
            """,
            """
            1:12 Unknown type "Strng". Did you mean "String" or "Being"?
            1:24 Unknown type "Pont". Did you mean "Point", "Int", or "Pet"?
            """)
    }
}
