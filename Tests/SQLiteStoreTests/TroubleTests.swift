import Bytes
import Glibc
import JSON
import Records
import Store
import Testing

@testable import SQLiteStore

@Suite struct TroubleTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("data.db") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a folder that is missing or a file is named in the error`() {
        folder.write("file", [1])
        for path in [folder.file("missing/data.db"), folder.file("file/data.db")] {
            #expect(openError(path) == .folderMissing(path: path))
            #expect(openError(path)?.description.contains("create it or name another") == true)
        }
        #expect(openError(folder.path) == .notADatabase(path: folder.path))
    }

    @Test func `a file that is no database is refused and left as it is`() {
        for bytes in [Array("hello, this is a text\n".utf8), Array(repeating: 7, count: 20_000)] {
            folder.write("data.db", bytes)
            #expect(openError(path) == .notADatabase(path: path))
            #expect(folder.read("data.db") == bytes)
        }
    }

    @Test func `only the operator is told the path of a file that fails`() {
        // SQLite's codes for a full disk, a failing one, a read-only file, damage and a lock.
        for code: Int32 in [13, 10, 8, 11, 5] {
            let fault = SQLiteFault(code: code, words: "words")
            for isWrite in [true, false] {
                let failure = fault.failure(path: path, isWrite: isWrite)
                #expect(failure.message.hasPrefix("the data file cannot be "))
                #expect(failure.description.hasPrefix("the data file \(path) cannot be "))
                #expect(!failure.message.contains("/"))
            }
        }
    }

    @Test func `an empty file is a new one`() {
        folder.write("data.db", [])
        #expect(openError(path) == nil)
    }

    @Test func `another program's database is refused`() throws {
        do {
            let connection = try Connection(path: path)
            try connection.execute("CREATE TABLE theirs(x)")
        }
        #expect(openError(path) == .foreign(path: path))
    }

    @Test func `a file of a newer format is refused`() throws {
        do { _ = try Notes.open(path) }
        do {
            let connection = try Connection(path: path)
            try connection.execute("PRAGMA user_version = 2")
        }
        #expect(openError(path) == .newerFormat(path: path, found: 2, known: 1))
    }

    /// A closed file of some pages.
    private func makeFile() throws -> [UInt8] {
        do {
            let store = try Notes.open(path)
            for round in 0..<40 {
                let text = JSONValue.string(Text(String(repeating: "t", count: 900)))
                _ = store.perform(
                    (0..<5).map { Notes.create(.string(Text("\(round)-\($0)")), text, 1) })
            }
        }
        return folder.read("data.db")
    }

    @Test func `overwritten bytes are found at open or answered as failures, never a crash`() throws
    {
        let sound = try makeFile()
        #expect(sound.count > 20 * 4096)
        var found = 0
        var random = SeededRandom(seed: 5)
        for page in 0..<(sound.count / 4096) {
            var bytes = sound
            for index in 0..<64 {
                bytes[page * 4096 + index] = UInt8(truncatingIfNeeded: random.next())
            }
            folder.write("data.db", bytes)
            if let error = openError(path) {
                found += 1
                #expect(error.description.contains(path))
            }
            // Unchecked, as a file over the limit is.
            guard let store = try? Notes.open(path, limits: SQLiteStoreLimits(checkBytesMax: 0))
            else { continue }
            let results = store.perform([
                .query([RecordQuery(model: 0, limit: 1000)]), Notes.get("3-1"),
                Notes.create("new", "x", 1),
            ])
            for failure in results.answers.compactMap(\.failure) {
                #expect(failure.contains(path) && failure.contains("restore the file"))
            }
            _ = store.changes(after: 0, limit: 1000)
        }
        #expect(found == sound.count / 4096)
    }

    @Test func `a file that lost its end is refused`() throws {
        let sound = try makeFile()
        folder.write("data.db", Array(sound[..<(sound.count / 2)]))
        guard case .damaged = openError(path) else {
            Issue.record("opened")
            return
        }
    }

    @Test func `a full database fails the batch's writes only, and the next one is tried`() throws {
        let store = try Notes.open(path)
        _ = store.perform([Notes.create("a", "one", 1)])
        let pages = try store.connection.integer("PRAGMA page_count")
        try store.connection.execute("PRAGMA max_page_count = \(pages)")
        let big = JSONValue.string(Text(String(repeating: "x", count: 50_000)))
        let watch = StoreRequest.watch([RelationPath(model: 0, steps: [])])
        let results = store.perform([
            Notes.update("a", 1, "two"), Notes.get("a"), watch, Notes.create("b", big, nil),
            Notes.create("c", nil, nil), Notes.get("b"),
        ])
        checkFailure(results, writes: [0, 3, 4], "the disk is full: free space on it")
        let one = Record(model: 0, sequence: 1, values: ["a", "one", 1])
        #expect(results.answers[1] == .records([one]), "the update is not seen")
        #expect(results.answers[2] == .watching(offset: 1))
        #expect(results.answers[5] == .records([nil]))
        #expect(store.committedOffset == 1)
        try store.connection.execute("PRAGMA max_page_count = 100000")
        let next = store.perform([Notes.create("b", big, nil)])
        #expect(next.changes.map(\.offset) == [2])
        #expect(next.changes.map(\.related.count) == [1], "watched once")
    }

    private func checkFailure(_ results: StoreResults, writes: [Int], _ part: String) {
        #expect(results.changes.isEmpty)
        for (index, answer) in results.answers.enumerated() {
            #expect((answer.failure != nil) == writes.contains(index))
            if let failure = answer.failure {
                #expect(failure.contains(path) && failure.contains(part), "\(failure)")
            }
        }
    }

    @Test func `a disk that is full or fails in the middle of a commit loses that batch only`()
        throws
    {
        let store = try Notes.open(path)
        _ = store.perform([Notes.create("a", "one", 1)])
        var wanted: [[JSONValue]] = [["a", "one", 1]]
        let pipe = try Pipe()
        let broken = [
            (open("/dev/full", O_RDWR), "the disk is full"), (pipe.end, "input or output error"),
        ]
        for (round, (device, part)) in broken.enumerated() {
            // Emptied first: what the broken device would give back is not what is tested.
            _ = try store.connection.texts("PRAGMA wal_checkpoint(TRUNCATE)")
            let log = try #require(descriptor(of: path + "-wal"))
            let kept = dup(log)
            dup2(device, log)
            let id = JSONValue.string(Text("n\(round)"))
            for _ in 0..<3 {
                let results = store.perform([
                    Notes.create(id, "lost", nil), Notes.get("a"), Notes.update("a", 1, "lost"),
                ])
                checkFailure(results, writes: [0, 2], part)
            }
            dup2(kept, log)
            close(kept)
            close(device)
            #expect(store.perform([Notes.create(id, "kept", nil)]).answers[0].isWritten)
            wanted.append([id, "kept", nil])
            #expect(store.everything == wanted)
        }
        #expect(store.history.map(\.offset) == [1, 2, 3])
        folder.write("copy.db", folder.read("data.db"))
        folder.write("copy.db-wal", folder.read("data.db-wal"))
        #expect(try Notes.open(folder.file("copy.db")).everything == wanted)
    }

    private struct Pipe {
        let end: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw TemporaryFolder.Failure(number: errno) }
            close(ends[0])
            end = ends[1]
        }
    }

    /// The number under which this process has a file open.
    private func descriptor(of path: String) -> Int32? {
        (0..<1024).first { number in
            var name = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(number)", &name, name.count)
            return count > 0
                && String(decoding: name[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
                    == path
        }
    }
}
