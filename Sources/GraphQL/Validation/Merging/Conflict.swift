import Bytes

/// Two fields that cannot be merged, with the way to them from the outermost two different
/// fields that bring them together.
struct Conflict {
    /// Two fields of one response name at one position.
    struct Pair: Hashable {
        var left: Int
        var right: Int
    }

    /// Why the innermost pair cannot be merged.
    enum Reason {
        case names(Text, Text)
        case arguments
        case types(String, String)
        /// The same, where types are not to be told.
        case hiddenTypes
    }

    /// At least one pair, the outermost first.
    var way: [Pair]
    var reason: Reason

    /// So many levels a way is told; the outer rest of it is left out.
    static let depthMax = 8
}

/// Conflicts, each way once.
struct ConflictList {
    /// More than any limit of errors needs.
    private static let countMax = 400

    private(set) var conflicts: [Conflict] = []
    private var ways: Set<[Conflict.Pair]> = []

    /// Whether no more are kept.
    var isFull: Bool { conflicts.count >= Self.countMax }

    mutating func insert(_ conflict: Conflict) {
        if !isFull, ways.insert(conflict.way).inserted { conflicts.append(conflict) }
    }
}

/// Conflicts that begin at the same two fields, told in one message.
struct ConflictTree {
    private var pair: Conflict.Pair
    private var own: Conflict.Reason?
    private var inner: [ConflictTree] = []

    private init(pair: Conflict.Pair) { self.pair = pair }

    /// One tree for each outermost pair.
    static func trees(of conflicts: [Conflict]) -> [ConflictTree] {
        var root = ConflictTree(pair: .init(left: 0, right: 0))
        for conflict in conflicts { root.insert(conflict.way[...], conflict.reason) }
        return root.inner
    }

    private mutating func insert(_ way: ArraySlice<Conflict.Pair>, _ reason: Conflict.Reason) {
        guard let first = way.first else {
            own = own ?? reason
            return
        }
        let index = inner.firstIndex { $0.pair == first }
        if index == nil { inner.append(ConflictTree(pair: first)) }
        inner[index ?? inner.count - 1].insert(way.dropFirst(), reason)
    }

    // MARK: Words

    /// The response name of the two fields.
    func name(_ outline: SelectionOutline) -> Text {
        outline.fields[pair.left].selection.responseName
    }

    /// Why the two fields conflict, as a clause.
    func reason(_ outline: SelectionOutline) -> String {
        switch own {
        case .names(let left, let right): "\"\(left)\" and \"\(right)\" are different fields"
        case .arguments: "they have differing arguments"
        case .types(let left, let right):
            "they return conflicting types \"\(left)\" and \"\(right)\""
        case .hiddenTypes: "they return conflicting types"
        case nil:
            inner.map { "subfields \"\($0.name(outline))\" conflict because \($0.reason(outline))" }
                .joined(separator: " and ")
        }
    }

    /// Where the left fields stand and where the right ones, the outer ones first.
    func offsets(_ outline: SelectionOutline) -> (left: [Int], right: [Int]) {
        var left = [outline.fields[pair.left].selection.offset]
        var right = [outline.fields[pair.right].selection.offset]
        for tree in inner {
            let offsets = tree.offsets(outline)
            left += offsets.left
            right += offsets.right
        }
        return (left, right)
    }
}
