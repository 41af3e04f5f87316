import Testing

struct DirectivesAreInValidLocationsRuleTests {
    @Test(arguments: [
        """
        query A($a: ID @onVariable) @onQuery { keeper(id: $a) { ...F @onSpread ... @onInline { \
        name @onField } } } fragment F on Keeper @onFragment { id } mutation M @onMutation { \
        feed(dog: 1) { id } } subscription S @onSubscription { catMeowed { id } }
        """
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `each place is named`() {
        expectErrors(
            """
            query A @onMutation { dog @onQuery {
              name @onFragment
              ...F @onInline
              ... @onSpread { name }
            } }
            fragment F on Dog @onField { name }
            """,
            """
            1:9 Directive "@onMutation" may not be used on query.
            1:27 Directive "@onQuery" may not be used on field.
            2:8 Directive "@onFragment" may not be used on field.
            3:8 Directive "@onInline" may not be used on fragment spread.
            4:7 Directive "@onSpread" may not be used on inline fragment.
            6:19 Directive "@onField" may not be used on fragment definition.
            """)
    }

    @Test func `operations and variables are places`() {
        expectErrors(
            """
            mutation M @onQuery { feed(dog: 1) { name } }
            subscription S($a: ID @onVariable @onField) @onMutation {
              dogBarked(keeper: $a) { id }
            }
            """,
            """
            1:12 Directive "@onQuery" may not be used on mutation.
            2:35 Directive "@onField" may not be used on variable definition.
            2:45 Directive "@onMutation" may not be used on subscription.
            """)
    }
}
