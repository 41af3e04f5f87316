public import JSON

/// One thing that a shard asks of the store. A batch of them is one transaction.
public enum StoreRequest: Sendable, Hashable {
    /// Reads records by key; the answer has one entry per key, in order.
    case get([RecordKey])
    /// Reads pages; the answer has one page per query, in order.
    case query([RecordQuery])
    /// Writes one record.
    case write(RecordWrite)
    /// From now on changes of the path's model carry the record at its end. Counted: each
    /// `watch` needs its `unwatch`.
    case watch([RelationPath])
    /// Takes back one `watch`.
    case unwatch([RelationPath])
}

/// The store's answer to the request at the same place of the batch.
public enum StoreAnswer: Sendable, Hashable {
    /// To `get`: nil where no record has the key.
    case records([Record?])
    /// To `query`.
    case pages([RecordPage])
    /// To `write`: the record after it (a deletion: as it last was) and the change's offset.
    case written(Record, offset: UInt64)
    /// To `write`: nothing was written, and why.
    case refused(WriteRefusal)
    /// To `watch` and `unwatch`: done; later changes than this offset carry the paths.
    case watching(offset: UInt64)
    /// The request could not be carried out: disk full, database damaged. Nothing was written.
    case failed(StoreFailure)
}

/// Why a write was refused though the store works: the asker's fault.
public enum WriteRefusal: String, Sendable, Hashable {
    /// A creation names a key that is taken.
    case exists
    /// An update or deletion names a key that no record has.
    case missing
    /// The record does not pass the condition.
    case conditionFailed
}

/// The store could not do its work: the world's fault.
public struct StoreFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for the asker, without user data and paths of files: the thing, the limit, the
    /// way out.
    public var message: String
    /// The same for the operator, who also needs to know which file is meant.
    public var operatorMessage: String?

    /// A failure.
    public init(message: String, operatorMessage: String? = nil) {
        self.message = message
        self.operatorMessage = operatorMessage
    }

    /// The sentence for the operator. Clients of an API are told `message`.
    public var description: String { operatorMessage ?? message }
}

/// A question for one page of a model's records.
public struct RecordQuery: Sendable, Hashable {
    /// Which order the records are read in.
    public enum Source: Sendable, Hashable {
        /// All records, in the order of their creation.
        case all
        /// Records whose primary key's hash field has this value, by the key's sort fields.
        case key(hash: JSONValue)
        /// Records whose hash fields of the index (its place in `ModelLayout.indexes`) have these
        /// values, by the index's sort fields and then by creation. A null value finds nothing.
        case index(Int, hash: [JSONValue])
    }

    /// The model.
    public var model: ModelID
    /// Which records, in which order.
    public var source: Source
    /// A test of the first sort fields: equal to all but the last of them, and one test of the
    /// last.
    public var sort: SortCondition?
    /// Whether the order is turned round.
    public var isDescending: Bool
    /// What the records must pass. The page is filled with records that do.
    public var filter: Filter
    /// How many records the page may hold; at least 1.
    public var limit: Int
    /// Where the page before ended.
    public var after: Cursor?

    /// A question.
    public init(
        model: ModelID, source: Source = .all, sort: SortCondition? = nil,
        isDescending: Bool = false, filter: Filter = .all, limit: Int = 100, after: Cursor? = nil
    ) {
        self.model = model
        self.source = source
        self.sort = sort
        self.isDescending = isDescending
        self.filter = filter
        self.limit = limit
        self.after = after
    }

    /// A condition on an index's sort fields.
    public struct SortCondition: Sendable, Hashable {
        /// Values that the first sort fields equal.
        public var equal: [JSONValue]
        /// A test of the sort field behind those; only equality, order, `between`, `beginsWith`.
        public var test: Filter.Test?

        /// A condition.
        public init(equal: [JSONValue] = [], test: Filter.Test? = nil) {
            self.equal = equal
            self.test = test
        }
    }

    /// A place between two records of a query's order: behind the record it names.
    public struct Cursor: Sendable, Hashable {
        /// The record's values of the sort fields; empty for `.all`.
        public var sort: [JSONValue]
        /// The record's place in the order of creation.
        public var sequence: Int64

        /// A place.
        public init(sort: [JSONValue], sequence: Int64) {
            self.sort = sort
            self.sequence = sequence
        }
    }
}

/// One page of a query's records.
public struct RecordPage: Sendable, Hashable {
    /// The records, in the query's order.
    public var records: [Record]
    /// Where to go on, or nil if nothing that passes the filter is left.
    public var next: RecordQuery.Cursor?

    /// A page.
    public init(records: [Record], next: RecordQuery.Cursor?) {
        self.records = records
        self.next = next
    }
}

/// One write.
public struct RecordWrite: Sendable, Hashable {
    /// What is written.
    public enum Action: Sendable, Hashable {
        /// A new record with a value for each field of the layout; refused if its key is taken.
        case create([JSONValue])
        /// Sets these slots of an existing record.
        case update([FieldUpdate])
        /// Deletes an existing record.
        case delete
    }

    /// A new value for a field.
    public struct FieldUpdate: Sendable, Hashable {
        /// The field's slot.
        public var slot: Int
        /// Its new value.
        public var value: JSONValue

        /// An update.
        public init(slot: Int, value: JSONValue) {
            self.slot = slot
            self.value = value
        }
    }

    /// Which record.
    public var key: RecordKey
    /// What is done.
    public var action: Action
    /// What the present record must pass; of a creation the new one.
    public var condition: Filter

    /// A write.
    public init(key: RecordKey, action: Action, condition: Filter = .all) {
        self.key = key
        self.action = action
        self.condition = condition
    }
}
