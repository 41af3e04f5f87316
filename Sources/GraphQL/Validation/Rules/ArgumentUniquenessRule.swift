/// Argument Uniqueness (GraphQL 5.4.2): no argument is given twice.
enum ArgumentUniquenessRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.arguments.append { list, context in
            for group in Repeats.groups(of: list.arguments, by: \.name) {
                context.report(
                    "There can be only one argument named \"\(group[0].text)\".",
                    at: group.map(\.offset))
            }
        }
    }
}
