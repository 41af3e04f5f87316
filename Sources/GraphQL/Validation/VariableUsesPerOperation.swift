import Bytes

/// Gathers what an operation uses of variables, itself and through its fragments.
///
/// Fragments that reach no variable are passed over, so that documents of many operations over
/// many plain fragments cost nothing here.
struct VariableUsesPerOperation {
    private let context: ValidationContext
    private let hasVariables: [Bool]

    init(_ context: ValidationContext) {
        self.context = context
        hasVariables = context.graph.fragmentsReaching(
            context.fragmentUses.map { !$0.isEmpty })
    }

    /// Tells each operation with all its uses, its own ones first.
    func tell(
        _ listeners: [@Sendable (OperationDefinition, [VariableUse], ValidationContext) -> Void]
    ) {
        var lastSeenBy = Array(repeating: -1, count: context.fragments.count)
        for (index, operation) in context.operations.enumerated() where !context.isFull {
            var uses = context.operationUses[index]
            var waiting = Array(context.graph.spreadsOfOperations[index].reversed())
            while let fragment = waiting.popLast()?.fragment {
                if !hasVariables[fragment] || lastSeenBy[fragment] == index { continue }
                lastSeenBy[fragment] = index
                let spreads = context.graph.spreadsOfFragments[fragment]
                let steps = 1 + spreads.count + context.fragmentUses[fragment].count
                if !context.spend(steps) { return }
                uses += context.fragmentUses[fragment]
                waiting += spreads.reversed()
            }
            for listener in listeners where !context.isFull {
                listener(operation, uses, context)
            }
        }
    }
}
