import Bytes

/// Which fragment or operation spreads which fragments, and the questions asked of that.
///
/// No question recurses: a chain of fragments may be as long as the document.
struct FragmentGraph {
    typealias Spread = SelectionOutline.Spread

    /// The spreads in each fragment, in the order of the text.
    var spreadsOfFragments: [[Spread]]
    /// The spreads in each operation.
    var spreadsOfOperations: [[Spread]] = []

    init(fragmentsCount: Int) {
        spreadsOfFragments = Array(repeating: [], count: fragmentsCount)
    }

    /// Which fragments some operation reaches.
    func reachedFragments() -> [Bool] {
        var isReached = Array(repeating: false, count: spreadsOfFragments.count)
        var waiting = spreadsOfOperations.flatMap { $0.map(\.fragment) }
        while let fragment = waiting.popLast() {
            if isReached[fragment] { continue }
            isReached[fragment] = true
            waiting += spreadsOfFragments[fragment].map(\.fragment)
        }
        return isReached
    }

    /// Which fragments reach one of those marked, or are marked themselves.
    func fragmentsReaching(_ marked: [Bool]) -> [Bool] {
        if !marked.contains(true) { return marked }
        var spreaders = Array(repeating: [Int](), count: spreadsOfFragments.count)
        for (fragment, spreads) in spreadsOfFragments.enumerated() {
            for spread in spreads { spreaders[spread.fragment].append(fragment) }
        }
        var isReaching = marked
        var waiting = marked.indices.filter { marked[$0] }
        while let fragment = waiting.popLast() {
            for spreader in spreaders[fragment] where !isReaching[spreader] {
                isReaching[spreader] = true
                waiting.append(spreader)
            }
        }
        return isReaching
    }

    /// Calls `report` with the spreads along each cycle, and with the fragment that it begins
    /// and ends at. Every spread is looked at once; `report` answers whether to go on.
    func forEachCycle(_ report: (_ start: Int, _ cycle: ArraySlice<Spread>) -> Bool) {
        if spreadsOfFragments.allSatisfy(\.isEmpty) { return }
        var search = CycleSearch(graph: self)
        for fragment in spreadsOfFragments.indices {
            if !search.run(from: fragment, report) { return }
        }
    }

    /// The fragments in an order in which each comes after all that it spreads; nil if there
    /// is a cycle.
    func calleesFirst() -> [Int]? {
        var search = CycleSearch(graph: self)
        for fragment in spreadsOfFragments.indices {
            if !search.run(from: fragment, { _, _ in false }) { return nil }
        }
        return search.finished
    }
}

/// A depth-first search with its own stack.
private struct CycleSearch {
    let graph: FragmentGraph
    private var isVisited: [Bool]
    /// The place of each fragment in the path, or -1.
    private var placeInPath: [Int]
    private var path: [(fragment: Int, next: Int)] = []
    private var spreads: [FragmentGraph.Spread] = []
    private(set) var finished: [Int] = []

    init(graph: FragmentGraph) {
        self.graph = graph
        isVisited = Array(repeating: false, count: graph.spreadsOfFragments.count)
        placeInPath = Array(repeating: -1, count: graph.spreadsOfFragments.count)
    }

    mutating func run(
        from start: Int, _ report: (Int, ArraySlice<FragmentGraph.Spread>) -> Bool
    ) -> Bool {
        if isVisited[start] { return true }
        push(start)
        while let (fragment, next) = path.last {
            guard next < graph.spreadsOfFragments[fragment].count else {
                pop()
                continue
            }
            path[path.count - 1].next += 1
            let spread = graph.spreadsOfFragments[fragment][next]
            let place = placeInPath[spread.fragment]
            spreads.append(spread)
            if place >= 0 {
                if !report(spread.fragment, spreads[place...]) { return false }
                spreads.removeLast()
            } else if isVisited[spread.fragment] {
                spreads.removeLast()
            } else {
                push(spread.fragment)
            }
        }
        return true
    }

    private mutating func push(_ fragment: Int) {
        isVisited[fragment] = true
        placeInPath[fragment] = path.count
        path.append((fragment, 0))
    }

    private mutating func pop() {
        let (fragment, _) = path.removeLast()
        placeInPath[fragment] = -1
        finished.append(fragment)
        if !path.isEmpty { spreads.removeLast() }
    }
}
