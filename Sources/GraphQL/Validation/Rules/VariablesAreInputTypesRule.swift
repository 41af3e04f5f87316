/// Variables Are Input Types (GraphQL 5.8.2): scalars, enums, input objects and lists of them.
enum VariablesAreInputTypesRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.variable.append { variable, context in
            guard let type = context.schema.type(named: variable.type.name.text), !type.isInput
            else { return }
            context.report(
                "Variable \"$\(variable.name.text)\" cannot be non-input type "
                    + "\"\(variable.type.text)\".",
                at: variable.type.offset)
        }
    }
}
