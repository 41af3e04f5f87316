import Bytes

/// All Variable Uses Defined (GraphQL 5.8.3): an operation declares every variable that it uses,
/// in its fragments too.
enum AllVariableUsesDefinedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.variableUses.append { operation, uses, context in
            let declared = NameNumbers(operation.variables.lazy.map(\.name.text))
            for use in uses where !declared.contains(use.name) {
                let owner = operation.name.map { " by operation \"\($0.text)\"" } ?? ""
                context.report(
                    "Variable \"$\(use.name)\" is not defined\(owner).",
                    at: use.offset, operation.offset)
            }
        }
    }
}
