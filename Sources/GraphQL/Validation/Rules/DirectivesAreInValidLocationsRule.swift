/// Directives Are in Valid Locations (GraphQL 5.7.2).
enum DirectivesAreInValidLocationsRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.directives.append { directives, location, context in
            for directive in directives where !context.isFull {
                guard let declared = context.schema.directive(named: directive.name.text),
                    !declared.locations.contains(location)
                else { continue }
                context.report(
                    "Directive \"@\(declared.name)\" may not be used on \(location.words).",
                    at: directive.offset)
            }
        }
    }
}

extension DirectiveLocation {
    /// The location in the words of a message: `fragment spread`.
    var words: String {
        String(rawValue.lowercased().map { $0 == "_" ? " " : $0 })
    }
}
