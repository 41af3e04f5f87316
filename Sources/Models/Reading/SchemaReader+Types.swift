import Bytes
import GraphQL
import JSON

extension SchemaReader {
    /// Sorts the document's definitions into models, embedded types and enums.
    mutating func collectTypes() {
        for definition in document.definitions {
            switch definition {
            case .type(let type): collect(type)
            case .operation(let operation):
                errors.add("an operation cannot stand in a schema", at: operation.offset)
            case .fragment(let fragment):
                errors.add("a fragment cannot stand in a schema", at: fragment.offset)
            case .schema(let schema): check(schema)
            case .directive(let directive):
                let name = directive.name.text.string
                errors.add(
                    "@\(name) cannot be defined here", at: directive.offset,
                    suggestion: DirectiveRule.all[name] == nil
                        ? nil : "leave the definition out; the directive is known")
            }
        }
        if models.isEmpty && errors.isEmpty {
            errors.add("no type has @model", at: 0, suggestion: "put @model on each stored type")
        }
    }

    private mutating func collect(_ type: TypeDefinition) {
        let name = type.name.text.string
        guard !type.isExtension else {
            errors.add(
                "\(name) cannot be extended", at: type.offset,
                suggestion: "write everything into the type itself")
            return
        }
        guard isAllowed(type) else { return }
        guard types.updateValue(type, forKey: name) == nil else {
            errors.add("\(name) is defined twice", at: type.name.offset)
            return
        }
        switch type.kind {
        case .object: collectObject(type)
        case .enumeration:
            check(type.directives, on: .enumeration, of: type)
            check(type.values, of: type)
            enumerations.append(type)
        case .inputObject:
            // Amplify's own way to write one rule for all models.
            if name == "AMPLIFY" { noteGlobalRule(type) } else { refuseInput(type) }
        case .interface, .union:
            check(type.directives, on: type.kind == .union ? .union : .interface, of: type)
            abstract.append(type)
        case .scalar:
            if !FieldScalar.added.contains(where: { $0.rawValue == name }) {
                errors.add(
                    "scalar \(name) is not supported", at: type.name.offset,
                    suggestion: "use String, AWSJSON or another of AppSync's scalars")
            }
        }
    }

    private mutating func check(_ values: [EnumValueDefinition], of type: TypeDefinition) {
        var seen: Set<Text> = []
        for value in values {
            check(value.directives, on: .enumValue, of: type)
            if !seen.insert(value.name.text).inserted {
                errors.add(
                    "\(type.name.text).\(value.name.text) is defined twice", at: value.name.offset)
            }
        }
    }

    /// Names with two underscores are introspection's (GraphQL 2.1.9).
    mutating func checkName(of field: FieldDefinition, in type: TypeDefinition) {
        let name = field.name.text
        guard name.string.hasPrefix("__") else { return }
        errors.add(
            "\(type.name.text).\(name) cannot begin with two underscores", at: field.name.offset)
    }

    private mutating func isAllowed(_ type: TypeDefinition) -> Bool {
        let name = type.name.text.string
        if ["Query", "Mutation", "Subscription"].contains(name) {
            errors.add(
                "fields of \(name) cannot be declared", at: type.name.offset,
                suggestion: "leave the type out; @model makes its fields")
            return false
        }
        let isBuiltIn = FieldScalar.allCases.contains { $0.rawValue == name }
        let isOwnScalar = type.kind == .scalar && isBuiltIn
        if name.hasPrefix("__") || (name.hasPrefix("AWS") || isBuiltIn) && !isOwnScalar {
            errors.add("a type cannot be called \(name)", at: type.name.offset)
            return false
        }
        return true
    }

    private mutating func refuseInput(_ type: TypeDefinition) {
        errors.add(
            "\(type.name.text) is an input type, which is not supported", at: type.name.offset,
            suggestion: "leave it out; inputs are made from the types")
    }

    private mutating func collectObject(_ type: TypeDefinition) {
        let name = type.name.text.string
        let directives = check(type.directives, on: .object, of: type)
        guard directives.contains(where: { $0.name == "model" }) else {
            for directive in directives {
                errors.add(
                    "@\(directive.name) needs @model on the same type", at: directive.offset)
            }
            embedded.append(type)
            return
        }
        modelIDs[name] = models.count
        models.append(
            ModelDefinition(
                name: name, description: type.description, offset: type.name.offset,
                interfaces: type.interfaces, operations: OperationNames(model: name)))
        drafts.append(ModelDraft(type: type, directives: directives))
    }

    private mutating func check(_ schema: SchemaDefinition) {
        for directive in schema.directives {
            errors.add("@\(directive.name.text) cannot stand here", at: directive.offset)
        }
        for root in schema.roots where root.type.text.string.lowercased() != root.kind.rawValue {
            errors.add(
                "the root type of a \(root.kind.rawValue) is named "
                    + Names.upperFirst(root.kind.rawValue), at: root.type.offset)
        }
    }

    private mutating func noteGlobalRule(_ type: TypeDefinition) {
        for field in type.inputFields {
            guard field.name.text == "globalAuthRule", let value = field.defaultValue else {
                errors.add("unknown setting \(field.name.text)", at: field.name.offset)
                continue
            }
            unenforced.append(
                UnenforcedRule(
                    directive: "auth", type: type.name.text, field: field.name.text,
                    location: document.location(at: field.offset),
                    arguments: ["rules": .array([value.untyped { _ in nil } ?? .null])]))
        }
    }

    /// Checks directives of a type or of one of its fields.
    @discardableResult
    mutating func check(
        _ directives: [Directive], on location: DirectiveLocation, of type: TypeDefinition,
        field: Name? = nil
    ) -> [CheckedDirective] {
        DirectiveChecker(location: location, type: type.name, field: field).check(
            directives, errors: &errors, unenforced: &unenforced, in: document)
    }
}
