import CSQLite
import Records

/// What SQLite answered instead of the success that was expected.
struct SQLiteFault: Error, Hashable {
    /// SQLite's extended result code.
    var code: Int32
    /// The operating system's `errno`, 0 if no system call went wrong.
    var systemError: Int32 = 0
    /// SQLite's own words; may name tables and columns, never values.
    var words: String

    /// The code without its extension.
    var primary: Int32 { code & 0xff }

    /// Whether the file itself is damaged.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    /// A sentence for the operator: the file, the cause, the way out. A store that is being opened
    /// is not tried again by itself.
    func failure(path: String, isWrite: Bool, isOpening: Bool = false) -> StoreFailure {
        let verb = isWrite ? "written" : "read"
        let again = isOpening ? " and start again" : "; the next request is tried by itself"
        let what = "cannot be \(verb): \(cause(again: again))"
        return StoreFailure(
            message: "the data file \(what)", operatorMessage: "the data file \(path) \(what)")
    }

    private func cause(again: String) -> String {
        switch primary {
        case SQLITE_FULL:
            "the disk is full: free space on it\(again)"
        case SQLITE_IOERR:
            """
            the operating system reported an input or output error \(detail): check the disk and \
            this process's limit of file sizes\(again)
            """
        case SQLITE_READONLY:
            "it is read-only \(detail); make the file and its folder writable for this user"
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            "it is damaged \(detail); stop the hub and restore the file from a backup"
        case SQLITE_BUSY, SQLITE_LOCKED:
            "another process holds it; stop that process"
        case SQLITE_NOMEM: "memory is exhausted; give the process more of it"
        case SQLITE_TOOBIG:
            "a value is over SQLite's limit of 1,000,000,000 bytes; send a smaller one"
        case SQLITE_CANTOPEN: "a file beside it cannot be opened \(detail); check its folder"
        default: "SQLite answered \(detail)"
        }
    }

    private var detail: String {
        let system = systemError == 0 ? "" : ", errno \(systemError)"
        return "(\(words), code \(code)\(system))"
    }
}
