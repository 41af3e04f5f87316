import Testing

struct RequiredArgumentsRuleTests {
    @Test(arguments: [
        """
        { arguments { nonNullInt(n: 1) nonNullDefaulted defaulted } }
        """,
        """
        { dog { name @limit @tag(name: "a") } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a missing argument is named`() {
        expectErrors(
            """
            { arguments { nonNullInt two(a: 1) x: two } }
            """,
            """
            1:15 Argument "Arguments.nonNullInt(n:)" of type "Int!" is required, but it was not \
            provided.
            1:26 Argument "Arguments.two(b:)" of type "Int!" is required, but it was not provided.
            1:36 Argument "Arguments.two(a:)" of type "Int!" is required, but it was not provided.
            1:36 Argument "Arguments.two(b:)" of type "Int!" is required, but it was not provided.
            """)
    }

    @Test func `directives require arguments too`() {
        expectErrors(
            """
            { dog @include { name @tag } }
            """,
            """
            1:7 Argument "@include(if:)" of type "Boolean!" is required, but it was not provided.
            1:23 Argument "@tag(name:)" of type "String!" is required, but it was not provided.
            """)
    }

    @Test func `a given null is no missing argument`() {
        expectErrors(
            """
            { arguments { nonNullInt(n: null) } }
            """,
            """
            1:29 Expected value of type "Int!", found null.
            """)
    }

    @Test func `introspection requires arguments too`() {
        expectErrors(
            """
            { __type { name } }
            """,
            """
            1:3 Argument "Query.__type(name:)" of type "String!" is required, but it was not \
            provided.
            """)
    }
}
