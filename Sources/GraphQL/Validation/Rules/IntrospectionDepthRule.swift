import Bytes

/// Not in the specification: lists of the schema's description within each other multiply, so
/// that a short document asks for an endless answer. The standard query nests none.
enum IntrospectionDepthRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.finished.append { context in
            let starts = context.outline.fields.filter {
                $0.selection.name.text == "__schema" || $0.selection.name.text == "__type"
            }
            // Cycles are another rule's errors; without an order there is no depth to find.
            guard !starts.isEmpty, let order = context.graph.calleesFirst() else { return }
            var depths = ListDepths(context, order: order)
            for field in starts {
                guard let set = field.set else { continue }
                if depths.depth(of: set) <= context.options.introspectionListDepthMax { continue }
                context.report(
                    "Maximum introspection depth exceeded", at: field.selection.offset)
            }
        }
    }
}

/// How many of introspection's lists are nested in a selection set.
private struct ListDepths {
    private static let lists: Set<Text> = ["fields", "interfaces", "possibleTypes", "inputFields"]

    private let outline: SelectionOutline
    private var fragmentDepths: [Int]
    /// What was found of each set, or -1: roots may lie in each other.
    private var setDepths: [Int]

    /// Fragments are measured after all that they spread, so that each is measured once.
    init(_ context: ValidationContext, order: [Int]) {
        outline = context.outline
        fragmentDepths = Array(repeating: 0, count: context.fragments.count)
        setDepths = Array(repeating: -1, count: context.outline.sets.count)
        for fragment in order {
            fragmentDepths[fragment] = depth(of: context.fragmentSets[fragment])
        }
    }

    /// Recursion is as deep as the text nests.
    mutating func depth(of set: Int) -> Int {
        if setDepths[set] >= 0 { return setDepths[set] }
        var deepest = 0
        for entry in outline.sets[set] {
            switch entry {
            case .inline(let inner): deepest = max(deepest, depth(of: inner))
            case .spread(let fragment): deepest = max(deepest, fragmentDepths[fragment])
            case .field(let index):
                let field = outline.fields[index]
                let own = Self.lists.contains(field.selection.name.text) ? 1 : 0
                deepest = max(deepest, own + (field.set.map { depth(of: $0) } ?? 0))
            }
        }
        setDepths[set] = deepest
        return deepest
    }
}
