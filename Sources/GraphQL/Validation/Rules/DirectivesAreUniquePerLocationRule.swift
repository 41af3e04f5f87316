/// Directives Are Unique per Location (GraphQL 5.7.3), but for repeatable ones.
enum DirectivesAreUniquePerLocationRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.directives.append { directives, _, context in
            for group in Repeats.groups(of: directives, by: \.name) where !context.isFull {
                let name = group[0].text
                guard context.schema.directive(named: name)?.isRepeatable == false else { continue }
                let offsets = directives.lazy.filter { $0.name.text == name }.map(\.offset)
                guard let first = offsets.first else { continue }
                for again in offsets.dropFirst() where !context.isFull {
                    context.report(
                        "The directive \"@\(name)\" can only be used once at this location.",
                        at: first, again)
                }
            }
        }
    }
}
