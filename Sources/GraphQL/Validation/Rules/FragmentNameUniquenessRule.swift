/// Fragment Name Uniqueness (GraphQL 5.5.1.1): no two fragments have one name.
enum FragmentNameUniquenessRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.fragment.append { fragment, context in
            let name = fragment.name
            guard let index = context.fragment(named: name.text) else { return }
            let first = context.fragments[index].name.offset
            if first == name.offset { return }
            context.report(
                "There can be only one fragment named \"\(name.text)\".",
                at: first, name.offset)
        }
    }
}
