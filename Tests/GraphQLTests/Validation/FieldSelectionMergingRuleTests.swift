import Testing

struct FieldSelectionMergingRuleTests {
    @Test(arguments: [
        """
        { dog { name name x: name x: name } }
        """,
        """
        { dog { trained(atOther: true) trained(atOther: true) } }
        """,
        """
        { dog { friends(first: 1, kinds: [DOG]) { id } friends(kinds: [DOG], first: 1) { name } \
        } }
        """,
        """
        { catOrDog { ... on Dog { x: barkVolume } ... on Cat { x: meowVolume } } }
        """,
        """
        { catOrDog { ... on Dog { x: name } ... on Cat { x: nickname } } }
        """,
        """
        { catOrDog { ... on Dog { x: name(surname: true) } ... on Cat { x: name(surname: false) \
        } } }
        """,
        """
        { box { ... on IntBox { value: text } ... on TextBox { value } } }
        """,
        """
        { box { ... on IntBox { deep { x: text } } ... on TextBox { deep { x: value } } } }
        """,
        """
        query ($s: Search) { arguments { search(by: $s) search(by: $s) text(s: "a") text(s: "a")\
         } }
        """,
        """
        { arguments { search(by: {required: true, int: 1}) search(by: {int: 1, required: true}) \
        } }
        """,
        """
        query A { dog { x: name } } query B { dog { x: nickname } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `an alias hides a field of its name`() {
        expectErrors(
            """
            { dog { name: nickname name } }
            """,
            """
            1:9 1:24 Fields "name" conflict because "nickname" and "name" are different fields. \
            Use different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `each different field of one name is told from each`() {
        expectErrors(
            """
            { dog { x: name x: nickname x: barks } }
            """,
            """
            1:9 1:17 Fields "x" conflict because "name" and "nickname" are different fields. Use\
             different aliases on the fields to fetch both if this was intentional.
            1:9 1:29 Fields "x" conflict because "name" and "barks" are different fields. Use \
            different aliases on the fields to fetch both if this was intentional.
            1:17 1:29 Fields "x" conflict because "nickname" and "barks" are different fields. \
            Use different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `different arguments make different fields`() {
        expectErrors(
            """
            { dog { trained(atOther: true) trained trained(atOther: false) } }
            """,
            """
            1:9 1:32 Fields "trained" conflict because they have differing arguments. Use \
            different aliases on the fields to fetch both if this was intentional.
            1:9 1:40 Fields "trained" conflict because they have differing arguments. Use \
            different aliases on the fields to fetch both if this was intentional.
            1:32 1:40 Fields "trained" conflict because they have differing arguments. Use \
            different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `different variables are different arguments`() {
        expectErrors(
            """
            query ($a: Trick, $b: Trick) {
              dog { knows(trick: $a) knows(trick: $b) }
            }
            """,
            """
            2:9 2:26 Fields "knows" conflict because they have differing arguments. Use \
            different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `the order of a list matters`() {
        expectErrors(
            """
            { arguments { list(l: ["a", "b"]) list(l: ["b", "a"]) } }
            """,
            """
            1:15 1:35 Fields "list" conflict because they have differing arguments. Use \
            different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `different object types need one shape`() {
        expectErrors(
            """
            { pet { ... on Dog { weight } ... on Cat { weight } } }
            """,
            """
            1:22 1:44 Fields "weight" conflict because they return conflicting types "Float" and\
             "String". Use different aliases on the fields to fetch both if this was \
            intentional.
            """)
    }

    @Test func `a leaf and an object are no one shape`() {
        expectErrors(
            """
            { box {
              ... on IntBox { x: other { text } }
              ... on TextBox { x: text }
            } }
            """,
            """
            2:19 3:20 Fields "x" conflict because they return conflicting types "TextBox" and \
            "String". Use different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `a list and its item are no one shape`() {
        expectErrors(
            """
            { box {
              ... on IntBox { deep { text } }
              ... on ListBox { deep { text } }
            } }
            """,
            """
            2:19 3:20 Fields "deep" conflict because they return conflicting types "IntBox" and \
            "[ListBox]". Use different aliases on the fields to fetch both if this was \
            intentional.
            """)
    }

    @Test func `a non-null and a nullable type are no one shape`() {
        expectErrors(
            """
            { box {
              ... on IntBox { strings }
              ... on TextBox { strings }
            } }
            """,
            """
            2:19 3:20 Fields "strings" conflict because they return conflicting types "[String]"\
             and "[String!]". Use different aliases on the fields to fetch both if this was \
            intentional.
            """)
    }

    @Test func `shapes are compared within different objects`() {
        expectErrors(
            """
            { box {
              ... on IntBox { deep { value } }
              ... on TextBox { deep { value } }
            } }
            """,
            """
            2:19 2:26 3:20 3:27 Fields "deep" conflict because subfields "value" conflict \
            because they return conflicting types "Int" and "String". Use different aliases on \
            the fields to fetch both if this was intentional.
            """)
    }

    @Test func `fields of an interface meet those of its objects`() {
        expectErrors(
            """
            { pet { ... on Dog { x: barks } ... on Pet { x: id } } }
            """,
            """
            1:22 1:46 Fields "x" conflict because "barks" and "id" are different fields. Use \
            different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `fields of three objects are compared by their objects`() {
        expectErrors(
            """
            { box {
              ... on IntBox { x: other { y: text } }
              ... on TextBox { x: other { y: text } }
              ... on IntBox { x: other { y: value } }
            } }
            """,
            """
            2:19 2:30 4:19 4:30 Fields "x" conflict because subfields "y" conflict because \
            "text" and "value" are different fields. Use different aliases on the fields to \
            fetch both if this was intentional.
            """)
    }

    @Test func `fields of fragments meet`() {
        expectErrors(
            """
            { ...A ...B }
            fragment A on Query { x: dog { name } }
            fragment B on Query { x: cat { name } }
            """,
            """
            2:23 3:23 Fields "x" conflict because "dog" and "cat" are different fields. Use \
            different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `a conflict within is told from the outermost two fields`() {
        expectErrors(
            """
            { dog {
              mother { x: name }
              mother { x: nickname }
            } }
            """,
            """
            2:3 2:12 3:3 3:12 Fields "mother" conflict because subfields "x" conflict because \
            "name" and "nickname" are different fields. Use different aliases on the fields to \
            fetch both if this was intentional.
            """)
    }

    @Test func `conflicts within the same two fields are one error`() {
        expectErrors(
            """
            { dog {
              mother { x: name y: id }
              mother { x: nickname y: barks }
            } }
            """,
            """
            2:3 2:12 2:20 3:3 3:12 3:24 Fields "mother" conflict because subfields "x" conflict \
            because "name" and "nickname" are different fields and subfields "y" conflict \
            because "id" and "barks" are different fields. Use different aliases on the fields \
            to fetch both if this was intentional.
            """)
    }

    @Test func `a conflict is found at any depth`() {
        expectErrors(
            """
            { dog {
              mother { mother { x: name } }
              mother { mother { x: nickname } }
            } }
            """,
            """
            2:3 2:12 2:21 3:3 3:12 3:21 Fields "mother" conflict because subfields "mother" \
            conflict because subfields "x" conflict because "name" and "nickname" are different \
            fields. Use different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `a conflict in one of the fields is not theirs`() {
        expectErrors(
            """
            { dog {
              mother { x: name x: nickname }
              mother { id }
            } }
            """,
            """
            2:12 2:20 Fields "x" conflict because "name" and "nickname" are different fields. \
            Use different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `a conflict within a fragment is told once`() {
        expectErrors(
            """
            { dog { a: mother { ...F } b: mother { ...F } } }
            fragment F on Dog { x: name x: nickname }
            """,
            """
            2:21 2:29 Fields "x" conflict because "name" and "nickname" are different fields. \
            Use different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `a conflict through fragments is told with its way`() {
        expectErrors(
            """
            { a: dog { ...F } a: dog { ...G } }
            fragment F on Dog { mother { ...H } }
            fragment G on Dog { mother { x: id } }
            fragment H on Dog { x: name }
            """,
            """
            1:3 2:21 4:21 1:19 3:21 3:30 Fields "a" conflict because subfields "mother" conflict\
             because subfields "x" conflict because "name" and "id" are different fields. Use \
            different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `an operation and its fragment meet`() {
        expectErrors(
            """
            query A { dog { x: name } ...F }
            query B { cat { x: nickname } ...F }
            fragment F on Query { dog { x: id } }
            """,
            """
            1:11 1:17 3:23 3:29 Fields "dog" conflict because subfields "x" conflict because \
            "name" and "id" are different fields. Use different aliases on the fields to fetch \
            both if this was intentional.
            """)
    }

    @Test func `unknown fields conflict by their names`() {
        expectErrors(
            """
            { unknown: nope2 unknown: nope3 }
            """,
            """
            1:3 Cannot query field "nope2" on type "Query". Did you mean "pet"?
            1:18 Cannot query field "nope3" on type "Query". Did you mean "pet"?
            1:3 1:18 Fields "unknown" conflict because "nope2" and "nope3" are different fields.\
             Use different aliases on the fields to fetch both if this was intentional.
            """)
    }

    @Test func `subscriptions are no exception`() {
        expectErrors(
            """
            subscription S {
              x: dogBarked { a: name }
              x: dogBarked { a: id }
            }
            """,
            """
            2:3 2:18 3:3 3:18 Fields "x" conflict because subfields "a" conflict because "name" \
            and "id" are different fields. Use different aliases on the fields to fetch both if \
            this was intentional.
            """)
    }
}
