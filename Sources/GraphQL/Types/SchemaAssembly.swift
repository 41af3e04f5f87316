import Bytes
import JSON

/// One run of the builder: merges extensions, numbers types and fields, resolves names and
/// coerces defaults. Gathers problems instead of stopping at the first.
struct SchemaAssembly {
    private let builder: SchemaBuilder
    private var documents: [Document]
    private var definitions: [SchemaBuilder.Entry<TypeDefinition>] = []
    private var typeIDs: [Text: TypeID] = [:]
    private var fields: [SchemaField] = []
    private var errors: [GraphQLError] = []
    private var operatorTypes = 0

    /// The document that is looked at, for locations.
    private var document = 0

    init(_ builder: SchemaBuilder) {
        self.builder = builder
        documents = builder.documents
    }

    /// Makes the schema or says everything that is wrong.
    mutating func assemble() throws(SchemaProblems) -> Schema {
        let directiveDefinitions = gather()
        mergeExtensions()
        let roots = resolveRoots()
        var types: [SchemaType] = []
        types.reserveCapacity(definitions.count)
        for (id, entry) in definitions.enumerated() {
            document = entry.document
            types.append(resolve(entry.node, id, isRoot: roots.values.contains(id)))
        }
        addPossibleTypes(to: &types)
        var directives: [SchemaDirective] = []
        for entry in directiveDefinitions {
            document = entry.document
            directives.append(resolve(entry.node))
        }
        if errors.isEmpty { coerceDefaults(of: &types, &directives) }
        guard errors.isEmpty, let query = roots[.query] else {
            throw SchemaProblems(errors: errors)
        }
        let meta = addMetaFields(query: query)
        return Schema(
            types: types, fields: fields, directives: directives,
            description: builder.schemas.first { $0.node.description != nil }?.node.description,
            roots: roots, queryType: query, meta: meta)
    }

    private mutating func report(_ message: String, at offset: Int) {
        let source = documents[document]
        let locations = source.source.isEmpty ? [] : [source.location(at: offset)]
        errors.append(GraphQLError(message, locations: locations))
    }

    private mutating func reportUnknownType(_ name: Name) {
        let near = Suggestions.near(name.text, among: typeIDs.keys)
        report(
            "unknown type \"\(name.text)\"." + Suggestions.question(near), at: name.offset)
    }

    // MARK: Gathering

    /// Numbers the types: the built-in scalars, the operator's, introspection's. Returns the
    /// directives; the operator may replace a built-in one.
    private mutating func gather() -> [SchemaBuilder.Entry<DirectiveDefinition>] {
        var directives: [SchemaBuilder.Entry<DirectiveDefinition>] = []
        let own = Set(builder.directives.map { $0.node.name.text })
        for definition in addBuiltIn(BuiltIns.definitions) {
            guard case .directive(let directive) = definition.node else { continue }
            if !own.contains(directive.name.text) {
                directives.append(
                    SchemaBuilder.Entry(node: directive, document: definition.document))
            }
        }
        for entry in builder.types {
            let name = entry.node.name
            document = entry.document
            if BuiltIns.Scalar.allCases.contains(where: { $0.name == name.text }) { continue }
            checkName(name, "type")
            if typeIDs.updateValue(definitions.count, forKey: name.text) != nil {
                report("there is more than one type \"\(name.text)\"", at: name.offset)
            }
            definitions.append(entry)
        }
        operatorTypes = definitions.count
        _ = addBuiltIn(Introspection.definitions)
        var seen: Set<Text> = []
        for entry in builder.directives {
            document = entry.document
            let name = entry.node.name
            checkName(name, "directive")
            if !seen.insert(name.text).inserted {
                report("there is more than one directive \"@\(name.text)\"", at: name.offset)
            }
            directives.append(entry)
        }
        return directives
    }

    private mutating func addBuiltIn(_ text: Text) -> [SchemaBuilder.Entry<Definition>] {
        guard let parsed = try? Document(parsing: text, limits: .schema) else {
            preconditionFailure("the built-in definitions are not GraphQL")
        }
        documents.append(parsed)
        for definition in parsed.definitions {
            guard case .type(let type) = definition else { continue }
            typeIDs[type.name.text] = definitions.count
            definitions.append(SchemaBuilder.Entry(node: type, document: documents.count - 1))
        }
        return parsed.definitions.map {
            SchemaBuilder.Entry(node: $0, document: documents.count - 1)
        }
    }

    private mutating func checkName(_ name: Name, _ what: String) {
        if name.text.hasPrefix("__") {
            report(
                "\(what) \"\(name.text)\" must not begin with two underscores, which are "
                    + "introspection's", at: name.offset)
        }
    }

    private mutating func mergeExtensions() {
        for entry in builder.extensions {
            document = entry.document
            let node = entry.node
            guard let id = typeIDs[node.name.text] else {
                report(
                    "type \"\(node.name.text)\" is extended but not defined", at: node.name.offset)
                continue
            }
            guard definitions[id].node.kind == node.kind else {
                report(
                    "type \"\(node.name.text)\" is extended as another kind of type",
                    at: node.name.offset)
                continue
            }
            if node.directives.contains(where: { $0.name.text == "oneOf" }) {
                report("@oneOf cannot be added by an extension", at: node.offset)
            }
            definitions[id].node.interfaces += node.interfaces
            definitions[id].node.directives += node.directives
            definitions[id].node.fields += node.fields
            definitions[id].node.members += node.members
            definitions[id].node.values += node.values
            definitions[id].node.inputFields += node.inputFields
        }
    }

    private mutating func resolveRoots() -> [OperationKind: TypeID] {
        var roots: [OperationKind: TypeID] = [:]
        let hasDefinition = builder.schemas.contains { !$0.node.isExtension }
        if builder.schemas.filter({ !$0.node.isExtension }).count > 1 {
            report("there is more than one schema definition", at: 0)
        }
        for entry in builder.schemas {
            document = entry.document
            for root in entry.node.roots {
                guard let id = typeIDs[root.type.text] else {
                    reportUnknownType(root.type)
                    continue
                }
                if roots.updateValue(id, forKey: root.kind) != nil {
                    report("there is more than one \(root.kind.rawValue) root", at: root.offset)
                }
            }
        }
        if !hasDefinition {
            roots[.query] = roots[.query] ?? typeIDs["Query"]
            roots[.mutation] = roots[.mutation] ?? typeIDs["Mutation"]
            roots[.subscription] = roots[.subscription] ?? typeIDs["Subscription"]
        }
        if roots[.query] == nil { report("the schema has no query root type", at: 0) }
        for kind in OperationKind.allCases {
            guard let id = roots[kind] else { continue }
            let node = definitions[id].node
            document = definitions[id].document
            if node.kind != .object {
                report("the \(kind.rawValue) root must be an object type", at: node.offset)
            }
        }
        if Set(roots.values).count < roots.count {
            report("the root types must be different from each other", at: 0)
        }
        return roots
    }

    // MARK: Resolving

    private mutating func resolve(
        _ node: TypeDefinition, _ id: TypeID, isRoot: Bool
    ) -> SchemaType {
        checkNotEmpty(node)
        let owner = "type \"\(node.name.text)\""
        checkUnique(node.fields.map(\.name), "field", in: owner)
        checkUnique(node.inputFields.map(\.name), "field", in: owner)
        checkUnique(node.values.map(\.name), "value", in: owner)
        checkUnique(node.interfaces, "interface", in: owner)
        checkUnique(node.members, "member", in: owner)
        for field in node.fields { checkName(field.name, "field") }
        for value in node.values { checkName(value.name, "value") }
        let first = fields.count
        for field in node.fields {
            fields.append(resolve(field, of: node, id, isRoot: isRoot))
        }
        let interfaces = node.interfaces.compactMap { typeID($0, mustBe: .interface) }
        let members = node.members.compactMap { typeID($0, mustBe: .object) }
        let inputFields = node.inputFields.map { resolve($0, owner: node.name.text) }
        let scalar = BuiltIns.Scalar(rawValue: id)
        let coercion = scalar?.coercion ?? builder.coercions[node.name.text] ?? .any
        return SchemaType(
            node, id: id, fields: Array(first..<fields.count), interfaces: interfaces,
            possibleTypes: node.kind == .object ? [id] : members,
            enumValues: node.values.map {
                EnumValue(
                    name: $0.name.text, description: $0.description,
                    deprecationReason: deprecation($0.directives))
            },
            inputFields: inputFields, coercion: node.kind == .scalar ? coercion : nil)
    }

    private mutating func checkNotEmpty(_ node: TypeDefinition) {
        let isEmpty =
            switch node.kind {
            case .scalar: false
            case .object, .interface: node.fields.isEmpty
            case .union: node.members.isEmpty
            case .enumeration: node.values.isEmpty
            case .inputObject: node.inputFields.isEmpty
            }
        if isEmpty { report("type \"\(node.name.text)\" defines nothing", at: node.offset) }
    }

    private mutating func checkUnique(_ names: [Name], _ what: String, in owner: String) {
        var seen: Set<Text> = []
        for name in names {
            if !seen.insert(name.text).inserted {
                report(
                    "\(owner) has more than one \(what) \"\(name.text)\"", at: name.offset)
            }
        }
    }

    private mutating func typeID(_ name: Name, mustBe kind: TypeKind) -> TypeID? {
        guard let id = typeIDs[name.text] else {
            reportUnknownType(name)
            return nil
        }
        if definitions[id].node.kind != kind {
            let expected = kind == .interface ? "an interface" : "an object type"
            report("type \"\(name.text)\" is not \(expected)", at: name.offset)
            return nil
        }
        return id
    }

    private mutating func resolve(
        _ field: FieldDefinition, of type: TypeDefinition, _ id: TypeID, isRoot: Bool
    ) -> SchemaField {
        let owner = "field \"\(type.name.text).\(field.name.text)\""
        checkUnique(field.arguments.map(\.name), "argument", in: owner)
        let name = field.name.text
        let source = builder.sources[.init(type: type.name.text, field: name)]
        return SchemaField(
            id: fields.count, parent: id, name: name, description: field.description,
            arguments: field.arguments.map { resolve($0, owner: type.name.text) },
            type: use(of: field.type, isInput: false),
            deprecationReason: deprecation(field.directives),
            source: source ?? (isRoot ? .ask : .member(name)),
            page: builder.pages[.init(type: type.name.text, field: name)])
    }

    private mutating func resolve(_ node: InputValueDefinition, owner: Text) -> InputValue {
        checkName(node.name, "argument or field")
        let reason = deprecation(node.directives)
        let value = InputValue(
            name: node.name.text, description: node.description,
            type: use(of: node.type, isInput: true), defaultLiteral: node.defaultValue,
            deprecationReason: reason)
        if reason != nil, value.isRequired {
            report(
                "\"\(node.name.text)\" of \"\(owner)\" is required and cannot be deprecated",
                at: node.offset)
        }
        return value
    }

    private mutating func resolve(_ node: DirectiveDefinition) -> SchemaDirective {
        checkUnique(node.arguments.map(\.name), "argument", in: "directive \"@\(node.name.text)\"")
        return SchemaDirective(
            name: node.name.text, description: node.description,
            arguments: node.arguments.map { resolve($0, owner: node.name.text) },
            isRepeatable: node.isRepeatable, locations: node.locations)
    }

    private mutating func use(of reference: TypeReference, isInput: Bool) -> TypeUse {
        let name = reference.name
        guard let use = TypeUse(reference, typeID: { typeIDs[$0.name.text] }) else {
            if typeIDs[name.text] == nil {
                reportUnknownType(name)
            } else {
                report(
                    "a type has more than \(TypeUse.listsMax) list levels", at: reference.offset)
            }
            return TypeUse(BuiltIns.Scalar.string.rawValue)
        }
        let kind = definitions[use.named].node.kind
        if isInput, kind == .object || kind == .interface || kind == .union {
            report("type \"\(name.text)\" cannot be an input", at: reference.offset)
        }
        if !isInput, kind == .inputObject {
            report("type \"\(name.text)\" cannot be an output", at: reference.offset)
        }
        return use
    }

    private func deprecation(_ directives: [Directive]) -> Text? {
        guard let directive = directives.first(where: { $0.name.text == "deprecated" }) else {
            return nil
        }
        return directive.argument("reason")?.string ?? "No longer supported"
    }

    /// Interfaces are implemented by all objects that declare them, in the written order.
    private func addPossibleTypes(to types: inout [SchemaType]) {
        var implementations: [TypeID: [TypeID]] = [:]
        for type in types where type.kind == .object {
            for interface in type.interfaces {
                implementations[interface, default: []] += [type.id]
            }
        }
        for (interface, objects) in implementations {
            types[interface] = types[interface].with(possibleTypes: objects)
        }
    }

    // MARK: Defaults

    private mutating func coerceDefaults(
        of types: inout [SchemaType], _ directives: inout [SchemaDirective]
    ) {
        let coercion = InputCoercion(types: types)
        for id in types.indices {
            document = definitions[id].document
            let type = types[id]
            let inputFields = coerced(type.inputFields, coercion, owner: type.name)
            types[id] = type.with(inputFields: inputFields)
            for field in type.fields {
                let arguments = coerced(fields[field].arguments, coercion, owner: type.name)
                fields[field] = fields[field].with(arguments: arguments)
            }
        }
        for index in directives.indices {
            let directive = directives[index]
            directives[index] = directive.with(
                arguments: coerced(directive.arguments, coercion, owner: directive.name))
        }
    }

    private mutating func coerced(
        _ values: [InputValue], _ coercion: InputCoercion, owner: Text
    ) -> [InputValue] {
        var result = values
        for (index, value) in values.enumerated() {
            guard let literal = value.defaultLiteral else { continue }
            do throws(InputError) {
                result[index] = value.with(
                    defaultValue: try coercion.coerce(
                        literal, value.type, variables: { _ in nil }))
            } catch {
                report(
                    "default of \"\(value.name)\" of \"\(owner)\": \(error.message)",
                    at: error.offset ?? literal.offset)
            }
        }
        return result
    }

    /// Appends `__typename`, `__schema` and `__type(name:)`.
    private mutating func addMetaFields(query: TypeID) -> MetaFields {
        let string = TypeUse(BuiltIns.Scalar.string.rawValue)
        guard let schema = typeIDs["__Schema"], let type = typeIDs["__Type"] else {
            preconditionFailure("the introspection types are not defined")
        }
        let name = InputValue(
            name: "name", description: nil, type: string.nonNull, deprecationReason: nil)
        let first = fields.count
        let entries: [(Text, TypeUse, [InputValue])] = [
            ("__typename", string.nonNull, []), ("__schema", TypeUse(schema).nonNull, []),
            ("__type", TypeUse(type), [name]),
        ]
        for (index, entry) in entries.enumerated() {
            fields.append(
                SchemaField(
                    id: first + index, parent: query, name: entry.0, description: nil,
                    arguments: entry.2, type: entry.1, deprecationReason: nil,
                    source: .member(entry.0)))
        }
        return MetaFields(
            typename: first, schema: first + 1, type: first + 2,
            types: operatorTypes..<definitions.count)
    }
}
