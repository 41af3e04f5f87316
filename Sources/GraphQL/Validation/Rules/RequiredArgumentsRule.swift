/// Required Arguments (GraphQL 5.4.3): arguments of a non-null type without a default are given.
/// That a given one is not null is a matter of the values' rule.
enum RequiredArgumentsRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.arguments.append { list, context in
            for declared in list.declared ?? [] where declared.isRequired {
                if list.arguments.contains(where: { $0.name.text == declared.name }) { continue }
                let owner = list.coordinate(context)
                context.report(
                    context.words(
                        "Argument \"\(owner)(\(declared.name):)\" of type "
                            + "\"\(context.text(of: declared.type))\" is required, "
                            + "but it was not provided.",
                        hidden: "A required argument of \"\(owner)\" was not provided."),
                    at: list.offset)
            }
        }
    }
}
