import Bytes

/// Single Root Field (GraphQL 5.2.4.1): a subscription selects one field of its root, not one of
/// introspection's, and without conditions, since its stream is made before any event.
enum SingleRootFieldRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.operation.append { operation, context in
            guard operation.kind == .subscription,
                let root = context.schema.subscriptionType
            else { return }
            var selection = RootSelection(root: root, context: context)
            selection.collect(operation.selections)
            // Many subscriptions may share one large fragment.
            if !context.spend(selection.steps) { return }
            report(selection, operation, context)
        }
    }

    private static func report(
        _ selection: RootSelection, _ operation: OperationDefinition, _ context: ValidationContext
    ) {
        let owner = operation.name.map { "Subscription \"\($0.text)\"" } ?? "Anonymous Subscription"
        if !selection.conditions.isEmpty {
            context.report(
                "\(owner) must not use `@skip` or `@include` directives in the top level "
                    + "selection.",
                at: selection.conditions)
            return
        }
        if selection.groups.isEmpty {
            // No fragment of the selection applies to the root.
            context.report(
                "\(owner) must select one top level field.",
                at: context.braceOffset(before: operation.selections[0].offset))
        } else if selection.groups.count > 1 {
            context.report(
                "\(owner) must select only one top level field.",
                at: Array(
                    selection.groups.lazy.dropFirst().flatMap(\.offsets)
                        .prefix(context.options.locationsMax)))
        }
        for group in selection.groups where group.field.hasPrefix("__") && !context.isFull {
            context.report(
                "\(owner) must not select an introspection top level field.", at: group.offsets)
        }
    }
}

/// The fields that a subscription selects of its root, through fragments too; each fragment is
/// entered once, by a stack of its own.
private struct RootSelection {
    struct Group {
        var field: Text
        var offsets: [Int]
    }

    let root: TypeID
    let context: ValidationContext
    /// The fields by response name, in order.
    var groups: [Group] = []
    /// Where `@skip` and `@include` stand.
    var conditions: [Int] = []
    /// How many selections were looked at.
    var steps = 0
    private var responseNames = NameNumbers()
    private var entered: Set<Int> = []

    init(root: TypeID, context: ValidationContext) {
        self.root = root
        self.context = context
    }

    mutating func collect(_ selections: [Selection]) {
        var waiting = [selections[...]]
        while var rest = waiting.popLast() {
            guard let selection = rest.popFirst() else { continue }
            waiting.append(rest)
            steps += 1
            for directive in selection.directives
            where directive.name.text == "skip" || directive.name.text == "include" {
                conditions.append(directive.offset)
            }
            switch selection {
            case .field(let field): add(field)
            case .inline(let fragment):
                if applies(fragment.typeCondition) { waiting.append(fragment.selections[...]) }
            case .spread(let spread):
                guard let index = context.fragment(named: spread.name.text),
                    entered.insert(index).inserted
                else { continue }
                let fragment = context.fragments[index]
                if applies(fragment.typeCondition) { waiting.append(fragment.selections[...]) }
            }
        }
    }

    private mutating func add(_ field: FieldSelection) {
        let index = responseNames.number(of: field.responseName)
        if index < groups.count {
            groups[index].offsets.append(field.offset)
        } else {
            groups.append(Group(field: field.name.text, offsets: [field.offset]))
        }
    }

    private func applies(_ condition: Name?) -> Bool {
        guard let condition else { return true }
        guard let type = context.schema.typeID(condition.text) else { return false }
        return context.schema.isPossible(root, for: type)
    }
}
