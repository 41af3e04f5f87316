import Bytes

/// Fragment Spread Target Defined (GraphQL 5.5.2.1): the fragment that is spread exists.
enum FragmentSpreadTargetDefinedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.spread.append { spread, _, context in
            if context.fragment(named: spread.name.text) == nil {
                // Near spellings are the document's own words, which are no secret.
                let near = Suggestions.near(
                    spread.name.text, among: context.fragments.lazy.map(\.name.text))
                context.report(
                    "Unknown fragment \"\(spread.name.text)\"." + Suggestions.question(near),
                    at: spread.name.offset)
            }
        }
    }
}
