import Bytes

/// All Variable Uses Defined (GraphQL 5.8.3): an operation declares every variable that it uses,
/// in its fragments too.
enum AllVariableUsesDefinedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.variableUses.append { operation, uses, context in
            let declared = NameNumbers(operation.variables.lazy.map(\.name.text))
            for use in uses where !declared.contains(use.name) {
                let owner = operation.name.map { " by operation \"\($0.text)\"" } ?? ""
                // Near spellings are the document's own words, which are no secret.
                let near = Suggestions.near(use.name, among: operation.variables.map(\.name.text))
                context.report(
                    "Variable \"$\(use.name)\" is not defined\(owner)."
                        + Suggestions.question(near.map { Text("$\($0)") }),
                    at: use.offset, operation.offset)
            }
        }
    }
}
