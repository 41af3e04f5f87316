import Bytes
import GraphQL
import JSON
import Records

/// Makes the whole API of a schema's models, and the table of what its fields do.
struct APIGenerator {
    /// A field by its type's name and its own.
    struct FieldName: Hashable {
        var type: Text
        var field: Text
    }

    private let reader: SchemaReader
    private var errors: ErrorList
    private var builder = SchemaBuilder()
    private var actions: [FieldName: FieldAction] = [:]
    private var names: Set<Text> = []
    /// The input twins of the types without `@model`, placed where those are written.
    private var twins: [TypeDefinition] = []

    init(_ reader: SchemaReader) {
        self.reader = reader
        errors = reader.errors
    }

    /// The API's schema, and for each of its fields what it does.
    mutating func generate() throws(SchemaErrors) -> (Schema, [FieldAction?]) {
        let roots = RootFields(reader.models)
        addRoot("Query", roots.query)
        addRoot("Mutation", roots.mutation)
        addRoot("Subscription", roots.subscription)
        for id in reader.models.indices { addModel(id) }
        for type in reader.embedded { addEmbedded(type) }
        for type in reader.abstract { addAbstract(type) }
        for type in reader.enumerations { addEnumeration(type) }
        for type in SharedTypes.all { add(type) }
        for scalar in FieldScalar.added {
            builder.setCoercion(scalar.coercion, of: Text(scalar.rawValue))
        }
        if roots.query.isEmpty {
            errors.add("no model has a query", at: 0, suggestion: "leave one model its queries")
        }
        if let errors = errors.errors { throw errors }
        let schema = try build()
        try check(schema)
        return (
            schema,
            schema.fields.map { field in
                actions[FieldName(type: schema.types[field.parent].name, field: field.name)]
            }
        )
    }

    private func build() throws(SchemaErrors) -> Schema {
        do throws(SchemaProblems) {
            return try builder.build()
        } catch {
            // What is wrong here was made, not written; the SDL's start stands for its place.
            let place = SourceLocation(line: 1, column: 1)
            throw SchemaErrors(
                error.errors.map {
                    SchemaError("in the generated API: \($0.message)", location: place)
                }, source: reader.document.source)
        }
    }

    /// Checks what holds between types (GraphQL 3), such as that each input object can be written.
    ///
    /// The SDL's directives are checked while it is read and are none of the API's, so the
    /// document that errors are placed in has its types without them, and the twins of the
    /// embedded types.
    private func check(_ schema: Schema) throws(SchemaErrors) {
        var definitions = twins.map { Definition.type($0) }
        for case .type(var type) in reader.document.definitions where type.kind != .scalar {
            type.directives = []
            for index in type.fields.indices { type.fields[index].directives = [] }
            for index in type.values.indices { type.values[index].directives = [] }
            definitions.append(.type(type))
        }
        let document = Document(definitions: definitions, source: reader.document.source)
        let found = validate(schema, definedBy: [document])
        if found.isEmpty { return }
        let errors = found.map { error in
            SchemaError(
                "in the generated API: \(error.message)",
                location: error.locations.first ?? SourceLocation(line: 1, column: 1))
        }
        throw SchemaErrors(errors, source: reader.document.source)
    }

    /// Adds a generated type; a type of the SDL with its name is an error.
    private mutating func add(_ type: TypeDefinition, isWritten: Bool = false) {
        let name = type.name.text
        if !isWritten, let written = reader.types[name.string], written.kind != .scalar {
            errors.add(
                "\(name) has the name of a type of the generated API", at: written.name.offset)
        } else if names.insert(name).inserted {
            builder.add(type)
        } else {
            // The generated name holds the name of a model or enum that it comes from.
            let clash = reader.types.values.filter { name.string.contains($0.name.text.string) }
                .map(\.name.offset).max()
            errors.add("two generated types are called \(name)", at: clash ?? 0)
        }
    }

    private mutating func addRoot(_ name: Text, _ entries: [RootFields.Entry]) {
        if entries.isEmpty { return }
        var seen: Set<Text> = []
        for entry in entries {
            let field = entry.definition.name.text
            if !seen.insert(field).inserted {
                errors.add("two fields of \(name) are called \(field)", at: entry.offset)
            }
            checkArguments(of: entry)
            actions[FieldName(type: name, field: field)] = entry.action
            builder.setSource(.ask, of: field, on: name)
            setPage(of: field, on: name, entry.action)
        }
        add(
            TypeDefinition(
                kind: .object, name: Name(name), fields: entries.map(\.definition)))
    }

    /// A key's field may have the name of another argument of its query.
    private mutating func checkArguments(of entry: RootFields.Entry) {
        var seen: Set<Text> = []
        for argument in entry.definition.arguments
        where !seen.insert(argument.name.text).inserted {
            errors.add(
                "\(entry.definition.name.text) has two arguments \(argument.name.text)",
                at: entry.offset, suggestion: "give the key's field another name")
        }
    }

    private mutating func addModel(_ id: ModelID) {
        let model = reader.models[id]
        let types = ModelTypes(models: reader.models, id: id)
        add(types.output, isWritten: true)
        let name = Text(model.name)
        for field in model.output {
            switch field {
            case .stored(let slot):
                builder.setSource(.slot(slot), of: Text(model.stored[slot].name), on: name)
            case .toOne(let field):
                ask(Text(field.name), on: name, action(of: field, in: model))
            case .toMany(let field):
                ask(Text(field.name), on: name, .list(action(of: field)))
                addComposite(ListShape(field, of: reader.models))
            }
        }
        for type in types.all { add(type) }
        let connection = Text(ModelTypes.connection(model.name))
        builder.setSource(.slot(0), of: "items", on: connection)
        builder.setSource(.slot(1), of: "nextToken", on: connection)
        for (index, definition) in model.indexes.enumerated()
        where definition.queryField != nil {
            addComposite(ListShape(model, index: index))
        }
        if model.hasCustomKey { addComposite(ListShape(model, index: nil)) }
    }

    /// Several lists may share the types of one index's composite condition.
    private mutating func addComposite(_ shape: ListShape) {
        for type in shape.compositeTypes where !names.contains(type.name.text) { add(type) }
    }

    private mutating func ask(_ field: Text, on type: Text, _ action: FieldAction) {
        builder.setSource(.ask, of: field, on: type)
        setPage(of: field, on: type, action)
        actions[FieldName(type: type, field: field)] = action
    }

    /// Tells how many records a list's field may give, for the estimate of an operation's cost.
    private mutating func setPage(of field: Text, on type: Text, _ action: FieldAction) {
        guard case .list(let list) = action else { return }
        builder.setPage(
            PageSize(argument: "limit", usual: list.limit, max: ListLimits.max), of: field,
            on: type)
    }

    private func action(of field: ToOneField, in model: ModelDefinition) -> FieldAction {
        switch field.way {
        case .foreignKey(let relation):
            .toOne(target: field.target, foreignKey: model.relations[relation].foreignKey)
        case .index(let index, let from):
            .toOneByIndex(target: field.target, index: index, from: from)
        }
    }

    private func action(of field: ToManyField) -> ListAction {
        ListAction(
            field: Text(field.name), model: field.target,
            source: field.index.map { .index($0) } ?? .key, from: field.from,
            sort: ListShape(field, of: reader.models).compiler, limit: field.limit)
    }

    // MARK: Types of the SDL

    private mutating func addEmbedded(_ type: TypeDefinition) {
        var output = type
        output.directives = []
        for index in output.fields.indices {
            output.fields[index].directives.removeAll { $0.name.text != "deprecated" }
        }
        add(output, isWritten: true)
        let inputs = type.fields.map { field in
            InputValueDefinition(
                name: field.name, type: inputType(field.type), description: field.description)
        }
        let twin = TypeDefinition(
            kind: .inputObject,
            name: Name(Text("\(type.name.text)Input"), offset: type.name.offset),
            description: type.description, inputFields: inputs)
        twins.append(twin)
        add(twin)
    }

    /// An interface or union, and its input twin if fields may be of it: a `@oneOf` with one
    /// field for each type, so that what is given says which type it is.
    private mutating func addAbstract(_ type: TypeDefinition) {
        var output = type
        output.directives = []
        for index in output.fields.indices {
            output.fields[index].directives.removeAll { $0.name.text != "deprecated" }
        }
        add(output, isWritten: true)
        let possible = reader.possibleTypes(of: type)
        if possible.isEmpty || possible.contains(where: { reader.modelIDs[$0] != nil }) { return }
        let twin = TypeDefinition(
            kind: .inputObject,
            name: Name(Text("\(type.name.text)Input"), offset: type.name.offset),
            description: type.description, directives: [Directive(name: "oneOf")],
            inputFields: possible.map {
                InputValueDefinition(Names.lowerFirst($0), "\($0)Input")
            })
        add(twin)
    }

    private func inputType(_ type: TypeReference) -> TypeReference {
        switch type {
        case .named(let name):
            let isEmbedded = (reader.embedded + reader.abstract)
                .contains { $0.name.text == name.text }
            return .named(isEmbedded ? Name(Text("\(name.text)Input")) : Name(name.text))
        case .list(let item, _): return .list(inputType(item), offset: 0)
        case .nonNull(let inner): return .nonNull(inputType(inner))
        }
    }

    private mutating func addEnumeration(_ type: TypeDefinition) {
        add(type, isWritten: true)
        let name = type.name.text.string
        add(.input("Model\(name)Input", [("eq", name), ("ne", name)]))
        add(
            .input(
                "Model\(name)ListInput",
                [
                    ("eq", "[\(name)]"), ("ne", "[\(name)]"), ("contains", name),
                    ("notContains", name),
                ]))
    }
}

extension FieldScalar {
    /// The check that the GraphQL room calls for each value.
    var coercion: ScalarCoercion {
        ScalarCoercion(input: { value in
            accepts(value)
                ? .success(value)
                : .failure(CoercionError("\(rawValue) wants \(form), not such \(value.kindName)"))
        })
    }
}
