/// Input Object Field Uniqueness (GraphQL 5.6.3): no field of an input object is given twice.
enum InputObjectFieldUniquenessRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.value.append { value, _, context in
            guard case .object(let fields) = value.kind else { return }
            for group in Repeats.groups(of: fields, by: \.name) {
                for again in group.dropFirst() where !context.isFull {
                    context.report(
                        "There can be only one input field named \"\(group[0].text)\".",
                        at: group[0].offset, again.offset)
                }
            }
        }
    }
}
