/// Lone Anonymous Operation (GraphQL 5.2.3.1): an operation without a name is alone.
enum LoneAnonymousOperationRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.operation.append { operation, context in
            guard operation.name == nil, context.operationsCount > 1 else { return }
            context.report(
                "This anonymous operation must be the only defined operation.",
                at: operation.offset)
        }
    }
}
