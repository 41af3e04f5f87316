import GraphQL
import Testing

struct IntrospectionRuleTests {
    private let closed = ValidationOptions(suggestsNames: false, allowsIntrospection: false)

    @Test func `a server may keep its schema to itself`() {
        expectErrors(
            "{ __schema { queryType { name } } a: __type(name: \"Dog\") { name } __typename }",
            """
            1:3 GraphQL introspection is not allowed, but the query contained "__schema".
            1:35 GraphQL introspection is not allowed, but the query contained "__type".
            """,
            options: closed)
    }

    @Test func `parts of introspection are refused wherever they are asked for`() {
        expectErrors(
            "query ($a: Boolean!) { ...F @skip(if: $a) } fragment F on Query { __type(name: \"A\") { name } }",
            """
            1:67 GraphQL introspection is not allowed, but the query contained "__type".
            """,
            options: closed)
    }

    @Test func `type names are no introspection`() {
        expectValid("{ __typename dog { __typename } }", options: closed)
    }

    @Test func `no near miss gives the schema away`() {
        expectErrors(
            """
            query ($a: Dg) {
              dgo { id }
              dog(sirname: $a) { barkVolum keeper }
              pet { barks ... on Kat { id } }
              arguments { colour(c: BLAK) x: colour(c: "BLACK")
                search(by: {required: true, it: 1}) }
            }
            """,
            """
            1:12 Unknown type "Dg".
            2:3 Cannot query field "dgo" here.
            3:7 Unknown argument "sirname" on field "dog".
            3:22 Cannot query field "barkVolum" here.
            3:32 Field "keeper" must have a selection of subfields.
            4:9 Cannot query field "barks" here.
            4:22 Unknown type "Kat".
            5:25 Expected value of another type, found an enum value.
            5:44 Expected value of another type, found a string.
            6:33 Expected value not to include unknown field "it".
            """,
            options: closed)
    }
}
