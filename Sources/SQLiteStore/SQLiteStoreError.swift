public import Records

import CSQLite

/// Why a data file cannot be opened. Each describes itself in a sentence for the operator.
public enum SQLiteStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The folder that the file would stand in does not exist.
    case folderMissing(path: String)
    /// The file or its folder cannot be written.
    case unwritable(path: String)
    /// The file is no SQLite database.
    case notADatabase(path: String)
    /// The file is a SQLite database, but another program's.
    case foreign(path: String)
    /// The file is damaged; `finding` is SQLite's own.
    case damaged(path: String, finding: String)
    /// Another hub, or another program, holds the file.
    case inUse(path: String)
    /// The file was written by a newer version of this program.
    case newerFormat(path: String, found: Int64, known: Int64)
    /// The schema contradicts what is stored.
    case layoutChanged(path: String, what: String)
    /// No store, or no SQLite store, can keep this layout.
    case layoutUnusable(what: String)
    /// Anything else that SQLite answers: a full disk, an input or output error.
    case failed(StoreFailure)

    /// The thing, the cause and the way out.
    public var description: String {
        switch self {
        case .folderMissing(let path):
            "the folder of the data file \(path) does not exist; create it or name another"
        case .unwritable(let path):
            """
            the data file \(path) cannot be written; make the file and its folder writable for \
            this user
            """
        case .notADatabase(let path):
            "\(path) is not a data file of this program; name another file or move this one away"
        case .foreign(let path):
            "\(path) is a SQLite database of another program; name another file"
        case .damaged(let path, let finding):
            "the data file \(path) is damaged (\(finding)); restore it from a backup"
        case .inUse(let path):
            """
            the data file \(path) is in use by another process; stop that one first: two hubs \
            cannot share a data folder
            """
        case .newerFormat(let path, let found, let known):
            """
            the data file \(path) has format \(found), this version knows up to \(known); \
            start the newer version that wrote it
            """
        case .layoutChanged(let path, let what):
            "the schema does not fit the data file \(path): \(what)"
        case .layoutUnusable(let what): what
        case .failed(let failure): failure.description
        }
    }

    init(_ fault: SQLiteFault, path: String) {
        switch fault.primary {
        case SQLITE_CANTOPEN where [ENOENT, ENOTDIR].contains(fault.systemError):
            self = .folderMissing(path: path)
        case SQLITE_CANTOPEN where [EACCES, EPERM, EROFS].contains(fault.systemError),
            SQLITE_READONLY, SQLITE_PERM:
            self = .unwritable(path: path)
        case SQLITE_CANTOPEN where fault.systemError == EISDIR, SQLITE_NOTADB:
            self = .notADatabase(path: path)
        case SQLITE_CORRUPT: self = .damaged(path: path, finding: fault.words)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .inUse(path: path)
        default:
            self = .failed(
                fault.failure(path: path, isWrite: true, isOpening: true))
        }
    }
}
