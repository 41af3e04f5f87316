public import Bytes

/// The three kinds of operations.
public enum OperationKind: String, Sendable, Hashable, CaseIterable {
    /// Reads.
    case query
    /// Writes, then reads.
    case mutation
    /// Answers each event of a stream.
    case subscription
}

/// An operation (GraphQL 2.3).
public struct OperationDefinition: Sendable {
    /// Its description; of no meaning for execution.
    public var description: Text?
    /// Query, mutation or subscription.
    public var kind: OperationKind
    /// Its name, if it has one.
    public var name: Name?
    /// The variables it declares.
    public var variables: [VariableDefinition]
    /// Directives on the operation.
    public var directives: [Directive]
    /// What it selects of the root type; never empty.
    public var selections: [Selection]
    /// Its first byte.
    public var offset: Int
}

/// A fragment's definition (GraphQL 2.8).
public struct FragmentDefinition: Sendable {
    /// Its description; of no meaning for execution.
    public var description: Text?
    /// Its name, which is never `on`.
    public var name: Name
    /// The type that it applies to.
    public var typeCondition: Name
    /// Directives on the definition.
    public var directives: [Directive]
    /// What it selects; never empty.
    public var selections: [Selection]
    /// Its first byte.
    public var offset: Int
}

/// A declared variable (GraphQL 2.10).
public struct VariableDefinition: Sendable {
    /// Its description; of no meaning for execution.
    public var description: Text?
    /// Its name without the dollar sign.
    public var name: Name
    /// Its type.
    public var type: TypeReference
    /// Its default, if there is one; holds no variable.
    public var defaultValue: Literal?
    /// Directives on the definition.
    public var directives: [Directive]
    /// Its first byte: the description's, or the dollar sign.
    public var offset: Int
}

/// One entry of a selection set (GraphQL 2.4). One reference: rules and plans pass them around.
public enum Selection: Sendable {
    /// A field.
    case field(FieldSelection)
    /// `...Name`.
    case spread(FragmentSpread)
    /// `... on Type { … }`.
    case inline(InlineFragment)

    /// Its directives.
    public var directives: [Directive] {
        switch self {
        case .field(let field): field.directives
        case .spread(let spread): spread.directives
        case .inline(let fragment): fragment.directives
        }
    }

    /// Its first byte.
    public var offset: Int {
        switch self {
        case .field(let field): field.offset
        case .spread(let spread): spread.offset
        case .inline(let fragment): fragment.offset
        }
    }
}

/// A selected field (GraphQL 2.5). Its offset is unique in the document.
public final class FieldSelection: Sendable {
    /// The name to answer under, if not the field's own.
    public let alias: Name?
    /// The field's name.
    public let name: Name
    /// Its arguments, in the written order.
    public let arguments: [Argument]
    /// Its directives.
    public let directives: [Directive]
    /// What it selects of its type; empty exactly if no selection set is written.
    public let selections: [Selection]
    /// Its first byte.
    public let offset: Int

    /// The name to answer under: the alias, or the field's name.
    public var responseName: Text { (alias ?? name).text }

    init(
        alias: Name?, name: Name, arguments: [Argument], directives: [Directive],
        selections: [Selection], offset: Int
    ) {
        self.alias = alias
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.selections = selections
        self.offset = offset
    }
}

/// `...Name` (GraphQL 2.8).
public final class FragmentSpread: Sendable {
    /// The fragment's name.
    public let name: Name
    /// Its directives.
    public let directives: [Directive]
    /// Its first byte.
    public let offset: Int

    init(name: Name, directives: [Directive], offset: Int) {
        self.name = name
        self.directives = directives
        self.offset = offset
    }
}

/// `... on Type { … }` (GraphQL 2.8.2).
public final class InlineFragment: Sendable {
    /// The type that it applies to; nil for the enclosing one.
    public let typeCondition: Name?
    /// Its directives.
    public let directives: [Directive]
    /// What it selects; never empty.
    public let selections: [Selection]
    /// Its first byte.
    public let offset: Int

    init(typeCondition: Name?, directives: [Directive], selections: [Selection], offset: Int) {
        self.typeCondition = typeCondition
        self.directives = directives
        self.selections = selections
        self.offset = offset
    }
}

/// `name: value` of a field or directive (GraphQL 2.6).
public struct Argument: Sendable {
    /// Its name.
    public var name: Name
    /// Its value, which may be or hold variables.
    public var value: Literal

    /// An argument.
    public init(name: Name, value: Literal) {
        self.name = name
        self.value = value
    }
}

/// `@name(…)` where it is used (GraphQL 2.12).
public struct Directive: Sendable {
    /// Its name without the at sign.
    public var name: Name
    /// Its arguments.
    public var arguments: [Argument]
    /// Its first byte, the at sign.
    public var offset: Int

    /// A use of a directive.
    public init(name: Name, arguments: [Argument] = [], offset: Int = 0) {
        self.name = name
        self.arguments = arguments
        self.offset = offset
    }

    /// The value of the argument of that name.
    public func argument(_ name: Text) -> Literal? {
        arguments.first { $0.name.text == name }?.value
    }
}
