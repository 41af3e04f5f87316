import Bytes

/// The one walk over a document: finds the types, makes the outline, tells the rules.
///
/// It recurses as deep as the text nests, which the parser has limited; it never follows a
/// spread.
struct Walk {
    private let context: ValidationContext
    private let listeners: Listeners
    private let schema: Schema
    /// Spreads and variables of the operation or fragment that is walked.
    private var spreads: [SelectionOutline.Spread] = []
    private var uses: [VariableUse] = []

    init(_ context: ValidationContext, _ listeners: Listeners) {
        self.context = context
        self.listeners = listeners
        schema = context.schema
    }

    /// Walks over all definitions, then has the rules look at the whole.
    mutating func run() {
        for listener in listeners.document { listener(context) }
        for definition in context.document.definitions where !context.isFull {
            spreads = []
            uses = []
            switch definition {
            case .operation(let operation): visit(operation)
            case .fragment(let fragment): visit(fragment)
            default: break
            }
        }
        if context.isFull { return }
        VariableUsesPerOperation(context).tell(listeners.variableUses)
        for listener in listeners.finished where !context.isFull { listener(context) }
    }

    // MARK: Definitions

    private mutating func visit(_ operation: OperationDefinition) {
        for listener in listeners.operation { listener(operation, context) }
        for variable in operation.variables where !context.isFull { visit(variable) }
        visit(operation.directives, at: operation.kind.directiveLocation)
        let set = visit(operation.selections, on: schema.rootType(operation.kind))
        context.operationSets.append(set)
        context.graph.spreadsOfOperations.append(spreads)
        context.operationUses.append(uses)
    }

    private mutating func visit(_ fragment: FragmentDefinition) {
        for listener in listeners.fragment { listener(fragment, context) }
        visit(fragment.directives, at: .fragmentDefinition)
        let set = visit(fragment.selections, on: compositeType(fragment.typeCondition))
        context.graph.spreadsOfFragments[context.fragmentSets.count] = spreads
        context.fragmentSets.append(set)
        context.fragmentUses.append(uses)
    }

    private mutating func visit(_ variable: VariableDefinition) {
        for listener in listeners.variable { listener(variable, context) }
        if let value = variable.defaultValue {
            visit(value, for: ValuePlace(type: inputType(variable.type)))
        }
        visit(variable.directives, at: .variableDefinition)
    }

    // MARK: Selections

    /// Walks over a selection set on a type and answers its place in the outline.
    private mutating func visit(_ selections: [Selection], on parent: TypeID?) -> Int {
        let set = context.outline.openSet(of: selections.count)
        for selection in selections where !context.isFull {
            switch selection {
            case .field(let field): visit(field, on: parent, in: set)
            case .spread(let spread): visit(spread, on: parent, in: set)
            case .inline(let fragment): visit(fragment, on: parent, in: set)
            }
        }
        return set
    }

    private mutating func visit(_ field: FieldSelection, on parent: TypeID?, in set: Int) {
        let definition = parent.flatMap { schema.field(named: field.name.text, on: $0) }
            .map { schema.fields[$0] }
        let place = FieldPlace(parent: parent, definition: definition)
        for listener in listeners.field { listener(field, place, context) }
        if !field.arguments.isEmpty || definition?.arguments.isEmpty == false {
            visit(
                ArgumentList(
                    owner: .field(field.name.text, on: parent), arguments: field.arguments,
                    declared: definition?.arguments, offset: field.offset))
        }
        visit(field.directives, at: .field)
        let index = context.outline.append(
            field, on: parent, isObject: parent.map { schema.kind(of: $0) == .object } ?? false,
            type: definition?.type, to: set)
        if field.selections.isEmpty { return }
        let type = (definition?.type.named).flatMap { schema.isComposite($0) ? $0 : nil }
        let inner = visit(field.selections, on: type)
        context.outline.setSelections(of: index, to: inner)
    }

    private mutating func visit(_ spread: FragmentSpread, on parent: TypeID?, in set: Int) {
        for listener in listeners.spread { listener(spread, parent, context) }
        visit(spread.directives, at: .fragmentSpread)
        guard let fragment = context.fragment(named: spread.name.text) else { return }
        context.outline.append(.spread(fragment), to: set)
        spreads.append(SelectionOutline.Spread(fragment: fragment, offset: spread.offset))
    }

    private mutating func visit(_ fragment: InlineFragment, on parent: TypeID?, in set: Int) {
        for listener in listeners.inline { listener(fragment, parent, context) }
        visit(fragment.directives, at: .inlineFragment)
        let type = fragment.typeCondition.map { compositeType($0) } ?? parent
        let inner = visit(fragment.selections, on: type)
        context.outline.append(.inline(inner), to: set)
    }

    // MARK: Directives, arguments, values

    mutating func visit(_ directives: [Directive], at location: DirectiveLocation) {
        if directives.isEmpty { return }
        for listener in listeners.directives { listener(directives, location, context) }
        for directive in directives where !context.isFull {
            let declared = schema.directive(named: directive.name.text)
            visit(
                ArgumentList(
                    owner: .directive(directive.name.text), arguments: directive.arguments,
                    declared: declared?.arguments, offset: directive.offset))
        }
    }

    private mutating func visit(_ list: ArgumentList) {
        for listener in listeners.arguments { listener(list, context) }
        for argument in list.arguments where !context.isFull {
            let declared = list.declared?.first { $0.name == argument.name.text }
            visit(argument.value, for: ValuePlace(declared))
        }
    }

    private mutating func visit(_ value: Literal, for place: ValuePlace) {
        for listener in listeners.value { listener(value, place, context) }
        switch value.kind {
        case .variable(let name):
            uses.append(VariableUse(name: name, offset: value.offset, place: place))
        case .list(let items):
            // A list that is no value of its place is one error; its items are not judged.
            let inner = ValuePlace(type: place.type?.item)
            for item in items where !context.isFull { visit(item, for: inner) }
        case .object(let fields):
            let type = context.inputObject(for: place)
            for field in fields where !context.isFull {
                let declared = type?.inputField(field.name.text)
                visit(
                    field.value,
                    for: ValuePlace(declared, oneOf: type?.isOneOf == true ? type?.name : nil))
            }
        default: break
        }
    }

    // MARK: Types

    private func compositeType(_ name: Name) -> TypeID? {
        schema.typeID(name.text).flatMap { schema.isComposite($0) ? $0 : nil }
    }

    private func inputType(_ reference: TypeReference) -> TypeUse? {
        schema.use(of: reference).flatMap { schema.isInput($0.named) ? $0 : nil }
    }
}

extension OperationKind {
    /// Where the directives of such an operation stand.
    fileprivate var directiveLocation: DirectiveLocation {
        switch self {
        case .query: .query
        case .mutation: .mutation
        case .subscription: .subscription
        }
    }
}
