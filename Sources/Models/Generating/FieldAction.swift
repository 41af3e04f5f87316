import Bytes
import Records

/// What a field of the API does: what `ModelSchema.plan` looks up for each batch.
enum FieldAction: Sendable {
    /// Reads one record by the key in the arguments.
    case get(ModelID)
    /// Reads a page of records.
    case list(ListAction)
    /// Reads the record that a foreign key of the parent names.
    case toOne(target: ModelID, foreignKey: [Int])
    /// Reads the one record that holds the parent's key.
    case toOneByIndex(target: ModelID, index: Int, from: [Int])
    /// Writes a record.
    case write(ModelID, Change.Kind)
    /// Hands on the changes of a model.
    case subscribe(ModelID, Change.Kind)
}

/// A field that reads pages of a model's records.
struct ListAction: Sendable {
    /// Which order the records are read in.
    enum Source: Sendable, Hashable {
        /// All, or with the hash argument the records of that primary key.
        case all
        case key
        case index(Int)
    }

    /// The field's name, for messages.
    var field: Text
    /// The model whose records are read.
    var model: ModelID
    var source: Source
    /// Arguments that give the hash; of root fields.
    var hashArguments: [Text] = []
    /// The parent's slots that give the hash and then leading sort fields; of relations.
    var from: [Int] = []
    /// The condition argument on the sort fields that `from` does not give.
    var sort: SortConditionCompiler?
    /// How many records a page holds without `limit`.
    var limit = ListLimits.usual
}
