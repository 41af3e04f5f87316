import Testing

struct DirectivesAreUniquePerLocationRuleTests {
    @Test(arguments: [
        """
        { dog @skip(if: true) @include(if: true) { name @tag(name: "a") @tag(name: "b") id @note\
         } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `a directive given twice is one error with all places`() {
        expectErrors(
            """
            query @onQuery @onQuery {
              dog @skip(if: true) @include(if: true) @skip(if: false) { name @note @note @note }
            }
            """,
            """
            1:7 1:16 The directive "@onQuery" can only be used once at this location.
            2:7 2:42 The directive "@skip" can only be used once at this location.
            2:66 2:72 The directive "@note" can only be used once at this location.
            2:66 2:78 The directive "@note" can only be used once at this location.
            """)
    }
}
