import Testing

struct InputObjectRequiredFieldsRuleTests {
    @Test(arguments: [
        """
        { arguments {
          a: search(by: {required: true})
        } }
        """,
        """
        { arguments {
          a: point(p: {x: 1, y: 2})
        } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a missing field is named`() {
        expectErrors(
            """
            { arguments {
              a: search(by: {})
              b: search(by: {int: 1})
              c: search(by: {required: true, point: {x: 1}, and: [{}]})
            } }
            """,
            """
            2:17 Expected value of type "Search" to include required field "required" of type \
            "Boolean!".
            3:17 Expected value of type "Search" to include required field "required" of type \
            "Boolean!".
            4:41 Expected value of type "Point" to include required field "y" of type "Float!".
            4:55 Expected value of type "Search" to include required field "required" of type \
            "Boolean!".
            """)
    }
}
