public import Bytes

/// All that keeps definitions from being a schema: never empty.
public struct SchemaProblems: Error, Sendable {
    /// What is wrong, in the order of the definitions.
    public var errors: [GraphQLError]

    /// Problems.
    public init(errors: [GraphQLError]) { self.errors = errors }
}

/// Collects definitions, parsed or made in code, and makes an immutable `Schema` of them.
///
///     var builder = SchemaBuilder()
///     builder.add(try Document(parsing: sdl, limits: .schema))
///     builder.setSource(.slot(0), of: "id", on: "Message")
///     let schema = try builder.build()
///
/// Built-in scalars and directives and introspection's types are added by itself. A field's
/// source is `.ask` on root types and `.member` of its name elsewhere, unless set.
public struct SchemaBuilder: Sendable {
    /// A definition with the document it stands in, for locations.
    struct Entry<Node: Sendable>: Sendable {
        var node: Node
        var document: Int
    }

    /// A field by its type's name and its own.
    struct FieldName: Hashable, Sendable {
        var type: Text
        var field: Text
    }

    private(set) var types: [Entry<TypeDefinition>] = []
    private(set) var extensions: [Entry<TypeDefinition>] = []
    private(set) var directives: [Entry<DirectiveDefinition>] = []
    private(set) var schemas: [Entry<SchemaDefinition>] = []
    private(set) var documents: [Document] = [Document(definitions: [])]
    private(set) var sources: [FieldName: FieldSource] = [:]
    private(set) var pages: [FieldName: PageSize] = [:]
    private(set) var coercions: [Text: ScalarCoercion] = [:]

    /// A builder without definitions of its own.
    public init() {}

    /// Adds all definitions of a document; operations and fragments are passed over.
    public mutating func add(_ document: Document) {
        documents.append(document)
        let index = documents.count - 1
        for definition in document.definitions {
            switch definition {
            case .type(let type): add(type, document: index)
            case .directive(let directive):
                directives.append(Entry(node: directive, document: index))
            case .schema(let schema): schemas.append(Entry(node: schema, document: index))
            case .operation, .fragment: break
            }
        }
    }

    /// Adds a type, or an extension of one, that was made in code.
    public mutating func add(_ type: TypeDefinition) { add(type, document: 0) }

    /// Adds a directive that was made in code.
    public mutating func add(_ directive: DirectiveDefinition) {
        directives.append(Entry(node: directive, document: 0))
    }

    private mutating func add(_ type: TypeDefinition, document: Int) {
        if type.isExtension {
            extensions.append(Entry(node: type, document: document))
        } else {
            types.append(Entry(node: type, document: document))
        }
    }

    /// Says at which type operations of a kind begin, instead of the type named after the kind.
    public mutating func setRoot(_ kind: OperationKind, _ type: Text) {
        let root = SchemaDefinition.Root(kind: kind, type: Name(type), offset: 0)
        let schema = SchemaDefinition(
            isExtension: true, directives: [], roots: [root], offset: 0)
        schemas.append(Entry(node: schema, document: 0))
    }

    /// Says where a field's value comes from.
    public mutating func setSource(_ source: FieldSource, of field: Text, on type: Text) {
        sources[FieldName(type: type, field: field)] = source
    }

    /// Says how many items the list may have that a field gives.
    public mutating func setPage(_ page: PageSize, of field: Text, on type: Text) {
        pages[FieldName(type: type, field: field)] = page
    }

    /// Says how a custom scalar is read and written; without, any value passes as it is.
    public mutating func setCoercion(_ coercion: ScalarCoercion, of scalar: Text) {
        coercions[scalar] = coercion
    }

    /// Makes the schema.
    ///
    /// - Throws: everything that is wrong with the definitions.
    public func build() throws(SchemaProblems) -> Schema {
        var assembly = SchemaAssembly(self)
        return try assembly.assemble()
    }
}
