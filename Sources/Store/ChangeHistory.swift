public import Records

/// A store that keeps its committed changes for a while, so that a client that comes back can be
/// told what it missed.
public protocol ChangeHistory: RecordStore {
    /// The changes behind `offset`, oldest first, at most `limit` of them.
    ///
    /// They carry what the paths that are watched now led to when each change was committed.
    func changes(after offset: UInt64, limit: Int) -> HistoryAnswer
}

/// What a store can tell of its past.
public enum HistoryAnswer: Sendable, Hashable {
    /// The changes, oldest first. All changes up to `through` are among them, those of models
    /// that the schema no longer has excepted; go on behind it.
    case changes([Change], through: UInt64)
    /// The history does not reach back to the offset, or has not come to it yet.
    case unknown
    /// The store could not read it.
    case failed(StoreFailure)
}
