import Testing

struct FragmentSpreadIsPossibleRuleTests {
    @Test(arguments: [
        """
        { dog { ... on Pet { id } ... on CatOrDog { __typename } ...F } } fragment F on \
        DogOrKeeper { __typename }
        """,
        """
        { catOrDog { ... on Canine { id } ... on CatOrParrot { __typename } ... on DogOrKeeper {\
         __typename } } mammal { ... on Pet { id } } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `an object is of no other object type`() {
        expectErrors(
            """
            { dog { ... on Cat { name } ...F } }
            fragment F on Cat { meows }
            """,
            """
            1:9 Fragment cannot be spread here as objects of type "Dog" can never be of type \
            "Cat".
            1:29 Fragment "F" cannot be spread here as objects of type "Dog" can never be of \
            type "Cat".
            """)
    }

    @Test func `an object is of no interface that it lacks`() {
        expectErrors(
            """
            { keeper { ... on Pet { id } } parrot { ... on Being { id } } }
            """,
            """
            1:12 Fragment cannot be spread here as objects of type "Keeper" can never be of type\
             "Pet".
            1:41 Fragment cannot be spread here as objects of type "Parrot" can never be of type\
             "Being".
            """)
    }

    @Test func `abstract types need an object in common`() {
        expectErrors(
            """
            { catOrDog { ... on Parrot { words } }
              mammal { ... on Cat { id } ... on CatOrParrot { __typename } } }
            """,
            """
            1:14 Fragment cannot be spread here as objects of type "CatOrDog" can never be of \
            type "Parrot".
            2:12 Fragment cannot be spread here as objects of type "Mammal" can never be of type\
             "Cat".
            2:30 Fragment cannot be spread here as objects of type "Mammal" can never be of type\
             "CatOrParrot".
            """)
    }

    @Test func `fragments within fragments count`() {
        expectErrors(
            """
            { keeper { ...X } }
            fragment X on Keeper { ...Y ...Z }
            fragment Y on CatOrDog { __typename }
            fragment Z on Being { ... on Mammal { ... on Cat { id } } }
            """,
            """
            2:24 Fragment "Y" cannot be spread here as objects of type "Keeper" can never be of \
            type "CatOrDog".
            4:39 Fragment cannot be spread here as objects of type "Mammal" can never be of type\
             "Cat".
            """)
    }
}
