import Bytes
import JSON

/// What a plan may cost, estimated before it is executed.
///
/// A field costs 1, and `askWeight` more if a data source is asked for it. What lies below a list
/// counts as often as the list may have items: as its page size says, or `usualItems` times for
/// lists without one. Sums and products stop at `Int.max`.
///
/// Cost of the estimate: one look at each step of the plan, however often its sets are shared.
enum PlanCost {
    /// What a field costs beside the 1 of every field if a data source is asked for it.
    static let askWeight = 10
    /// How many items a list is taken to have that no argument bounds.
    static let usualItems = 10

    /// The cost of a selection set: once, and for each item of a page that the set is the object
    /// of. A connection's token costs once, its items as often as there are.
    private struct SetCost {
        var once = 0
        var perItem = 0

        /// The cost if the page has this many items.
        func total(items: Int) -> Int { once.plus(perItem.times(items)) }

        /// The dearer of both in each respect.
        mutating func widen(to other: SetCost) {
            once = max(once, other.once)
            perItem = max(perItem, other.perItem)
        }
    }

    /// Whether some page's size depends on a variable.
    static func dependsOnVariables(_ fields: [PlannedField]) -> Bool {
        fields.contains { field in
            if case .variable = field.page { true } else { false }
        }
    }

    /// The estimate. `value` gives variables, nil for those without an entry.
    static func estimate(_ plan: Plan, value: (Text) -> JSONValue?) -> Int {
        // Sets stand behind all those that they lead to, so one pass knows what it needs.
        var costs = [SetCost](repeating: SetCost(), count: plan.sets.count)
        for (index, set) in plan.sets.enumerated() {
            var cost = SetCost()
            for step in set.steps { add(step, of: plan, costs, value, to: &cost) }
            costs[index] = cost
        }
        return costs[plan.root].total(items: usualItems)
    }

    private static func add(
        _ index: Int, of plan: Plan, _ costs: [SetCost], _ value: (Text) -> JSONValue?,
        to cost: inout SetCost
    ) {
        let step = plan.steps[index]
        cost.once = cost.once.plus(step.source == .ask ? 1 + askWeight : 1)
        guard step.leaf == .none else { return }
        var child = SetCost()
        if step.childSet >= 0 {
            child = costs[Int(step.childSet)]
        } else {
            for set in plan.fields[index].children.values { child.widen(to: costs[set]) }
        }
        switch (plan.fields[index].page.map { items($0, value) }, step.isList) {
        case (let items?, true):
            cost.once = cost.once.plus(child.total(items: usualItems).times(items))
        case (let items?, false): cost.once = cost.once.plus(child.total(items: items))
        case (nil, true): cost.perItem = cost.perItem.plus(child.total(items: usualItems))
        case (nil, false): cost.once = cost.once.plus(child.total(items: usualItems))
        }
    }

    private static func items(_ page: PlannedPage, _ value: (Text) -> JSONValue?) -> Int {
        switch page {
        case .fixed(let count): count
        case .variable(let name, let size): size.count(value(name))
        }
    }
}

extension Int {
    /// The sum, or the largest number there is. Neither summand is negative.
    fileprivate func plus(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }

    /// The product, or the largest number there is. Neither factor is negative.
    fileprivate func times(_ other: Int) -> Int {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        return isOver ? .max : product
    }
}
