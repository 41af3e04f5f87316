/// Input Object Required Fields (GraphQL 5.6.4): fields of a non-null type without a default are
/// given. That a given one is not null is a matter of the values' rule.
enum InputObjectRequiredFieldsRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.value.append { value, place, context in
            guard case .object(let fields) = value.kind,
                let type = context.inputObject(for: place)
            else { return }
            for declared in type.inputFields where declared.isRequired && !context.isFull {
                if fields.contains(where: { $0.name.text == declared.name }) { continue }
                context.report(
                    context.words(
                        "Expected value of type \"\(type.name)\" to include required field "
                            + "\"\(declared.name)\" of type "
                            + "\"\(context.text(of: declared.type))\".",
                        hidden: "Expected value to include all required fields."),
                    at: value.offset)
            }
        }
    }
}
