public import Bytes
public import Records

/// What keeps the records: the contract that `MemoryStore` and `SQLiteStore` share.
///
/// A store is a plain, synchronous machine owned by one caller (in the server: the store's
/// worker queue). It has no clock and no thread of its own.
public protocol RecordStore: AnyObject {
    /// Carries out all requests as one transaction, in order: each sees the writes before it.
    ///
    /// A refused write changes nothing and hinders no other. If the transaction cannot be
    /// committed, every write of the batch is answered `.failed` and nothing is changed.
    /// When this returns, what was answered `.written` survives the process's death.
    func perform(_ batch: [StoreRequest]) -> StoreResults

    /// The offset of the last committed change; 0 before the first.
    var committedOffset: UInt64 { get }

    /// The id of this log of changes; another one means that offsets cannot be compared.
    var epoch: Text { get }
}

/// What came of one batch.
public struct StoreResults: Sendable {
    /// One answer per request, in order.
    public var answers: [StoreAnswer]
    /// The committed changes, in the order of their offsets.
    public var changes: [Change]

    /// Results.
    public init(answers: [StoreAnswer], changes: [Change]) {
        self.answers = answers
        self.changes = changes
    }
}
