/// Fragments Must Be Used (GraphQL 5.5.1.4): some operation reaches every fragment.
enum FragmentsMustBeUsedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.finished.append { context in
            let isReached = context.graph.reachedFragments()
            for (index, fragment) in context.fragments.enumerated() where !isReached[index] {
                context.report(
                    "Fragment \"\(fragment.name.text)\" is never used.", at: fragment.offset)
            }
        }
    }
}
