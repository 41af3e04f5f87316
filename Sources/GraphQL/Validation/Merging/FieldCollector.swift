/// Collects the fields that selection sets select of one object, through fragments, each of
/// which is entered once.
struct FieldCollector {
    private let context: ValidationContext
    private let outline: SelectionOutline
    /// The collection that entered a fragment last, or grouped a response name last.
    private var fragmentEnteredIn: [Int]
    private var nameGroupedIn: [Int]
    private var groupOfName: [Int]
    private var collection = 0
    /// The sets that are being looked through; kept for its room.
    private var waiting: [(set: Int, next: Int)] = []
    /// How many entries this collection has looked at.
    private(set) var steps = 0

    init(_ context: ValidationContext) {
        self.context = context
        outline = context.outline
        fragmentEnteredIn = Array(repeating: 0, count: context.fragments.count)
        nameGroupedIn = Array(repeating: 0, count: outline.namesCount)
        groupOfName = nameGroupedIn
    }

    /// Whether some collection has entered the fragment.
    func hasEntered(_ fragment: Int) -> Bool { fragmentEnteredIn[fragment] > 0 }

    /// The fields that a set selects, if no response name is among them twice: most often so.
    mutating func distinctFields(of set: Int, into fields: inout [Int]) -> Bool {
        var isDistinct = true
        fields.removeAll(keepingCapacity: true)
        begin()
        forEachField(from: set) { collector, field in
            let name = collector.outline.fields[field].responseName
            isDistinct = collector.nameGroupedIn[name] != collector.collection
            collector.nameGroupedIn[name] = collector.collection
            fields.append(field)
            return isDistinct
        }
        return isDistinct
    }

    /// The fields by response name, both in the order of the document.
    mutating func groups(of sets: [Int]) -> [[Int]] {
        var groups: [[Int]] = []
        begin()
        for set in sets {
            forEachField(from: set) { collector, field in
                let name = collector.outline.fields[field].responseName
                if collector.nameGroupedIn[name] == collector.collection {
                    groups[collector.groupOfName[name]].append(field)
                } else {
                    collector.nameGroupedIn[name] = collector.collection
                    collector.groupOfName[name] = groups.count
                    groups.append([field])
                }
                return true
            }
        }
        return groups
    }

    /// Whether a set selects a field. Fragments that this collection has entered are not
    /// entered again.
    mutating func reaches(_ wanted: Int, from set: Int) -> Bool {
        var isFound = false
        forEachField(from: set) { _, field in
            isFound = field == wanted
            return !isFound
        }
        return isFound
    }

    /// Begins a collection.
    mutating func begin() {
        collection += 1
        steps = 0
    }

    private mutating func forEachField(
        from set: Int, _ body: (inout FieldCollector, Int) -> Bool
    ) {
        waiting.removeAll(keepingCapacity: true)
        waiting.append((set, 0))
        while let (set, next) = waiting.last {
            guard next < outline.sets[set].count else {
                waiting.removeLast()
                continue
            }
            waiting[waiting.count - 1].next += 1
            steps += 1
            switch outline.sets[set][next] {
            case .field(let field):
                if !body(&self, field) { return }
            case .inline(let inner): waiting.append((inner, 0))
            case .spread(let fragment):
                if fragmentEnteredIn[fragment] == collection { continue }
                fragmentEnteredIn[fragment] = collection
                waiting.append((context.fragmentSets[fragment], 0))
            }
        }
    }
}
