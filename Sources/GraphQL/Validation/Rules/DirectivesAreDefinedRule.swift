/// Directives Are Defined (GraphQL 5.7.1): the schema has the directive.
enum DirectivesAreDefinedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.directives.append { directives, _, context in
            for directive in directives where !context.isFull {
                if context.schema.directive(named: directive.name.text) != nil { continue }
                context.report(
                    "Unknown directive \"@\(directive.name.text)\".", at: directive.offset)
            }
        }
    }
}
