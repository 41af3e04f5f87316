import Testing

struct InputObjectFieldNamesRuleTests {
    @Test(arguments: [
        """
        { arguments {
          a: search(by: {required: true, point: {x: 1, y: 2, label: "z"}})
        } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `unknown fields are refused`() {
        expectErrors(
            """
            { arguments {
              a: search(by: {required: true, unknown: 1, requird: 1})
              b: search(by: {required: true, point: {x: 1, y: 1, z: 1}})
            } }
            """,
            """
            2:34 Expected value of type "Search" not to include unknown field "unknown".
            2:46 Expected value of type "Search" not to include unknown field "requird". Did you\
             mean "required"?
            3:54 Expected value of type "Point" not to include unknown field "z". Did you mean \
            "x" or "y"?
            """)
    }

    @Test func `input objects in lists are no exception`() {
        expectErrors(
            """
            { arguments {
              a: search(by: {required: true, and: [{required: true, nope: 1}]})
            } }
            """,
            """
            2:57 Expected value of type "Search" not to include unknown field "nope".
            """)
    }
}
