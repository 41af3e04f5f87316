public import Records

/// The relation paths whose ends changes carry, counted.
public struct WatchedPaths: Sendable {
    private var counts: [RelationPath: Int] = [:]
    private var byModel: [ModelID: [RelationPath]] = [:]

    /// No path.
    public init() {}

    /// Whether no path is watched.
    public var isEmpty: Bool { counts.isEmpty }

    /// The watched paths of a model, each once, in the order of their steps.
    public func paths(of model: ModelID) -> [RelationPath] { byModel[model] ?? [] }

    /// Counts each path once more.
    public mutating func watch(_ paths: [RelationPath]) {
        for path in paths {
            counts[path, default: 0] += 1
            guard counts[path] == 1 else { continue }
            var sorted = byModel[path.model] ?? []
            let place = sorted.firstIndex { path.steps.lexicographicallyPrecedes($0.steps) }
            sorted.insert(path, at: place ?? sorted.endIndex)
            byModel[path.model] = sorted
        }
    }

    /// Counts each path once less.
    public mutating func unwatch(_ paths: [RelationPath]) {
        for path in paths {
            guard let count = counts[path] else {
                preconditionFailure("a path that is not watched cannot be unwatched")
            }
            counts[path] = count == 1 ? nil : count - 1
            if count == 1 { byModel[path.model]?.removeAll { $0 == path } }
        }
    }
}

extension DataLayout {
    /// The record at the end of a path of relations, with `read` giving the records by key.
    ///
    /// One read a step; nil if a foreign key is null or leads nowhere.
    public func record<E: Error>(
        along steps: some Collection<Int>, from record: Record,
        read: (RecordKey) throws(E) -> Record?
    ) throws(E) -> Record? {
        var current = record
        for step in steps {
            let relation = models[current.model].relations[step]
            guard let key = RecordKey(following: relation, from: current),
                let next = try read(key)
            else { return nil }
            current = next
        }
        return current
    }

    /// What a change of `record` carries for these paths.
    public func related<E: Error>(
        to record: Record, along paths: [RelationPath],
        read: (RecordKey) throws(E) -> Record?
    ) throws(E) -> [Change.Related] {
        var result: [Change.Related] = []
        for path in paths {
            let end = try self.record(along: path.steps, from: record, read: read)
            result.append(Change.Related(path: path, record: end))
        }
        return result
    }
}
