import Bytes
import GraphQL
import JSON
import Records

/// A model as the schema's reader understood it: what the API and the plans are made from.
struct ModelDefinition: Sendable {
    var name: String
    var description: Text?
    var offset: Int
    /// The interfaces that the output type declares.
    var interfaces: [Name] = []
    /// The stored fields; a field's place is its slot.
    var stored: [StoredField] = []
    /// The fields of the output type, in its order.
    var output: [OutputField] = []
    /// The slots of the primary key, hash first.
    var key: [Int] = []
    /// Whether the schema names the key itself, which adds arguments to the list query.
    var hasCustomKey = false
    var indexes: [IndexDefinition] = []
    /// The belongs-to relations, in the order of `ModelLayout.relations`.
    var relations: [RelationLayout] = []
    var operations: OperationNames
    /// Slots that creation and each update fill with the time.
    var createdSlot: Int?
    var updatedSlot: Int?

    func slot(of name: String) -> Int? { stored.firstIndex { $0.name == name } }

    /// What the store is told of the model.
    var layout: ModelLayout {
        ModelLayout(
            name: Text(name), fields: stored.map(\.layout), key: key,
            indexes: indexes.map { IndexLayout(name: Text($0.name), hash: $0.hash, sort: $0.sort) },
            relations: relations)
    }
}

/// A stored field.
struct StoredField: Sendable {
    /// What it is made of.
    enum Base: Sendable, Hashable {
        case scalar(FieldScalar)
        case enumeration(String)
        /// An object type without `@model`, or an interface or union of such types.
        case embedded(String)
    }

    /// Where the field comes from.
    enum Origin: Sendable, Hashable {
        case declared
        /// `id` of a model that declares no key.
        case implicitKey
        /// `createdAt` or `updatedAt`, not declared: in outputs and filters, in no input.
        case timestamp
        /// The foreign key of a relation without declared fields.
        case foreignKey
    }

    var name: String
    var description: Text?
    var base: Base
    var isList = false
    var isNonNull: Bool
    var isItemNonNull = false
    var origin = Origin.declared
    var defaultValue: JSONValue?
    var deprecation: Directive?

    /// The name of the base type in outputs and arguments.
    var typeName: String {
        switch base {
        case .scalar(let scalar): scalar.rawValue
        case .enumeration(let name), .embedded(let name): name
        }
    }

    var kind: FieldKind {
        switch base {
        case .scalar(let scalar): scalar.kind
        case .enumeration: .text
        case .embedded: .json
        }
    }

    var layout: FieldLayout { FieldLayout(name: Text(name), kind: kind, isList: isList) }

    /// Whether its values have an order and an equality that keys can use.
    var canBeKey: Bool {
        if isList { return false }
        if case .embedded = base { return false }
        return true
    }

    /// Whether filters can test it.
    var isFilterable: Bool {
        if case .embedded = base { false } else { true }
    }
}

/// A field of a model's output type.
enum OutputField: Sendable {
    case stored(Int)
    case toOne(ToOneField)
    case toMany(ToManyField)
}

/// A relation field that leads to one record.
struct ToOneField: Sendable {
    /// How the other record is found.
    enum Way: Sendable, Hashable {
        /// This relation's foreign key is the other record's key: its place in `relations`.
        case foreignKey(relation: Int)
        /// The other record holds this one's key: an index of the target and own slots.
        case index(Int, from: [Int])
    }

    var name: String
    var description: Text?
    var isNonNull: Bool
    var target: ModelID
    var way: Way
}

/// A relation field that leads to a connection.
struct ToManyField: Sendable {
    var name: String
    var description: Text?
    var isNonNull: Bool
    var target: ModelID
    /// The index of the target, or nil for its primary key.
    var index: Int?
    /// Own slots that give the index's hash fields and then its first sort fields.
    var from: [Int]
    var limit: Int
}

/// An index of a model.
struct IndexDefinition: Sendable {
    var name: String
    var hash: [Int]
    var sort: [Int]
    /// The query that reads it, if it has one.
    var queryField: String?
    /// v1 keys leave the query's hash argument nullable (AppSync contract 4.2).
    var isHashNullable = false
}

/// The names of a model's root fields; nil or empty where there is none.
struct OperationNames: Sendable, Hashable {
    var get: String?
    /// The wanted name first, then the other spelling.
    var lists: [String]
    var create: String?
    var update: String?
    var delete: String?
    var onCreate: [String]
    var onUpdate: [String]
    var onDelete: [String]

    /// The names without renames. Both plurals of the transformers: `listReplys` of v1,
    /// `listReplies` of v2 (AppSync contract 4.8).
    init(model: String) {
        get = "get" + model
        let plain = "list" + model + "s"
        let plural = "list" + Plural.of(model)
        lists = plain == plural ? [plain] : [plain, plural]
        create = "create" + model
        update = "update" + model
        delete = "delete" + model
        onCreate = ["onCreate" + model]
        onUpdate = ["onUpdate" + model]
        onDelete = ["onDelete" + model]
    }
}
