/// Variable Uniqueness (GraphQL 5.8.1): an operation declares no variable twice.
enum VariableUniquenessRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.operation.append { operation, context in
            for group in Repeats.groups(of: operation.variables, by: \.name) {
                context.report(
                    "There can be only one variable named \"$\(group[0].text)\".",
                    at: group.map(\.offset))
            }
        }
    }
}
