public import Bytes
public import JSON

/// One stored object: a value for each field of its model.
public struct Record: Sendable, Hashable {
    /// The model.
    public var model: ModelID
    /// 1 at creation, 1 more with each accepted write.
    public var version: Int64
    /// Place in the order of creation over all models: the offset of the change that created it.
    public var sequence: Int64
    /// One value per field of the layout; absent and null are both `.null`.
    public var values: [JSONValue]

    /// A record.
    public init(model: ModelID, version: Int64 = 1, sequence: Int64 = 0, values: [JSONValue]) {
        self.model = model
        self.version = version
        self.sequence = sequence
        self.values = values
    }

    /// The record's key under its model's layout.
    public func key(in layout: DataLayout) -> RecordKey {
        RecordKey(model: model, values: layout.models[model].key.map { values[$0] })
    }
}

/// What names one record: its model and the values of the primary key's fields.
public struct RecordKey: Sendable, Hashable {
    /// The model.
    public var model: ModelID
    /// The key's values in the order of `ModelLayout.key`.
    public var values: [JSONValue]

    /// A key.
    public init(model: ModelID, values: [JSONValue]) {
        self.model = model
        self.values = values
    }

    /// A key of one field.
    public init(model: ModelID, id: Text) { self.init(model: model, values: [.string(id)]) }

    /// The key that `record`'s foreign key names, or nil if one of its fields is null.
    public init?(following relation: RelationLayout, from record: Record) {
        let values = relation.foreignKey.map { record.values[$0] }
        if values.contains(where: \.isNull) { return nil }
        self.init(model: relation.target, values: values)
    }
}

/// A way from a model through belongs-to relations: indexes into `ModelLayout.relations`.
public struct RelationPath: Sendable, Hashable {
    /// Where the way starts.
    public var model: ModelID
    /// One relation a step; empty is the record itself.
    public var steps: [Int]

    /// A path.
    public init(model: ModelID, steps: [Int]) {
        self.model = model
        self.steps = steps
    }
}

/// One committed write, as every shard is told of it.
public struct Change: Sendable, Hashable {
    /// What was done.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// A record was created.
        case create
        /// A record was changed.
        case update
        /// A record was deleted.
        case delete
    }

    /// Place in the log: rises by one with each change, without gaps.
    public var offset: UInt64
    /// What was done.
    public var kind: Kind
    /// The record after the write; for a deletion, as it last was.
    public var record: Record
    /// The record before the write; nil for a creation.
    public var previous: Record?
    /// Records that the watched paths lead to, as they were in the same transaction.
    public var related: [Related]

    /// What a watched path leads to.
    public struct Related: Sendable, Hashable {
        /// The path, which starts at the changed record's model.
        public var path: RelationPath
        /// The record at its end, or nil if a foreign key is null or leads nowhere.
        public var record: Record?

        /// A related record.
        public init(path: RelationPath, record: Record?) {
            self.path = path
            self.record = record
        }
    }

    /// A change.
    public init(
        offset: UInt64, kind: Kind, record: Record, previous: Record? = nil,
        related: [Related] = []
    ) {
        self.offset = offset
        self.kind = kind
        self.record = record
        self.previous = previous
        self.related = related
    }

    /// The record at the end of a path of relations; nil as well if the path is not watched.
    public func related(along steps: [Int]) -> Record? {
        if steps.isEmpty { return record }
        return related.first { $0.path.steps == steps }?.record
    }
}
