import Testing

struct LeafFieldSelectionsRuleTests {
    @Test(arguments: [
        """
        { dog { name keeper { since } } }
        """,
        """
        { catOrDog { __typename } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a type with fields needs braces`() {
        expectErrors(
            """
            { dog pet catOrDog arguments }
            """,
            """
            1:3 Field "dog" of type "Dog" must have a selection of subfields. Did you mean "dog \
            { ... }"?
            1:7 Field "pet" of type "Pet" must have a selection of subfields. Did you mean "pet \
            { ... }"?
            1:11 Field "catOrDog" of type "CatOrDog" must have a selection of subfields. Did you\
             mean "catOrDog { ... }"?
            1:20 Field "arguments" of type "Arguments" must have a selection of subfields. Did \
            you mean "arguments { ... }"?
            """)
    }

    @Test func `lists of such types need braces`() {
        expectErrors(
            """
            { keeper { pets } }
            """,
            """
            1:12 Field "pets" of type "[Pet]" must have a selection of subfields. Did you mean \
            "pets { ... }"?
            """)
    }

    @Test func `scalars and enums have no braces`() {
        expectErrors(
            """
            { dog { name(surname: true) { x } } cat { colour { y } } }
            """,
            """
            1:29 Field "name" must not have a selection since type "String" has no subfields.
            1:50 Field "colour" must not have a selection since type "Colour" has no subfields.
            """)
    }

    @Test func `mutations are no exception`() {
        expectErrors(
            """
            mutation { feed(dog: 1) }
            """,
            """
            1:12 Field "feed" of type "Dog" must have a selection of subfields. Did you mean \
            "feed { ... }"?
            """)
    }
}
