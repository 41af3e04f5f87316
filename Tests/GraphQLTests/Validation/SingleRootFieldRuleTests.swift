import Testing

struct SingleRootFieldRuleTests {
    @Test(arguments: [
        """
        subscription S { dogBarked { name } }
        """,
        """
        subscription { dogBarked { name } dogBarked { nickname } }
        """,
        """
        subscription A { dogBarked { id } } subscription B { catMeowed { id } }
        """,
        """
        subscription S { ... on Subscription { dogBarked { name @skip(if: true) } } }
        """,
        """
        subscription S { ...F ...F } fragment F on Subscription { dogBarked { id } }
        """,
        """
        query Q { dog { id } cat { id } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `several root fields are refused`() {
        expectErrors(
            """
            subscription S {
              dogBarked { name }
              catMeowed { name }
              messages(room: 1)
            }
            """,
            """
            3:3 4:3 Subscription "S" must select only one top level field.
            """)
    }

    @Test func `a subscription without a name is named as that`() {
        expectErrors(
            """
            subscription { dogBarked { name } catMeowed { name } }
            """,
            """
            1:35 Anonymous Subscription must select only one top level field.
            """)
    }

    @Test func `two aliases of one field are two fields`() {
        expectErrors(
            """
            subscription S { a: dogBarked { name } b: dogBarked { name } }
            """,
            """
            1:40 Subscription "S" must select only one top level field.
            """)
    }

    @Test func `fields in fragments count`() {
        expectErrors(
            """
            subscription S { ...F dogBarked { name } }
            fragment F on Subscription { ... { catMeowed { name } } ...G }
            fragment G on Subscription { messages(room: 1) }
            """,
            """
            3:30 1:23 Subscription "S" must select only one top level field.
            """)
    }

    @Test func `fragments in a cycle are entered once`() {
        expectErrors(
            """
            subscription S { ...F }
            fragment F on Subscription { dogBarked { name } ...G }
            fragment G on Subscription { catMeowed { name } ...F }
            """,
            """
            3:30 Subscription "S" must select only one top level field.
            2:49 3:49 Cannot spread fragment "F" within itself via "G".
            """)
    }

    @Test func `the type name alone is no stream`() {
        expectErrors(
            """
            subscription { __typename }
            """,
            """
            1:16 Anonymous Subscription must not select an introspection top level field.
            """)
    }

    @Test func `introspection is no stream`() {
        expectErrors(
            """
            subscription S { __schema { queryType { name } } }
            """,
            """
            1:18 Subscription "S" must not select an introspection top level field.
            1:18 Cannot query field "__schema" on type "Subscription".
            """)
    }

    @Test func `an introspection field beside another is two errors`() {
        expectErrors(
            """
            subscription S { t: __typename dogBarked { name } }
            """,
            """
            1:32 Subscription "S" must select only one top level field.
            1:18 Subscription "S" must not select an introspection top level field.
            """)
    }

    @Test func `conditions on root fields are refused and are the only error`() {
        expectErrors(
            """
            subscription S {
              dogBarked @skip(if: true) { name }
              catMeowed @include(if: true) { name }
            }
            """,
            """
            2:13 3:13 Subscription "S" must not use `@skip` or `@include` directives in the top \
            level selection.
            """)
    }

    @Test func `conditions on a root fragment are refused`() {
        expectErrors(
            """
            subscription S($b: Boolean!) {
              ... @skip(if: $b) { dogBarked { name } }
              ...F @include(if: $b)
            }
            fragment F on Subscription { dogBarked { name } }
            """,
            """
            2:7 3:8 Subscription "S" must not use `@skip` or `@include` directives in the top \
            level selection.
            """)
    }

    @Test func `conditions on root fields in fragments are refused`() {
        expectErrors(
            """
            subscription S { ...F }
            fragment F on Subscription { dogBarked @include(if: true) { name } }
            """,
            """
            2:40 Subscription "S" must not use `@skip` or `@include` directives in the top level\
             selection.
            """)
    }

    @Test func `a selection without any field of the root is refused`() {
        expectErrors(
            "subscription S { ... on Dog { name } }",
            """
            1:16 Subscription "S" must select one top level field.
            1:18 Fragment cannot be spread here as objects of type "Subscription" can never be \
            of type "Dog".
            """)
    }
}
