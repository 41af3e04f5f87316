import JSON
import Records

/// The groups of one topic by the values that their filters ask for.
struct TopicIndex {
    /// The groups whose filters test the same set of fields for equality.
    private struct Shape {
        var paths: [Filter.FieldPath]
        var byValue: [Key: GroupList] = [:]
    }

    /// The values of a shape's fields. One field is the common case and needs no array.
    private enum Key: Hashable {
        case one(JSONValue)
        case many([JSONValue])

        init(_ values: [JSONValue]) {
            self = values.count == 1 ? .one(values[0]) : .many(values)
        }
    }

    /// A list that is mostly of one group and then needs no heap memory.
    private enum GroupList {
        case one(Broker.GroupID)
        case many([Broker.GroupID])

        mutating func append(_ id: Broker.GroupID) {
            switch self {
            case .one(let first): self = .many([first, id])
            case .many(let all): self = .many(all + [id])
            }
        }

        /// Takes the group out; returns whether the list is empty now.
        mutating func remove(_ id: Broker.GroupID) -> Bool {
            switch self {
            case .one(let only): return only == id
            case .many(var all):
                if let place = all.firstIndex(of: id) {
                    all[place] = all[all.count - 1]
                    all.removeLast()
                }
                self = .many(all)
                return all.isEmpty
            }
        }

        func forEach(_ body: (Broker.GroupID) -> Void) {
            switch self {
            case .one(let id): body(id)
            case .many(let all): all.forEach(body)
            }
        }
    }

    private var shapes: [Shape] = []
    /// Groups that each change of the topic must be tried on. A list, so that the order of the
    /// matches is the same in each run with the same history.
    private var unindexed: [Broker.GroupID] = []
    /// Where each of them stands in the list.
    private var places: [Broker.GroupID: Int] = [:]

    var isEmpty: Bool { shapes.isEmpty && unindexed.isEmpty }

    mutating func insert(_ id: Broker.GroupID, under term: IndexTerm) {
        if term.paths.isEmpty { return insertUnindexed(id) }
        let place =
            shapes.firstIndex { $0.paths == term.paths }
            ?? {
                shapes.append(Shape(paths: term.paths))
                return shapes.count - 1
            }()
        let key = Key(term.values)
        if shapes[place].byValue[key]?.append(id) == nil { shapes[place].byValue[key] = .one(id) }
    }

    mutating func remove(_ id: Broker.GroupID, under term: IndexTerm) {
        if term.paths.isEmpty { return removeUnindexed(id) }
        guard let place = shapes.firstIndex(where: { $0.paths == term.paths }) else { return }
        let key = Key(term.values)
        if shapes[place].byValue[key]?.remove(id) == true {
            shapes[place].byValue[key] = nil
            if shapes[place].byValue.isEmpty { shapes.remove(at: place) }
        }
    }

    private mutating func insertUnindexed(_ id: Broker.GroupID) {
        guard places[id] == nil else { return }
        places[id] = unindexed.count
        unindexed.append(id)
    }

    private mutating func removeUnindexed(_ id: Broker.GroupID) {
        guard let place = places.removeValue(forKey: id) else { return }
        let last = unindexed.removeLast()
        guard place < unindexed.count else { return }
        unindexed[place] = last
        places[last] = place
    }

    /// Calls `body` with each group that the index does not rule out; one may come twice.
    func candidates(for change: Change, _ body: (Broker.GroupID) -> Void) {
        for shape in shapes {
            let key: Key
            if shape.paths.count == 1 {
                key = .one(Self.value(at: shape.paths[0], of: change))
            } else {
                key = .many(shape.paths.map { Self.value(at: $0, of: change) })
            }
            shape.byValue[key]?.forEach(body)
        }
        unindexed.forEach(body)
    }

    private static func value(at path: Filter.FieldPath, of change: Change) -> JSONValue {
        if path.relations.isEmpty { return change.record.values[path.slot].indexKey }
        return change.related(along: path.relations)?.values[path.slot].indexKey ?? .null
    }
}
