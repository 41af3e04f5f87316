import Testing

struct VariablesAreInputTypesRuleTests {
    @Test(arguments: [
        """
        query ($a: Int, $b: [Colour!]!, $c: Search) { arguments { int(n: $a) moment(m: {b: $b}) \
        search(by: $c) } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `types with fields are no types of variables`() {
        expectErrors(
            """
            query ($a: Dog, $b: [Pet!]!, $c: CatOrDog = 1) {
              arguments { moment(m: {a: $a, b: $b, c: $c}) }
            }
            """,
            """
            1:12 Variable "$a" cannot be non-input type "Dog".
            1:21 Variable "$b" cannot be non-input type "[Pet!]!".
            1:34 Variable "$c" cannot be non-input type "CatOrDog".
            """)
    }
}
