/// Fragment Spreads Must Not Form Cycles (GraphQL 5.5.2.2).
enum FragmentSpreadsMustNotFormCyclesRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.finished.append { context in
            context.graph.forEachCycle { start, cycle in
                context.report(
                    message(start: start, cycle, context), at: cycle.map(\.offset))
                return !context.isFull
            }
        }
    }

    private static func message(
        start: Int, _ cycle: ArraySlice<SelectionOutline.Spread>, _ context: ValidationContext
    ) -> String {
        func name(_ index: Int) -> String { "\"\(context.fragments[index].name.text)\"" }
        // The last spread leads back to the start. Long ways are told by their beginning.
        let way = cycle.dropLast().prefix(viaMax).map { name($0.fragment) }
        let rest = cycle.count - 1 - way.count
        let via = way.isEmpty ? "" : " via " + way.joined(separator: ", ")
        let more = rest > 0 ? " and \(rest) more" : ""
        return "Cannot spread fragment \(name(start)) within itself\(via)\(more)."
    }

    private static let viaMax = 20
}
