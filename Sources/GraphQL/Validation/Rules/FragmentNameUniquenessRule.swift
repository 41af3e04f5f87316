import Bytes

/// Fragment Name Uniqueness (GraphQL 5.5.1.1): no two fragments have one name.
enum FragmentNameUniquenessRule: Rule {
    static func join(_ walk: inout Listeners) {
        var seen: [Text: Int] = [:]
        walk.fragment.append { fragment, context in
            let name = fragment.name
            if let first = seen[name.text] {
                context.report(
                    "There can be only one fragment named \"\(name.text)\".",
                    at: first, name.offset)
            } else {
                seen[name.text] = name.offset
            }
        }
    }
}
