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
            2:3 Cannot query field "dgo" on type "Query".
            3:7 Unknown argument "sirname" on field "Query.dog".
            3:22 Cannot query field "barkVolum" on type "Dog".
            3:32 Field "keeper" of type "Keeper" must have a selection of subfields.
            4:9 Cannot query field "barks" on type "Pet".
            4:22 Unknown type "Kat".
            5:25 Value "BLAK" does not exist in "Colour" enum.
            5:44 Enum "Colour" cannot represent non-enum value: a string.
            6:33 Expected value of type "Search" not to include unknown field "it".
            """,
            options: closed)
    }
}
