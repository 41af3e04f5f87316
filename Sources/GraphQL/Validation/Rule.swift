import Bytes

/// A rule for executable documents (GraphQL 5). One a file, named as in the specification.
///
/// A rule says once and for all what of the walk it wants to hear. What it remembers of one
/// document lives in the context.
protocol Rule: Sendable {
    /// Adds the rule's listeners.
    static func join(_ walk: inout Listeners)
}

/// What rules hear during the one walk over a document, and after it.
struct Listeners: Sendable {
    typealias Context = ValidationContext

    /// Before the walk.
    var document: [@Sendable (Context) -> Void] = []
    /// At each operation, before what is in it.
    var operation: [@Sendable (OperationDefinition, Context) -> Void] = []
    /// At each fragment's definition, before what is in it.
    var fragment: [@Sendable (FragmentDefinition, Context) -> Void] = []
    /// At each declared variable; its type is nil if it does not exist.
    var variable: [@Sendable (VariableDefinition, Context) -> Void] = []
    /// At each selected field.
    var field: [@Sendable (FieldSelection, FieldPlace, Context) -> Void] = []
    /// At each named spread, with the type it stands on.
    var spread: [@Sendable (FragmentSpread, TypeID?, Context) -> Void] = []
    /// At each inline fragment, with the type it stands on.
    var inline: [@Sendable (InlineFragment, TypeID?, Context) -> Void] = []
    /// At each place that has directives.
    var directives: [@Sendable ([Directive], DirectiveLocation, Context) -> Void] = []
    /// At each field, and at each directive that exists.
    var arguments: [@Sendable (ArgumentList, Context) -> Void] = []
    /// At each value, with what it is for; then at the values in it.
    var value: [@Sendable (Literal, ValuePlace, Context) -> Void] = []
    /// After the walk, for each operation: the variables used in it and in its fragments.
    var variableUses: [@Sendable (OperationDefinition, [VariableUse], Context) -> Void] = []
    /// After the walk.
    var finished: [@Sendable (Context) -> Void] = []
}

/// Where a field stands.
struct FieldPlace {
    /// The type that it is selected on, if that is known and has fields.
    var parent: TypeID?
    /// The schema's field, if there is one.
    var definition: SchemaField?
}

/// Written arguments beside the declared ones.
struct ArgumentList {
    /// Who takes the arguments.
    enum Owner {
        case field(Text, on: TypeID?)
        case directive(Text)
    }

    var owner: Owner
    var arguments: [Argument]
    /// What the schema declares; nil if it knows no such field or directive.
    var declared: [InputValue]?
    /// Where the field or directive stands.
    var offset: Int

    /// The owner's schema coordinate (GraphQL 2.15): `Type.field` or `@directive`; without the
    /// type if the schema is not to be told.
    func coordinate(_ context: ValidationContext) -> String {
        switch owner {
        case .field(let name, let type):
            type.map { context.words("\(context.name(of: $0)).\(name)", hidden: name.string) }
                ?? name.string
        case .directive(let name): "@\(name)"
        }
    }
}

/// What a value is for.
struct ValuePlace {
    /// The type expected; nil if it is not known.
    var type: TypeUse?
    /// Whether the argument or input field has a default.
    var hasDefault = false
    /// The `@oneOf` input object that the value is a field of.
    var oneOf: Text?

    init(type: TypeUse?) { self.type = type }

    init(_ declared: InputValue?, oneOf: Text? = nil) {
        type = declared?.type
        hasDefault = declared?.defaultValue != nil
        self.oneOf = oneOf
    }
}

/// A variable where it is used.
struct VariableUse {
    var name: Text
    var offset: Int
    var place: ValuePlace
}
