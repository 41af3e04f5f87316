import Testing

struct ImplementedInterfacesRuleTests {
    @Test func `a type that keeps what its interfaces promise is silent`() throws {
        try expectTypeSystemErrors(
            """
            interface Node { self: Node list: [Node]! union: U
              old: Int @deprecated by(x: Int): Int }
            interface Child implements Node {
              self: Child list: [Child!]! union: A old: Int @deprecated
              by(x: Int, y: Int = 1): Int
            }
            union U = A | B
            type A implements Node & Child {
              self: A! list: [A!]! union: A! old: Int @deprecated(reason: "x")
              by(x: Int, y: Int = 2, z: [Int!]): Int!
            }
            type B { id: ID }
            type Query { a: A }
            """, "")
    }

    @Test func `fields are promised with their types`() throws {
        try expectTypeSystemErrors(
            """
            type Query implements I { a: Int b: [I!] c: [Int] d: U e: Query }
            interface I { a: Int! b: [Query] c: Int d: Query e: U f: Int }
            union U = Other
            type Other { x: Int }
            """,
            """
            2:18 1:30 Interface field I.a expects type Int! but Query.a is type Int.
            2:26 1:37 Interface field I.b expects type [Query] but Query.b is type [I!].
            2:37 1:45 Interface field I.c expects type Int but Query.c is type [Int].
            2:44 1:54 Interface field I.d expects type Query but Query.d is type U.
            2:53 1:59 Interface field I.e expects type U but Query.e is type Query.
            2:55 1:6 Interface field I.f expected but Query does not provide it.
            """)
    }

    @Test func `arguments are promised with exactly their types`() throws {
        try expectTypeSystemErrors(
            """
            type Query implements I { a(x: Int!, z: Int!, n: Int! = 1): String }
            interface I { a(x: Int, y: Int): String }
            """,
            """
            2:20 1:32 Interface field argument I.a(x:) expects type Int but Query.a(x:) is \
            type Int!.
            2:25 1:27 Interface field argument I.a(y:) expected but Query.a does not provide it.
            1:38 2:15 Argument Query.a(z:) must not be required type Int! if not provided by the \
            Interface field I.a.
            """)
    }

    @Test func `a field is deprecated only if the interface's is`() throws {
        try expectTypeSystemErrors(
            """
            interface I { a: Int @deprecated b: Int }
            type Query implements I { a: Int b: Int @deprecated }
            """,
            """
            2:34 1:34 Interface field I.b is not deprecated, so implementation field Query.b must \
            not be deprecated.
            """)
    }

    @Test func `interfaces of interfaces are declared and form no cycle`() throws {
        try expectTypeSystemErrors(
            """
            type Query implements J { a: Int }
            interface J implements K { a: Int }
            interface K implements J { a: Int }
            interface L implements L { a: Int }
            """,
            """
            2:24 1:23 Type Query must implement K because it is implemented by J.
            3:24 2:24 Type J cannot implement K because it would create a circular reference.
            2:24 3:24 Type K cannot implement J because it would create a circular reference.
            4:24 Type L cannot implement itself because it would create a circular reference.
            """)
    }
}
