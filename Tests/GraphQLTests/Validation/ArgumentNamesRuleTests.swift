import Testing

struct ArgumentNamesRuleTests {
    @Test(arguments: [
        """
        { dog { name(surname: true) trained(atOther: true) } }
        """,
        """
        { dog @skip(if: true) { name @note(text: "x") } }
        """,
        """
        { __type(name: "Dog") { fields(includeDeprecated: true) { name } } }
        """,
    ])
    func `is silent`(document: String) {
        expectValid(document)
    }

    @Test func `unknown arguments of fields are refused`() {
        expectErrors(
            """
            { dog(foo: 1) { name(sirname: true, surname: true) trained(atother: false) } }
            """,
            """
            1:7 Unknown argument "foo" on field "Query.dog".
            1:22 Unknown argument "sirname" on field "Dog.name". Did you mean "surname"?
            1:60 Unknown argument "atother" on field "Dog.trained". Did you mean "atOther"?
            """)
    }

    @Test func `unknown arguments of directives are refused`() {
        expectErrors(
            """
            { dog @skip(unless: true, if: true) { name @note(txt: "a") } }
            """,
            """
            1:13 Unknown argument "unless" on directive "@skip".
            1:50 Unknown argument "txt" on directive "@note". Did you mean "text"?
            """)
    }

    @Test func `arguments of introspection are known`() {
        expectErrors(
            """
            { __type(nam: "x", name: "y") { name } }
            """,
            """
            1:10 Unknown argument "nam" on field "Query.__type". Did you mean "name"?
            """)
    }
}
