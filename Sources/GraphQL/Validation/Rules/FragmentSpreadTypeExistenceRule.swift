import Bytes

/// Fragment Spread Type Existence (GraphQL 5.5.1.2): the schema has the types that fragments
/// apply to, and those of variables (5.8.2).
enum FragmentSpreadTypeExistenceRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.inline.append { fragment, _, context in
            if let condition = fragment.typeCondition { check(condition, context) }
        }
        walk.fragment.append { fragment, context in check(fragment.typeCondition, context) }
        walk.variable.append { variable, context in check(variable.type.name, context) }
    }

    private static func check(_ name: Name, _ context: ValidationContext) {
        if context.schema.typeID(name.text) != nil { return }
        context.report(
            "Unknown type \"\(name.text)\"."
                + context.question(name.text, among: context.schema.types.lazy.map(\.name)),
            at: name.offset)
    }
}
