/// Fragments Must Be Used (GraphQL 5.5.1.4): some operation reaches every fragment.
enum FragmentsMustBeUsedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.finished.append { context in
            let isReached = context.graph.reachedFragments()
            for fragment in context.fragments where !context.isFull {
                // A second fragment of one name is another rule's error.
                guard let index = context.fragment(named: fragment.name.text), !isReached[index]
                else { continue }
                context.report(
                    "Fragment \"\(fragment.name.text)\" is never used.", at: fragment.offset)
            }
        }
    }
}
