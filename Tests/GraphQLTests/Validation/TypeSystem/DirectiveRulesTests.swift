import Testing

struct DirectiveCyclesRuleTests {
    @Test func `a directive does not need itself`() throws {
        try expectTypeSystemErrors(
            """
            directive @self(a: Int @self) on ARGUMENT_DEFINITION
            directive @x(a: T) on INPUT_FIELD_DEFINITION
            directive @fine(a: T) on OBJECT
            input T { s: S @x }
            scalar S
            type Query @fine { a: Int }
            """,
            """
            1:12 Directive @self must not reference itself through its arguments.
            2:12 Directive @x must not reference itself through its arguments.
            """)
    }
}

struct DirectiveUsesTests {
    @Test func `directives where they may be are silent`() throws {
        try expectTypeSystemErrors(
            """
            directive @all(n: Int! = 1, by: P) repeatable on SCHEMA | SCALAR | OBJECT | \
            FIELD_DEFINITION | ARGUMENT_DEFINITION | INTERFACE | UNION | ENUM | ENUM_VALUE | \
            INPUT_OBJECT | INPUT_FIELD_DEFINITION
            schema @all @all(n: 2) { query: Query }
            type Query @all { a(x: Int @all): Int @all @deprecated(reason: "old") }
            extend type Query @all { b: S }
            interface I @all { a: Int }
            union U @all = Query
            enum E @all { V @all }
            input P @all(by: {x: 1}) { x: Int @all }
            scalar S @all @specifiedBy(url: "https://example.org")
            """,
            // The input object that "by" takes uses the directive itself.
            "1:12 Directive @all must not reference itself through its arguments.")
    }

    @Test func `directives in definitions are known and in their places`() throws {
        try expectTypeSystemErrors(
            """
            type Query @nope { a(x: Int @oneOf): Int @include(if: true) @depricated }
            enum E @oneOf { A @skip(if: true) }
            """,
            """
            1:61 Unknown directive "@depricated". Did you mean "@deprecated"?
            1:42 Directive "@include" may not be used on field definition.
            1:29 Directive "@oneOf" may not be used on argument definition.
            2:19 Directive "@skip" may not be used on enum value.
            1:12 Unknown directive "@nope".
            2:8 Directive "@oneOf" may not be used on enum.
            """)
    }

    @Test func `arguments of directives in definitions are judged`() throws {
        try expectTypeSystemErrors(
            """
            type Query { a: S @deprecated(reson: "x") @deprecated }
            scalar S @specifiedBy
            enum E { A @deprecated(reason: 1) B @deprecated(reason: "a", reason: "b") }
            """,
            """
            1:19 1:43 The directive "@deprecated" can only be used once at this location.
            1:31 Unknown argument "reson" on directive "@deprecated". Did you mean "reason"?
            3:32 String cannot represent a non string value: an integer
            3:49 3:62 There can be only one argument named "reason".
            2:10 Argument "@specifiedBy(url:)" of type "String!" is required, but it was not \
            provided.
            """)
    }

    @Test func `an extension stands in the place of what it extends`() throws {
        try expectTypeSystemErrors(
            """
            directive @once on OBJECT
            type Query @once { a: Int }
            extend type Query @once { b: Int }
            """,
            """
            2:12 3:19 The directive "@once" can only be used once at this location.
            """)
    }
}
