public import Bytes

/// Which model a record belongs to: the model's place in `DataLayout.models`.
public typealias ModelID = Int

/// How a field's value is stored.
public enum FieldKind: String, Sendable, Hashable {
    /// Text: ID, String, enums and the string-like AWS scalars.
    case text
    /// A 64-bit integer: Int, AWSTimestamp.
    case integer
    /// A double: Float.
    case double
    /// True or false.
    case boolean
    /// Anything else, as JSON: embedded objects.
    case json
}

/// One stored field of a model.
public struct FieldLayout: Sendable, Hashable {
    /// The field's name in the API, and its column's name.
    public var name: Text
    /// How its value, or each item of its list, is stored.
    public var kind: FieldKind
    /// Whether the value is a list; lists are stored as JSON.
    public var isList: Bool

    /// A field.
    public init(name: Text, kind: FieldKind, isList: Bool = false) {
        self.name = name
        self.kind = kind
        self.isList = isList
    }
}

/// An index of a model: records by equal `hash` fields, in order of the `sort` fields and then
/// of their creation.
public struct IndexLayout: Sendable, Hashable {
    /// The index's name, unique in its model.
    public var name: Text
    /// Slots of the fields that a query must give.
    public var hash: [Int]
    /// Slots of the fields that order the result.
    public var sort: [Int]

    /// An index.
    public init(name: Text, hash: [Int], sort: [Int]) {
        self.name = name
        self.hash = hash
        self.sort = sort
    }
}

/// A belongs-to relation: fields of this model that hold another record's key.
public struct RelationLayout: Sendable, Hashable {
    /// The relation field's name in the API.
    public var name: Text
    /// The model of the other record.
    public var target: ModelID
    /// This model's slots that hold the other record's key, in the key's order.
    public var foreignKey: [Int]

    /// A relation.
    public init(name: Text, target: ModelID, foreignKey: [Int]) {
        self.name = name
        self.target = target
        self.foreignKey = foreignKey
    }
}

/// What a store needs to know of one model.
public struct ModelLayout: Sendable, Hashable {
    /// The model's name, which is its table's name.
    public var name: Text
    /// All stored fields; a field's place here is its slot in `Record.values`.
    public var fields: [FieldLayout]
    /// Slots of the primary key's fields: hash key first.
    public var key: [Int]
    /// Indexes, the primary key's own not among them.
    public var indexes: [IndexLayout]
    /// Belongs-to relations.
    public var relations: [RelationLayout]

    /// A model.
    public init(
        name: Text, fields: [FieldLayout], key: [Int], indexes: [IndexLayout] = [],
        relations: [RelationLayout] = []
    ) {
        self.name = name
        self.fields = fields
        self.key = key
        self.indexes = indexes
        self.relations = relations
    }

    /// The slot of the field of that name.
    public func slot(of name: Text) -> Int? { fields.firstIndex { $0.name == name } }
}

/// What a store needs to know of the whole schema.
public struct DataLayout: Sendable, Hashable {
    /// The models, in the schema's order.
    public var models: [ModelLayout]

    /// A layout.
    public init(models: [ModelLayout]) { self.models = models }

    /// The model of that name.
    public func modelID(named name: Text) -> ModelID? { models.firstIndex { $0.name == name } }
}
