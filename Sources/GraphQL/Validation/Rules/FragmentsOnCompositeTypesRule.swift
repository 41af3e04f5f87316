/// Fragments on Object, Interface or Union Types (GraphQL 5.5.1.3): what a fragment applies to
/// has fields.
enum FragmentsOnCompositeTypesRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.inline.append { fragment, _, context in
            if let condition = fragment.typeCondition { check(condition, "Fragment", context) }
        }
        walk.fragment.append { fragment, context in
            check(fragment.typeCondition, "Fragment \"\(fragment.name.text)\"", context)
        }
    }

    private static func check(
        _ condition: Name, _ fragment: @autoclosure () -> String, _ context: ValidationContext
    ) {
        guard let type = context.schema.type(named: condition.text), !type.isComposite else {
            return
        }
        context.report(
            "\(fragment()) cannot condition on non composite type \"\(condition.text)\".",
            at: condition.offset)
    }
}
