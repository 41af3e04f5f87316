/// Executable Definitions (GraphQL 5.1.1): a document to execute defines no types.
enum ExecutableDefinitionsRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.document.append { context in
            for definition in context.document.definitions {
                guard let name = name(of: definition) else { continue }
                context.report("The \(name) definition is not executable.", at: definition.offset)
            }
        }
    }

    private static func name(of definition: Definition) -> String? {
        switch definition {
        case .operation, .fragment: nil
        case .schema: "schema"
        case .type(let type): "\"\(type.name.text)\""
        case .directive(let directive): "\"\(directive.name.text)\""
        }
    }
}
