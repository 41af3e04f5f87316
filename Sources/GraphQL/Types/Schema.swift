public import Bytes
public import JSON

/// Where an output field's value comes from.
public enum FieldSource: Sendable, Hashable {
    /// The parent's slot: of a record, or of an object made of parts.
    case slot(Int)
    /// The member of that name of an embedded JSON object.
    case member(Text)
    /// A data source: execution asks and waits.
    case ask
}

/// An output field's definition, resolved.
public final class SchemaField: Sendable {
    /// Its place in `Schema.fields`.
    public let id: FieldID
    /// The object or interface it belongs to.
    public let parent: TypeID
    /// Its name.
    public let name: Text
    /// Its description.
    public let description: Text?
    /// Its arguments, in the written order.
    public let arguments: [InputValue]
    /// Its type.
    public let type: TypeUse
    /// Why not to use it any more; nil if it is not deprecated.
    public let deprecationReason: Text?
    /// Where its value comes from.
    public let source: FieldSource
    /// How many items the list may have that it gives; nil if no argument says so.
    public let page: PageSize?

    /// The argument of that name.
    public func argument(_ name: Text) -> InputValue? { arguments.first { $0.name == name } }

    init(
        id: FieldID, parent: TypeID, name: Text, description: Text?, arguments: [InputValue],
        type: TypeUse, deprecationReason: Text?, source: FieldSource, page: PageSize? = nil
    ) {
        self.id = id
        self.parent = parent
        self.name = name
        self.description = description
        self.arguments = arguments
        self.type = type
        self.deprecationReason = deprecationReason
        self.source = source
        self.page = page
    }

    /// The same field with other arguments.
    func with(arguments: [InputValue]) -> SchemaField {
        SchemaField(
            id: id, parent: parent, name: name, description: description, arguments: arguments,
            type: type, deprecationReason: deprecationReason, source: source, page: page)
    }
}

/// An argument or a field of an input object, resolved.
public final class InputValue: Sendable {
    /// Its name.
    public let name: Text
    /// Its description.
    public let description: Text?
    /// Its type.
    public let type: TypeUse
    /// Its default, coerced; nil without one.
    public let defaultValue: JSONValue?
    /// The default as it was written, until the builder has coerced it.
    let defaultLiteral: Literal?
    /// Why not to use it any more; nil if it is not deprecated.
    public let deprecationReason: Text?

    /// Whether it must be given (GraphQL 5.4.3).
    public var isRequired: Bool { type.isNonNull && !hasDefault }

    var hasDefault: Bool { defaultValue != nil || defaultLiteral != nil }

    init(
        name: Text, description: Text?, type: TypeUse, defaultValue: JSONValue? = nil,
        defaultLiteral: Literal? = nil, deprecationReason: Text?
    ) {
        self.name = name
        self.description = description
        self.type = type
        self.defaultValue = defaultValue
        self.defaultLiteral = defaultLiteral
        self.deprecationReason = deprecationReason
    }

    /// The same input value with its default coerced.
    func with(defaultValue: JSONValue) -> InputValue {
        InputValue(
            name: name, description: description, type: type, defaultValue: defaultValue,
            deprecationReason: deprecationReason)
    }
}

/// A value of an enum.
public final class EnumValue: Sendable {
    /// The value.
    public let name: Text
    /// Its description.
    public let description: Text?
    /// Why not to use it any more; nil if it is not deprecated.
    public let deprecationReason: Text?

    init(name: Text, description: Text?, deprecationReason: Text?) {
        self.name = name
        self.description = description
        self.deprecationReason = deprecationReason
    }
}

/// A directive that documents may use.
public final class SchemaDirective: Sendable {
    /// Its name without the at sign.
    public let name: Text
    /// Its description.
    public let description: Text?
    /// Its arguments.
    public let arguments: [InputValue]
    /// Whether it may stand several times in one place.
    public let isRepeatable: Bool
    /// Where it may stand.
    public let locations: [DirectiveLocation]

    /// The argument of that name.
    public func argument(_ name: Text) -> InputValue? { arguments.first { $0.name == name } }

    init(
        name: Text, description: Text?, arguments: [InputValue], isRepeatable: Bool,
        locations: [DirectiveLocation]
    ) {
        self.name = name
        self.description = description
        self.arguments = arguments
        self.isRepeatable = isRepeatable
        self.locations = locations
    }

    /// The same directive with other arguments.
    func with(arguments: [InputValue]) -> SchemaDirective {
        SchemaDirective(
            name: name, description: description, arguments: arguments,
            isRepeatable: isRepeatable, locations: locations)
    }
}

/// A named type, resolved. Only the members that its kind has are filled.
public final class SchemaType: Sendable {
    /// Its place in `Schema.types`.
    public let id: TypeID
    /// Which kind of type.
    public let kind: TypeKind
    /// Its name.
    public let name: Text
    /// Its description.
    public let description: Text?
    /// Fields of an object or interface, in the written order: places in `Schema.fields`.
    public let fields: [FieldID]
    /// Interfaces of an object or interface, in the written order.
    public let interfaces: [TypeID]
    /// Object types that a value may have: an object itself, a union's members, an interface's
    /// implementations.
    public let possibleTypes: [TypeID]
    /// Values of an enum.
    public let enumValues: [EnumValue]
    /// Fields of an input object, in the written order.
    public let inputFields: [InputValue]
    /// How a scalar is read and written.
    public let coercion: ScalarCoercion?
    /// A scalar's `@specifiedBy`.
    public let specifiedByURL: Text?
    /// Whether an input object takes exactly one field.
    public let isOneOf: Bool

    let inputFieldIndex: NameIndex
    let enumValueIndex: NameIndex

    /// A type of a definition whose parts are resolved.
    init(
        _ node: TypeDefinition, id: TypeID, fields: [FieldID], interfaces: [TypeID],
        possibleTypes: [TypeID], enumValues: [EnumValue], inputFields: [InputValue],
        coercion: ScalarCoercion?
    ) {
        self.id = id
        kind = node.kind
        name = node.name.text
        description = node.description
        self.fields = fields
        self.interfaces = interfaces
        self.possibleTypes = possibleTypes
        self.enumValues = enumValues
        self.inputFields = inputFields
        self.coercion = coercion
        specifiedByURL =
            node.directives.last { $0.name.text == "specifiedBy" }?.argument("url")?.string
        isOneOf = node.directives.contains { $0.name.text == "oneOf" }
        inputFieldIndex = NameIndex(inputFields.map(\.name))
        enumValueIndex = NameIndex(enumValues.map(\.name))
    }

    /// The same type with other input fields of the same names, or other possible types.
    private init(_ type: SchemaType, inputFields: [InputValue], possibleTypes: [TypeID]) {
        id = type.id
        kind = type.kind
        name = type.name
        description = type.description
        fields = type.fields
        interfaces = type.interfaces
        self.possibleTypes = possibleTypes
        enumValues = type.enumValues
        self.inputFields = inputFields
        coercion = type.coercion
        specifiedByURL = type.specifiedByURL
        isOneOf = type.isOneOf
        inputFieldIndex = type.inputFieldIndex
        enumValueIndex = type.enumValueIndex
    }

    func with(inputFields: [InputValue]) -> SchemaType {
        SchemaType(self, inputFields: inputFields, possibleTypes: possibleTypes)
    }

    func with(possibleTypes: [TypeID]) -> SchemaType {
        SchemaType(self, inputFields: inputFields, possibleTypes: possibleTypes)
    }

    /// Whether values are objects: object, interface or union.
    public var isComposite: Bool { kind == .object || kind == .interface || kind == .union }

    /// Whether it may stand as a type of arguments and variables.
    public var isInput: Bool { kind == .scalar || kind == .enumeration || kind == .inputObject }

    /// Whether it may stand as a type of fields.
    public var isOutput: Bool { kind != .inputObject }

    /// The input field of that name.
    public func inputField(_ name: Text) -> InputValue? {
        inputFieldIndex[name].map { inputFields[$0] }
    }

    /// The enum value of that name.
    public func enumValue(_ name: Text) -> EnumValue? {
        enumValueIndex[name].map { enumValues[$0] }
    }
}

/// A complete, immutable type system, made by `SchemaBuilder` and shared by all shards.
///
/// Types and output fields are numbered densely, so that plans and data sources keep arrays
/// instead of dictionaries. Introspection's own types are among them, at the end.
public final class Schema: Sendable {
    /// All named types: the built-in scalars, then in the written order, then introspection's.
    public let types: [SchemaType]
    /// All output fields of all types; each type's stand together.
    public let fields: [SchemaField]
    /// All directives, the built-in ones first.
    public let directives: [SchemaDirective]
    /// The schema's description.
    public let description: Text?
    /// Where queries begin.
    public let queryType: TypeID
    /// Where mutations begin.
    public let mutationType: TypeID?
    /// Where subscriptions begin.
    public let subscriptionType: TypeID?

    /// The meta fields `__schema`, `__type` and `__typename`, which no type lists.
    let meta: MetaFields
    private let typeIndex: NameIndex
    private let directiveIndex: NameIndex
    /// The types of fields and input values.
    private let referenced: Set<TypeID>
    /// The fields of all types, by type and name.
    private let fieldIndex: NameIndex

    init(
        types: [SchemaType], fields: [SchemaField], directives: [SchemaDirective],
        description: Text?, roots: [OperationKind: TypeID], queryType: TypeID, meta: MetaFields
    ) {
        self.types = types
        self.fields = fields
        self.directives = directives
        self.description = description
        self.queryType = queryType
        self.meta = meta
        mutationType = roots[.mutation]
        subscriptionType = roots[.subscription]
        typeIndex = NameIndex(types.map(\.name))
        directiveIndex = NameIndex(directives.map(\.name))
        let values =
            fields.flatMap(\.arguments) + directives.flatMap(\.arguments)
            + types.flatMap(\.inputFields)
        referenced = Set(fields.map(\.type.named) + values.map(\.type.named))
        fieldIndex = NameIndex(
            types.flatMap { type in
                type.fields.map { (owner: type.id, name: fields[$0].name, place: $0) }
            })
    }

    /// Whether introspection tells of the type: all but a built-in scalar that nothing in the
    /// schema refers to (GraphQL 3.5).
    func isShown(_ type: TypeID) -> Bool {
        type >= BuiltIns.Scalar.allCases.count || referenced.contains(type)
    }

    /// The type of that name.
    public func typeID(_ name: Text) -> TypeID? { typeIndex[name] }

    /// The type of that name.
    public func type(named name: Text) -> SchemaType? { typeIndex[name].map { types[$0] } }

    /// The directive of that name.
    public func directive(named name: Text) -> SchemaDirective? {
        directiveIndex[name].map { directives[$0] }
    }

    /// Where operations of a kind begin, or nil if the schema has none.
    public func rootType(_ kind: OperationKind) -> TypeID? {
        switch kind {
        case .query: queryType
        case .mutation: mutationType
        case .subscription: subscriptionType
        }
    }

    /// The field of that name on an object, interface or union, or nil.
    ///
    /// Meta fields count: `__typename` on all of them, but not at the root of subscriptions;
    /// `__schema` and `__type` at the root of queries (GraphQL 4.1, 4.2).
    public func field(named name: Text, on type: TypeID) -> FieldID? {
        if let id = fieldIndex.place(of: name, in: type) { return id }
        guard name.byteCount > 5, name.hasPrefix("__") else { return nil }
        if name == "__typename" {
            return types[type].isComposite && type != subscriptionType ? meta.typename : nil
        }
        guard type == queryType else { return nil }
        if name == "__schema" { return meta.schema }
        return name == "__type" ? meta.type : nil
    }

    /// Whether an object type may stand where `type` is expected.
    public func isPossible(_ object: TypeID, for type: TypeID) -> Bool {
        if object == type { return true }
        switch types[type].kind {
        case .interface: return types[object].interfaces.contains(type)
        case .union: return types[type].possibleTypes.contains(object)
        default: return false
        }
    }

    /// What a written type means here, or nil if it names no type of this schema.
    public func use(of reference: TypeReference) -> TypeUse? {
        TypeUse(reference) { typeID($0.name.text) }
    }

    /// Fields and type names that begin with two underscores are introspection's.
    var introspectionTypes: Range<TypeID> { meta.types }
}

/// The numbers of introspection's fields and types.
struct MetaFields: Sendable {
    var typename: FieldID
    var schema: FieldID
    var type: FieldID
    var types: Range<TypeID>
}
