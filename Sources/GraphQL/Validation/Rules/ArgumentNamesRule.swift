/// Argument Names (GraphQL 5.4.1): the field or directive declares the argument.
enum ArgumentNamesRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.arguments.append { list, context in
            guard let declared = list.declared else { return }
            let kind = if case .field = list.owner { "field" } else { "directive" }
            for argument in list.arguments where !context.isFull {
                let name = argument.name.text
                if declared.contains(where: { $0.name == name }) { continue }
                context.report(
                    "Unknown argument \"\(name)\" on \(kind) \"\(list.coordinate(context))\"."
                        + context.question(name, among: declared.lazy.map(\.name)),
                    at: argument.name.offset)
            }
        }
    }
}
