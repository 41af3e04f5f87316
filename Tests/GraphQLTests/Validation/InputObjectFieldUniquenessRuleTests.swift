import Testing

struct InputObjectFieldUniquenessRuleTests {
    @Test(arguments: [
        """
        { arguments {
          a: search(by: {required: true, and: {required: true}})
        } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a field given twice is one error with all places`() {
        expectErrors(
            """
            { arguments {
              a: search(by: {required: true, int: 1, int: 2, int: 3})
              b: search(by: {required: true, point: {x: 1, y: 2, x: 3}})
            } }
            """,
            """
            2:34 2:42 There can be only one input field named "int".
            2:34 2:50 There can be only one input field named "int".
            3:42 3:54 There can be only one input field named "x".
            """)
    }

    @Test func `objects for custom scalars are no exception`() {
        expectErrors(
            """
            { arguments {
              a: moment(m: {a: 1, a: 2})
            } }
            """,
            """
            2:17 2:23 There can be only one input field named "a".
            """)
    }
}
