import Bytes
import CSQLite
import JSON
import Records
import Store

/// The tables of a data file, and how a file is made ready for a layout.
///
/// Names that begin with two underscores are ours: GraphQL reserves them (GraphQL §2.1.9), so no
/// model or field can have them.
struct Schema {
    /// "HELI": tells our files from other programs' SQLite databases.
    static let applicationID: Int64 = 0x4845_4c49
    /// The version of everything in the file that the layout does not say.
    static let format: Int64 = 1

    /// What the file remembers once it is ready.
    struct Contents {
        var epoch: Text
        var layout: StoredLayout
        var lastOffset: UInt64
        var oldestOffset: UInt64
    }

    let connection: Connection
    let layout: DataLayout

    /// Creates what is missing, in one transaction, and reads what is there.
    func prepare(newEpoch: Text) throws(SQLiteStoreError) -> Contents {
        if let what = layout.fault ?? unusableName { throw .layoutUnusable(what: what) }
        do {
            try connection.execute("BEGIN IMMEDIATE")
            let contents = try bringUpToDate(newEpoch: newEpoch)
            try connection.execute("COMMIT")
            return contents
        } catch let error as SQLiteFault {
            throw SQLiteStoreError(error, path: connection.path)
        } catch let error as StoredLayout.Contradiction {
            throw .layoutChanged(path: connection.path, what: error.what)
        } catch {
            throw .damaged(path: connection.path, finding: "its record of the schema is unreadable")
        }
    }

    private struct Unreadable: Error {}

    private func bringUpToDate(newEpoch: Text) throws -> Contents {
        try connection.execute(Self.ownTables)
        let known = try storedLayout()
        let wanted = try known.adding(layout)
        for model in layout.models {
            try create(model, known: known.model(named: model.name))
        }
        try refreshIndexes()
        if wanted != known { try setMeta("layout", Text(wanted.json.jsonText)) }
        if try meta("epoch") == nil { try setMeta("epoch", newEpoch) }
        guard let epoch = try meta("epoch") else { throw Unreadable() }
        let last = try connection.integer("SELECT max(offset) FROM __changes")
        let oldest = try connection.integer("SELECT min(offset) FROM __changes")
        return Contents(
            epoch: epoch, layout: wanted, lastOffset: UInt64(max(0, last)),
            oldestOffset: UInt64(max(0, oldest)))
    }

    private static let ownTables = """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(format);
        CREATE TABLE IF NOT EXISTS __meta(
            name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS __changes(
            offset INTEGER PRIMARY KEY, kind INTEGER NOT NULL, model TEXT NOT NULL,
            sequence INTEGER NOT NULL, version INTEGER NOT NULL,
            record TEXT NOT NULL, previous TEXT, key TEXT) STRICT;
        CREATE INDEX IF NOT EXISTS __changes_by_key ON __changes(model, key, offset)
            WHERE key IS NOT NULL;
        """

    private func meta(_ name: Text) throws(SQLiteFault) -> Text? {
        let statement = try connection.prepare("SELECT value FROM __meta WHERE name = ?")
        statement.bind(name, at: 1)
        return try statement.step() ? statement.text(at: 0) : nil
    }

    private func setMeta(_ name: Text, _ value: Text) throws(SQLiteFault) {
        let statement = try connection.prepare("REPLACE INTO __meta(name, value) VALUES(?, ?)")
        statement.bind(name, at: 1)
        statement.bind(value, at: 2)
        try statement.run()
    }

    private func storedLayout() throws -> StoredLayout {
        guard let text = try meta("layout") else { return StoredLayout() }
        guard let layout = StoredLayout(json: try JSONValue(parsing: text.string)) else {
            throw Unreadable()
        }
        return layout
    }

    // MARK: Tables of models.

    private func create(_ model: ModelLayout, known: StoredLayout.Model?) throws(SQLiteFault) {
        let table = SQLName.quoted(model.name.string)
        guard let known else {
            let columns = model.fields.map(column).joined(separator: ", ")
            try connection.execute(
                """
                CREATE TABLE \(table)(
                    __seq INTEGER PRIMARY KEY, __version INTEGER NOT NULL, \(columns)) STRICT
                """)
            return
        }
        for field in model.fields where !known.fields.contains(where: { $0.name == field.name }) {
            try connection.execute("ALTER TABLE \(table) ADD COLUMN \(column(field))")
        }
    }

    private func column(_ field: FieldLayout) -> String {
        let type =
            switch field.kind {
            case _ where field.isList: "TEXT"
            case .text, .json: "TEXT"
            case .integer, .boolean: "INTEGER"
            case .double: "REAL"
            }
        return "\(SQLName.quoted(field.name.string)) \(type)"
    }

    // MARK: Indexes, named by what they order, so that a changed one is another one.

    /// The name of a model's index over these slots; a blank keeps it apart from tables' names.
    static func indexName(_ model: ModelLayout, hash: [Int], sort: [Int]) -> String {
        let names = { (slots: [Int]) in
            slots.map { model.fields[$0].name.string }.joined(separator: ", ")
        }
        return "\(model.name): \(names(hash))" + (sort.isEmpty ? "" : " by \(names(sort))")
    }

    static func keyIndexName(_ model: ModelLayout) -> String { "\(model.name): key" }

    private func refreshIndexes() throws(SQLiteFault) {
        var wanted: [String: String] = [:]
        for model in layout.models {
            let key = Self.keyIndexName(model)
            wanted[key] = "CREATE UNIQUE INDEX " + definition(key, model, model.key)
            for index in model.indexes {
                let name = Self.indexName(model, hash: index.hash, sort: index.sort)
                // The row's number, which is `__seq`, ends each of SQLite's indexes by itself.
                wanted[name] = "CREATE INDEX " + definition(name, model, index.hash + index.sort)
            }
        }
        let present = Set(
            try connection.texts(
                "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
            ).map(\.string))
        let served = layout.models.map { "\($0.name): " }
        for name in present.sorted() where wanted[name] == nil {
            // The indexes of a model that the schema dropped cost nothing and may come back.
            guard served.contains(where: name.hasPrefix) else { continue }
            try connection.execute("DROP INDEX \(SQLName.quoted(name))")
        }
        for (name, sql) in wanted.sorted(by: { $0.key < $1.key }) where !present.contains(name) {
            try connection.execute(sql)
        }
    }

    private func definition(_ name: String, _ model: ModelLayout, _ slots: [Int]) -> String {
        let columns = slots.map { SQLName.quoted(model.fields[$0].name.string) }
        return """
            \(SQLName.quoted(name)) ON \(SQLName.quoted(model.name.string))\
            (\(columns.joined(separator: ", ")))
            """
    }

    // MARK: Names.

    /// A sentence about a name that SQLite cannot have; it does not tell upper from lower case.
    private var unusableName: String? {
        if let (one, other) = Self.clash(layout.models.map(\.name)) {
            return Self.sentence("models", one, other)
        }
        for model in layout.models {
            if model.name.string.lowercased().hasPrefix("sqlite_") {
                return """
                    the model "\(model.name)" cannot be stored: names that begin with "sqlite_" \
                    are the database's own; give it another name
                    """
            }
            if let (one, other) = Self.clash(model.fields.map(\.name)) {
                return Self.sentence("fields of the model \"\(model.name)\"", one, other)
            }
        }
        return nil
    }

    private static func clash(_ names: [Text]) -> (Text, Text)? {
        var seen: [String: Text] = [:]
        for name in names {
            if let other = seen.updateValue(name, forKey: name.string.lowercased()) {
                return (other, name)
            }
        }
        return nil
    }

    private static func sentence(_ what: String, _ one: Text, _ other: Text) -> String {
        """
        the \(what) "\(one)" and "\(other)" differ only in case, which the database does not tell \
        apart; give one of them another name
        """
    }
}
