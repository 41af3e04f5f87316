import Testing

struct InputObjectCyclesRuleTests {
    @Test func `cycles that an empty list or null breaks are silent`() throws {
        try expectTypeSystemErrors(
            """
            input A { a: A b: [A!]! c: B! }
            input B { a: A d: [B!] }
            type Query { f(a: A): Int }
            """, "")
    }

    @Test func `required fields lead nowhere without end`() throws {
        try expectTypeSystemErrors(
            """
            input A { a: A! }
            input B { b: C! x: Int }
            input C { c: D! }
            input D { d: B! e: [D!]! f: D }
            type Query { f(a: A, b: B): Int }
            """,
            """
            1:11 Input Object A cannot be provided a finite value because it references itself \
            through fields: A.a.
            2:11 3:11 4:11 Input Object B cannot be provided a finite value because it references \
            itself through fields: B.b, C.c, D.d.
            """)
    }

    @Test func `a chain of 3,000 input objects is followed`() throws {
        let chain = (0..<3_000).map { "input I\($0) { next: I\(($0 + 1) % 3_000)! }" }
        try expectTypeSystemErrors(
            chain.joined(separator: "\n").replacing("next: I0!", with: "last: Int")
                + " type Query { f(i: I0): Int }", "")
    }
}

struct OneOfInputObjectsRuleTests {
    @Test func `fields of a oneOf input object may be left out`() throws {
        try expectTypeSystemErrors(
            """
            input P @oneOf { a: Int! b: Int = 1 c: Int }
            type Query { f(p: P): Int }
            """,
            """
            1:18 OneOf input field P.a must be nullable.
            1:26 OneOf input field P.b cannot have a default value.
            """)
    }
}
