/// Fragment Spread Target Defined (GraphQL 5.5.2.1): the fragment that is spread exists.
enum FragmentSpreadTargetDefinedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.spread.append { spread, _, context in
            if context.fragment(named: spread.name.text) == nil {
                context.report(
                    "Unknown fragment \"\(spread.name.text)\".", at: spread.name.offset)
            }
        }
    }
}
