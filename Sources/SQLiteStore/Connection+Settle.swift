import Bytes
import CSQLite
import Records

extension Connection {
    /// Makes sure that the file is ours alone, sound and of a known format, before anything is
    /// written to it; then sets it up for durable commits.
    func settle(_ limits: SQLiteStoreLimits) throws(SQLiteStoreError) {
        if isReadOnly { throw .unwritable(path: path) }
        try opening { () throws(SQLiteFault) in
            // Before the first read: the lock that it takes is then kept until the end, and the
            // index of the write-ahead log needs no shared memory.
            try execute("PRAGMA locking_mode = EXCLUSIVE")
            try execute("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
        }
        try recognise()
        let finding = try opening { () throws(SQLiteFault) in try check(limits) }
        if let finding { throw .damaged(path: path, finding: finding) }
        try opening { () throws(SQLiteFault) in
            _ = try texts("PRAGMA journal_mode = WAL")
            try execute("BEGIN EXCLUSIVE; COMMIT")
            // FULL syncs the log with each commit; `fullfsync` means the same on macOS.
            try execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
            try execute("PRAGMA cache_size = -\(limits.pageCacheKiB); PRAGMA temp_store = MEMORY")
            _ = try texts("PRAGMA wal_autocheckpoint = \(limits.logPagesMax)")
            _ = try texts("PRAGMA journal_size_limit = \(limits.logPagesMax * 4096 * 2)")
        }
    }

    private func recognise() throws(SQLiteStoreError) {
        let (application, format, entries) = try opening { () throws(SQLiteFault) in
            // Counted first: the other two are read from memory if nothing has been read yet.
            let entries = try integer("SELECT count(*) FROM sqlite_schema")
            let application = try integer("PRAGMA application_id")
            return (application, try integer("PRAGMA user_version"), entries)
        }
        if entries == 0 && application == 0 { return }
        guard application == Schema.applicationID else { throw .foreign(path: path) }
        guard format <= Schema.format else {
            throw .newerFormat(path: path, found: format, known: Schema.format)
        }
    }

    /// What is wrong with the file, or nil.
    private func check(_ limits: SQLiteStoreLimits) throws(SQLiteFault) -> String? {
        let bytes = try integer("PRAGMA page_count") * integer("PRAGMA page_size")
        guard bytes <= limits.checkBytesMax else { return nil }
        let finding = try texts("PRAGMA quick_check(1)").first?.string ?? "no answer"
        // The first line only says which database it is.
        return finding == "ok" ? nil : finding.split(separator: "\n").last.map(String.init)
    }

    private func opening<R>(
        _ body: () throws(SQLiteFault) -> R
    ) throws(SQLiteStoreError) -> R {
        do { return try body() } catch { throw SQLiteStoreError(error, path: path) }
    }
}
