/// Leaf Field Selections (GraphQL 5.3.3): scalars and enums are selected without braces, all
/// other types with them.
enum LeafFieldSelectionsRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.field.append { field, place, context in
            guard let type = place.definition?.type else { return }
            let name = field.name.text
            let isComposite = context.schema.isComposite(type.named)
            if isComposite, field.selections.isEmpty {
                context.report(
                    context.words(
                        "Field \"\(name)\" of type \"\(context.text(of: type))\" must have a "
                            + "selection of subfields. Did you mean \"\(name) { ... }\"?",
                        hidden: "Field \"\(name)\" must have a selection of subfields."),
                    at: field.offset)
            } else if !isComposite, let first = field.selections.first {
                context.report(
                    context.words(
                        "Field \"\(name)\" must not have a selection since type "
                            + "\"\(context.text(of: type))\" has no subfields.",
                        hidden: "Field \"\(name)\" must not have a selection."),
                    at: context.braceOffset(before: first.offset))
            }
        }
    }
}
