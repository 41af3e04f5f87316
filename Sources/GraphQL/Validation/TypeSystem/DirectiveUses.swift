import Bytes

/// The directives that stand in a document's definitions, checked by the rules that hold for
/// directives in executable documents.
struct DirectiveUses {
    private let document: Document
    private let context: ValidationContext
    private let walk: Walk

    init(
        _ document: Document, _ schema: Schema, _ limits: DocumentLimits,
        _ options: ValidationOptions
    ) {
        self.document = document
        context = ValidationContext(document, schema, limits, options)
        var listeners = Listeners()
        for rule in TypeSystemRules.directiveUses { rule.join(&listeners) }
        walk = Walk(context, listeners)
    }

    /// All errors, those of types first.
    func errors() -> [GraphQLError] {
        var walk = walk
        visitTypes(&walk)
        visitSchema(&walk)
        for definition in document.definitions {
            guard case .directive(let directive) = definition else { continue }
            visit(directive.arguments, at: .argumentDefinition, &walk)
        }
        return context.findings.errors(in: document)
    }

    /// What extensions add counts as standing in one place with what they extend.
    private func visitTypes(_ walk: inout Walk) {
        var names: [Text] = []
        var directives: [Text: (location: DirectiveLocation, list: [Directive])] = [:]
        for definition in document.definitions {
            guard case .type(let type) = definition else { continue }
            let name = type.name.text
            if directives[name] == nil {
                names.append(name)
                directives[name] = (type.kind.directiveLocation, [])
            }
            directives[name]?.list += type.directives
            for field in type.fields {
                walk.visit(field.directives, at: .fieldDefinition)
                visit(field.arguments, at: .argumentDefinition, &walk)
            }
            for value in type.values { walk.visit(value.directives, at: .enumValue) }
            visit(type.inputFields, at: .inputFieldDefinition, &walk)
        }
        for name in names {
            guard let uses = directives[name] else { continue }
            walk.visit(uses.list, at: uses.location)
        }
    }

    private func visitSchema(_ walk: inout Walk) {
        var directives: [Directive] = []
        for definition in document.definitions {
            if case .schema(let schema) = definition { directives += schema.directives }
        }
        walk.visit(directives, at: .schema)
    }

    private func visit(
        _ values: [InputValueDefinition], at location: DirectiveLocation, _ walk: inout Walk
    ) {
        for value in values { walk.visit(value.directives, at: location) }
    }
}

extension TypeKind {
    /// Where the directives of such a type stand.
    fileprivate var directiveLocation: DirectiveLocation {
        switch self {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enumeration: .enumeration
        case .inputObject: .inputObject
        }
    }
}
