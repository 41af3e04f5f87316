import Bytes

/// Directives Are Defined (GraphQL 5.7.1): the schema has the directive.
enum DirectivesAreDefinedRule: Rule {
    /// Directives of drafts for incremental delivery, which some clients send on trial. They are
    /// refused by name: "unknown" would let one look for a mistake of one's own.
    private static let incremental: [Text] = ["defer", "stream"]

    static func join(_ walk: inout Listeners) {
        walk.directives.append { directives, _, context in
            for directive in directives where !context.isFull {
                let name = directive.name.text
                if context.schema.directive(named: name) != nil { continue }
                context.report(message(name, context), at: directive.offset)
            }
        }
    }

    private static func message(_ name: Text, _ context: ValidationContext) -> String {
        if incremental.contains(name) {
            return "Directive \"@\(name)\" is not supported: each operation is answered in one "
                + "piece. Leave it out."
        }
        return "Unknown directive \"@\(name)\"."
            + context.words(question(name, context.schema), hidden: "")
    }

    private static func question(_ name: Text, _ schema: Schema) -> String {
        let near = Suggestions.near(name, among: schema.directives.lazy.map(\.name))
        return Suggestions.question(near.map { Text("@\($0)") })
    }
}
