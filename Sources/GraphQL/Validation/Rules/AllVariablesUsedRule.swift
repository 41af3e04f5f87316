import Bytes

/// All Variables Used (GraphQL 5.8.4): an operation uses every variable that it declares.
enum AllVariablesUsedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.variableUses.append { operation, uses, context in
            if operation.variables.isEmpty { return }
            let used = NameNumbers(uses.lazy.map(\.name))
            for variable in operation.variables where !used.contains(variable.name.text) {
                let owner = operation.name.map { " in operation \"\($0.text)\"" } ?? ""
                context.report(
                    "Variable \"$\(variable.name.text)\" is never used\(owner).",
                    at: variable.offset)
            }
        }
    }
}
