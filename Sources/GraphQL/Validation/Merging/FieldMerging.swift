import Bytes

/// Finds the fields of a document that cannot be merged.
///
/// Execution puts all selection sets that meet at one response position together. So does this:
/// it begins at the sets of the operations, groups the fields of a position by response name,
/// compares each with the first of its group, and goes on with the sets that the group's fields
/// select. Comparing with the first is enough since being mergeable is an equivalence. A
/// combination of sets that was merged once is not merged again, and work waits in a list, so
/// that repeated fields cost one comparison each and a chain of fragments may be of any length.
///
/// The combinations of a hostile document may be many; `ValidationOptions.stepsMax` ends that.
struct FieldMerging {
    typealias FieldIndex = SelectionOutline.FieldIndex
    typealias SetIndex = SelectionOutline.SetIndex

    /// Selection sets that meet at one response position.
    struct Meeting {
        /// A set, with the field that selects it, which is one of the parent's fields.
        struct Seed: Hashable {
            var set: SetIndex
            var field: FieldIndex?
        }

        var seeds: [Seed]
        /// The meeting that the fields are in.
        var parent: Int?
        /// Whether the objects are known to be different ones, so that only the shape matters.
        var isShapeOnly: Bool
    }

    private struct Combination: Hashable {
        var sets: [SetIndex]
        var isShapeOnly: Bool
    }

    let context: ValidationContext
    let outline: SelectionOutline
    private(set) var meetings: [Meeting] = []
    private var known: Set<Combination> = []
    /// The same for sets that meet no other, which are most of them.
    private var isKnownAlone: [Bool]
    private var collector: FieldCollector
    private lazy var tracer = FieldCollector(context)
    /// Of one position; kept for its room.
    private var distinct: [FieldIndex] = []
    private var found = ConflictList()

    init(_ context: ValidationContext) {
        self.context = context
        outline = context.outline
        collector = FieldCollector(context)
        isKnownAlone = Array(repeating: false, count: outline.sets.count * 2)
    }

    /// All conflicts, outermost positions first.
    mutating func conflicts() -> [Conflict] {
        for set in context.operationSets { merge(fromRoot: set) }
        for (fragment, set) in context.fragmentSets.enumerated()
        where !collector.hasEntered(fragment) {
            merge(fromRoot: set)
        }
        return found.conflicts
    }

    private mutating func merge(fromRoot set: SetIndex) {
        var next = meetings.count
        add(Meeting(seeds: [.init(set: set)], parent: nil, isShapeOnly: false))
        while next < meetings.count, !isDone {
            mergeFields(of: next)
            next += 1
        }
    }

    /// Whether nothing that is still found could be reported.
    private var isDone: Bool { context.isFull || found.isFull }

    private mutating func add(_ meeting: Meeting) {
        if meeting.seeds.count == 1 {
            let place = meeting.seeds[0].set * 2 + (meeting.isShapeOnly ? 1 : 0)
            if isKnownAlone[place] { return }
            isKnownAlone[place] = true
        } else {
            let combination = Combination(
                sets: meeting.seeds.map(\.set).sorted(), isShapeOnly: meeting.isShapeOnly)
            if !known.insert(combination).inserted { return }
        }
        meetings.append(meeting)
    }

    // MARK: One meeting

    private mutating func mergeFields(of index: Int) {
        let meeting = meetings[index]
        if meeting.seeds.count == 1,
            collector.distinctFields(of: meeting.seeds[0].set, into: &distinct)
        {
            if !context.spend(collector.steps) { return }
            for field in distinct {
                guard let set = outline.fields[field].set else { continue }
                let seed = Meeting.Seed(set: set, field: field)
                add(Meeting(seeds: [seed], parent: index, isShapeOnly: meeting.isShapeOnly))
            }
            return
        }
        let groups = collector.groups(of: meeting.seeds.map(\.set))
        if !context.spend(collector.steps) { return }
        for group in groups where !isDone {
            if group.count == 1 {
                goOn(group, from: index, isShapeOnly: meeting.isShapeOnly)
            } else if meeting.isShapeOnly {
                compare(group, in: index, isShapeOnly: true)
            } else {
                mergeWithinObjects(group, in: index)
            }
        }
    }

    /// Fields on different object types never meet in one object; fields on abstract types may
    /// meet with any.
    private mutating func mergeWithinObjects(_ group: [FieldIndex], in index: Int) {
        var objects: [TypeID] = []
        for field in group {
            let place = outline.fields[field]
            if place.isOnObject, let type = place.parent, !objects.contains(type) {
                objects.append(type)
            }
        }
        if objects.count <= 1 { return compare(group, in: index, isShapeOnly: false) }
        for object in objects where !isDone {
            if !context.spend(group.count) { return }
            let together = group.filter {
                !outline.fields[$0].isOnObject || outline.fields[$0].parent == object
            }
            compare(together, in: index, isShapeOnly: false)
        }
        compare(group, in: index, isShapeOnly: true)
    }

    /// Compares fields of one response name and goes on with what the equal ones select.
    private mutating func compare(
        _ group: [FieldIndex], in index: Int, isShapeOnly: Bool
    ) {
        let comparison = FieldComparison(outline: outline, isShapeOnly: isShapeOnly)
        var kinds: [[FieldIndex]] = []
        for field in group where !isDone {
            var isPlaced = false
            for kind in kinds.indices.prefix(Self.kindsMax) {
                let first = kinds[kind][0]
                if !context.spend(comparison.steps(first, field)) { return }
                if let reason = comparison.difference(first, field, context) {
                    report(first, field, reason, in: index)
                } else {
                    kinds[kind].append(field)
                    isPlaced = true
                    break
                }
            }
            if !isPlaced, kinds.count < Self.kindsMax { kinds.append([field]) }
        }
        for kind in kinds { goOn(kind, from: index, isShapeOnly: isShapeOnly) }
    }

    /// So many different fields of one response name are told from each other.
    private static let kindsMax = 4

    private mutating func goOn(_ fields: [FieldIndex], from index: Int, isShapeOnly: Bool) {
        var seeds: [Meeting.Seed] = []
        for field in fields {
            if let set = outline.fields[field].set { seeds.append(.init(set: set, field: field)) }
        }
        if seeds.isEmpty { return }
        add(Meeting(seeds: seeds, parent: index, isShapeOnly: isShapeOnly))
    }

    // MARK: Conflicts

    private mutating func report(
        _ left: FieldIndex, _ right: FieldIndex, _ reason: Conflict.Reason, in index: Int
    ) {
        var way = [Conflict.Pair(left: left, right: right)]
        var at = index
        while way.count < Conflict.depthMax, let parent = meetings[at].parent {
            let seeds = meetings[at].seeds
            if seeds.count == 1 { break }
            guard let outerLeft = origin(of: way[way.count - 1].left, among: seeds),
                let outerRight = origin(of: way[way.count - 1].right, among: seeds),
                outerLeft != outerRight
            else { break }
            way.append(Conflict.Pair(left: outerLeft, right: outerRight))
            at = parent
        }
        found.insert(Conflict(way: way.reversed(), reason: reason))
    }

    /// The field whose selections reach a field first.
    private mutating func origin(
        of field: FieldIndex, among seeds: [Meeting.Seed]
    ) -> FieldIndex? {
        tracer.begin()
        let seed = seeds.first { tracer.reaches(field, from: $0.set) }
        return context.spend(tracer.steps) ? seed?.field : nil
    }
}
