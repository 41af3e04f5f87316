import Bytes
import Crypto
import Loop
import Records
import SQLiteStore
import Store
import Synchronization

/// Requests of one shard that wait for the store together.
struct StoreJob: Sendable {
    var shard: Int
    var ticket: UInt64
    var requests: [StoreRequest]
}

/// The store on its worker: one transaction for all jobs of a moment, answers to the shards that
/// asked, changes to all shards in the order of their commits.
final class StoreHost: Sendable {
    private let worker: Worker<StoreJob>
    /// The gates to all shards.
    let directory: ShardDirectory
    private let position: CommittedPosition

    init(
        _ storage: ServerConfiguration.Storage, layout: DataLayout,
        report: @escaping @Sendable (String) -> Void
    ) throws(StartError) {
        let directory = ShardDirectory()
        let position = CommittedPosition()
        self.directory = directory
        self.position = position
        worker = try Worker(name: "heliograph.store") { () throws(StartError) in
            let store = try Self.open(storage, layout: layout)
            position.advance(to: store.committedOffset)
            var journal = StoreJournal(report: report)
            return { jobs in
                let answers = Self.perform(jobs, on: store, directory, position)
                journal.note(answers)
            }
        }
    }

    /// The offset of the last committed change, readable from any queue.
    var committedOffset: UInt64 { position.offset }

    /// Tells the store whom to answer. Called once, before the first job.
    func connect(_ shards: [LoopPoster<ShardHost>]) { directory.fill(shards) }

    /// Hands over what one shard asks, to be worked off together.
    func submit(_ jobs: [StoreJob]) {
        if worker.submit(jobs) { return }
        let failure = StoreFailure(
            message: "the store takes no more requests: it is stopping, or more than "
                + "\(worker.waitingMax) wait; try again")
        for job in jobs {
            let answers = job.requests.map { _ in StoreAnswer.failed(failure) }
            directory.shards[job.shard].post { $0.answered([(job.ticket, answers)], []) }
        }
    }

    /// Closes the store after the last job.
    func stop(_ done: @escaping @Sendable () -> Void) { worker.stop(done) }

    private static func open(
        _ storage: ServerConfiguration.Storage, layout: DataLayout
    ) throws(StartError) -> any RecordStore {
        var random = SystemRandom().generator()
        let epoch = random.nextUUID()
        switch storage {
        case .memory: return MemoryStore(layout: layout, epoch: epoch)
        case .folder(let path):
            let folder = try DataFolder(path: path)
            do throws(SQLiteStoreError) {
                return try SQLiteRecordStore(
                    path: folder.databasePath, layout: layout, newEpoch: epoch)
            } catch {
                throw StartError(error.description)
            }
        }
    }

    private static func perform(
        _ jobs: [StoreJob], on store: any RecordStore, _ directory: ShardDirectory,
        _ position: CommittedPosition
    ) -> [StoreAnswer] {
        let results = store.perform(
            jobs.count == 1 ? jobs[0].requests : jobs.flatMap(\.requests))
        // Before anybody is told: whoever knows of a change must find it counted as committed.
        position.advance(to: store.committedOffset)
        let shards = directory.shards
        var answers: [[(ticket: UInt64, answers: [StoreAnswer])]] = Array(
            repeating: [], count: shards.count)
        var at = 0
        for job in jobs {
            let end = at + job.requests.count
            answers[job.shard].append((job.ticket, Array(results.answers[at..<end])))
            at = end
        }
        let changes = results.changes
        for (number, shard) in shards.enumerated() {
            let own = answers[number]
            if own.isEmpty && changes.isEmpty { continue }
            shard.post { $0.answered(own, changes) }
        }
        return results.answers
    }
}

/// Tells the operator when the store begins to fail and when it works again, not each time.
struct StoreJournal {
    private let report: @Sendable (String) -> Void
    private var isFailing = false

    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Looks at the answers of one batch. Failed reads and writes are both failures; only a write
    /// that was carried out shows that all is well again.
    mutating func note(_ answers: [StoreAnswer]) {
        for answer in answers {
            switch answer {
            case .failed(let failure) where !isFailing:
                isFailing = true
                report(failure.description)
            case .written where isFailing:
                isFailing = false
                report("the store takes writes again")
            default: break
            }
        }
    }
}

/// How far the store has come: written by its worker, read by all shards.
final class CommittedPosition: Sendable {
    private let value = Atomic<UInt64>(0)

    var offset: UInt64 { value.load(ordering: .acquiring) }

    func advance(to offset: UInt64) { value.store(offset, ordering: .releasing) }
}

/// The gates to the shards, which are made after the store.
final class ShardDirectory: Sendable {
    private let posters = Guarded<[LoopPoster<ShardHost>]>([])

    var shards: [LoopPoster<ShardHost>] { posters.withLock { $0 } }

    func fill(_ shards: [LoopPoster<ShardHost>]) { posters.withLock { $0 = shards } }
}
