import Testing

struct FieldSelectionsRuleTests {
    @Test(arguments: [
        """
        { dog { name __typename } pet { name ... on Dog { barks } } catOrDog { __typename ... on\
         Pet { name } } }
        """,
        """
        { __schema { queryType { name } } __type(name: "Dog") { name } __typename }
        """,
        """
        mutation { __typename }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a field near by is suggested`() {
        expectErrors(
            """
            { dog { barkVolum nam } }
            """,
            """
            1:9 Cannot query field "barkVolum" on type "Dog". Did you mean "barkVolume"?
            1:19 Cannot query field "nam" on type "Dog". Did you mean "name"?
            """)
    }

    @Test func `without a field near by nothing is suggested`() {
        expectErrors(
            """
            { keeper { weight { x } } }
            """,
            """
            1:12 Cannot query field "weight" on type "Keeper".
            """)
    }

    @Test func `what is selected of an unknown field is not judged`() {
        expectErrors(
            """
            { dog { nope { x(a: 1) { y } } } }
            """,
            """
            1:9 Cannot query field "nope" on type "Dog". Did you mean "name"?
            """)
    }

    @Test func `types that have the field are suggested for an interface`() {
        expectErrors(
            """
            { pet { barks nickname } }
            """,
            """
            1:9 Cannot query field "barks" on type "Pet". Did you mean to use an inline fragment\
             on "Dog"?
            1:15 Cannot query field "nickname" on type "Pet". Did you mean to use an inline \
            fragment on "Cat" or "Dog"?
            """)
    }

    @Test func `interfaces that have the field come first for a union`() {
        expectErrors(
            """
            { catOrDog { name } }
            """,
            """
            1:14 Cannot query field "name" on type "CatOrDog". Did you mean to use an inline \
            fragment on "Being", "Pet", "Mammal", "Canine", or "Cat"?
            """)
    }

    @Test func `inline fragments are on their type`() {
        expectErrors(
            """
            { pet { ... on Dog { meowVolume } ... { colour } } }
            """,
            """
            1:22 Cannot query field "meowVolume" on type "Dog". Did you mean "barkVolume"?
            1:41 Cannot query field "colour" on type "Pet". Did you mean to use an inline \
            fragment on "Cat"?
            """)
    }

    @Test func `fragments are on their type`() {
        expectErrors(
            """
            { dog { ...F } }
            fragment F on Dog { mews a: barkVolme }
            """,
            """
            2:21 Cannot query field "mews" on type "Dog".
            2:26 Cannot query field "barkVolme" on type "Dog". Did you mean "barkVolume"?
            """)
    }

    @Test func `introspection has types too`() {
        expectErrors(
            """
            { __schema { x } __type(name: "Dog") { nam } }
            """,
            """
            1:14 Cannot query field "x" on type "__Schema".
            1:40 Cannot query field "nam" on type "__Type". Did you mean "name"?
            """)
    }

    @Test func `introspection begins at the root of queries`() {
        expectErrors(
            """
            mutation { __schema { types { name } } }
            """,
            """
            1:12 Cannot query field "__schema" on type "Mutation".
            """)
    }

    @Test func `the root of subscriptions is a type`() {
        expectErrors(
            """
            subscription S { dogBark { id } }
            """,
            """
            1:18 Cannot query field "dogBark" on type "Subscription". Did you mean "dogBarked"?
            """)
    }
}
