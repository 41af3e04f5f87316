public import Bytes

/// `schema { query: Q … }` or an extension of it (GraphQL 3.3).
public struct SchemaDefinition: Sendable {
    /// One root: which kind of operation begins at which type.
    public struct Root: Sendable {
        /// The kind of operation.
        public var kind: OperationKind
        /// The root type's name.
        public var type: Name
        /// Its first byte.
        public var offset: Int
    }

    /// Its description.
    public var description: Text?
    /// Whether it says `extend`.
    public var isExtension: Bool
    /// Its directives.
    public var directives: [Directive]
    /// Its roots.
    public var roots: [Root]
    /// Its first byte.
    public var offset: Int
}

/// The kinds of named types, with their names in introspection.
public enum TypeKind: String, Sendable, Hashable, CaseIterable {
    /// A leaf with a form of its own.
    case scalar = "SCALAR"
    /// A type with fields.
    case object = "OBJECT"
    /// Fields that several objects have.
    case interface = "INTERFACE"
    /// One of several objects.
    case union = "UNION"
    /// One of several names.
    case enumeration = "ENUM"
    /// An object given as an argument.
    case inputObject = "INPUT_OBJECT"
}

/// A named type's definition or extension (GraphQL 3.4). Only the members that its kind has are
/// filled.
public struct TypeDefinition: Sendable {
    /// Its description.
    public var description: Text?
    /// Whether it says `extend`.
    public var isExtension: Bool
    /// Which kind of type.
    public var kind: TypeKind
    /// Its name.
    public var name: Name
    /// Interfaces that an object or interface declares.
    public var interfaces: [Name]
    /// Its directives.
    public var directives: [Directive]
    /// Fields of an object or interface.
    public var fields: [FieldDefinition]
    /// Members of a union.
    public var members: [Name]
    /// Values of an enum.
    public var values: [EnumValueDefinition]
    /// Fields of an input object.
    public var inputFields: [InputValueDefinition]
    /// Its first byte.
    public var offset: Int

    /// A definition, also for types made in code.
    public init(
        kind: TypeKind, name: Name, description: Text? = nil, isExtension: Bool = false,
        interfaces: [Name] = [], directives: [Directive] = [], fields: [FieldDefinition] = [],
        members: [Name] = [], values: [EnumValueDefinition] = [],
        inputFields: [InputValueDefinition] = [], offset: Int = 0
    ) {
        self.kind = kind
        self.name = name
        self.description = description
        self.isExtension = isExtension
        self.interfaces = interfaces
        self.directives = directives
        self.fields = fields
        self.members = members
        self.values = values
        self.inputFields = inputFields
        self.offset = offset
    }
}

/// A field of an object or interface (GraphQL 3.6).
public struct FieldDefinition: Sendable {
    /// Its description.
    public var description: Text?
    /// Its name.
    public var name: Name
    /// Its arguments.
    public var arguments: [InputValueDefinition]
    /// Its type.
    public var type: TypeReference
    /// Its directives.
    public var directives: [Directive]
    /// Its first byte.
    public var offset: Int

    /// A field, also for types made in code.
    public init(
        name: Name, type: TypeReference, description: Text? = nil,
        arguments: [InputValueDefinition] = [], directives: [Directive] = [], offset: Int = 0
    ) {
        self.name = name
        self.type = type
        self.description = description
        self.arguments = arguments
        self.directives = directives
        self.offset = offset
    }
}

/// An argument, or a field of an input object (GraphQL 3.6.1, 3.10).
public struct InputValueDefinition: Sendable {
    /// Its description.
    public var description: Text?
    /// Its name.
    public var name: Name
    /// Its type.
    public var type: TypeReference
    /// Its default, if there is one; holds no variable.
    public var defaultValue: Literal?
    /// Its directives.
    public var directives: [Directive]
    /// Its first byte.
    public var offset: Int

    /// An input value, also for types made in code.
    public init(
        name: Name, type: TypeReference, description: Text? = nil,
        defaultValue: Literal? = nil, directives: [Directive] = [], offset: Int = 0
    ) {
        self.name = name
        self.type = type
        self.description = description
        self.defaultValue = defaultValue
        self.directives = directives
        self.offset = offset
    }
}

/// A value of an enum (GraphQL 3.9).
public struct EnumValueDefinition: Sendable {
    /// Its description.
    public var description: Text?
    /// The value; never `true`, `false` or `null`.
    public var name: Name
    /// Its directives.
    public var directives: [Directive]
    /// Its first byte.
    public var offset: Int

    /// A value, also for types made in code.
    public init(
        name: Name, description: Text? = nil, directives: [Directive] = [], offset: Int = 0
    ) {
        self.name = name
        self.description = description
        self.directives = directives
        self.offset = offset
    }
}

/// `directive @name … on …` (GraphQL 3.13).
public struct DirectiveDefinition: Sendable {
    /// Its description.
    public var description: Text?
    /// Its name without the at sign.
    public var name: Name
    /// Its arguments.
    public var arguments: [InputValueDefinition]
    /// Whether it may stand several times in one place.
    public var isRepeatable: Bool
    /// Where it may stand.
    public var locations: [DirectiveLocation]
    /// Its first byte.
    public var offset: Int

    /// A definition, also for directives made in code.
    public init(
        name: Name, description: Text? = nil, arguments: [InputValueDefinition] = [],
        isRepeatable: Bool = false, locations: [DirectiveLocation], offset: Int = 0
    ) {
        self.name = name
        self.description = description
        self.arguments = arguments
        self.isRepeatable = isRepeatable
        self.locations = locations
        self.offset = offset
    }
}

/// Where a directive may stand (GraphQL 3.13).
public enum DirectiveLocation: String, Sendable, Hashable, CaseIterable {
    /// A query.
    case query = "QUERY"
    /// A mutation.
    case mutation = "MUTATION"
    /// A subscription.
    case subscription = "SUBSCRIPTION"
    /// A selected field.
    case field = "FIELD"
    /// A fragment's definition.
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    /// `...Name`.
    case fragmentSpread = "FRAGMENT_SPREAD"
    /// `... on Type`.
    case inlineFragment = "INLINE_FRAGMENT"
    /// A declared variable.
    case variableDefinition = "VARIABLE_DEFINITION"
    /// The schema.
    case schema = "SCHEMA"
    /// A scalar.
    case scalar = "SCALAR"
    /// An object type.
    case object = "OBJECT"
    /// A field's definition.
    case fieldDefinition = "FIELD_DEFINITION"
    /// An argument's definition.
    case argumentDefinition = "ARGUMENT_DEFINITION"
    /// An interface.
    case interface = "INTERFACE"
    /// A union.
    case union = "UNION"
    /// An enum.
    case enumeration = "ENUM"
    /// A value of an enum.
    case enumValue = "ENUM_VALUE"
    /// An input object.
    case inputObject = "INPUT_OBJECT"
    /// A field of an input object.
    case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}
