import Bytes
import Dispatch
import Glibc
import Hub
import Loop

/// Gathers the numbers of all shards when somebody asks for `/metrics`.
///
/// A shard is asked over its inbox, between two of its turns, so that nobody counts anything for
/// this while messages flow. The sums are made on a queue of their own.
final class MetricsDesk: Sendable {
    private let directory: ShardDirectory
    private let version: String
    private let startedAt = DispatchTime.now().uptimeNanoseconds
    private let queue = DispatchQueue(label: "heliograph.metrics", qos: .utility)

    init(_ directory: ShardDirectory, version: String) {
        self.directory = directory
        self.version = version
    }

    /// Has the page written, and gives it to the connection's shard.
    func measure(for connection: UInt64, of shard: Int) {
        let shards = directory.shards
        let gathering = Gathering(count: shards.count)
        for one in shards {
            let isPosted = one.post { [self] host in
                let measures = host.measures
                queue.async { self.note(measures, in: gathering, connection, of: shard) }
            }
            // A shard that has stopped has nothing to add.
            if !isPosted {
                queue.async { self.note(Measures(), in: gathering, connection, of: shard) }
            }
        }
    }

    private func note(
        _ measures: Measures, in gathering: Gathering, _ connection: UInt64, of shard: Int
    ) {
        guard let sum = gathering.add(measures) else { return }
        var page = ByteQueue()
        let uptime = DispatchTime.now().uptimeNanoseconds - startedAt
        MetricsPage.append(
            sum,
            of: ProcessMeasures(
                version: version, uptimeSeconds: Double(uptime / 1_000_000) / 1_000,
                openDescriptors: ProcessFacts.openDescriptors,
                descriptorsMax: ProcessFacts.descriptorsMax,
                residentBytes: ProcessFacts.residentBytes),
            to: &page)
        directory.shards[shard].post { [page] in $0.measured(connection, page) }
    }

    /// What has come so far for one page.
    private final class Gathering: Sendable {
        private let state: Guarded<(left: Int, sum: Measures)>

        init(count: Int) { state = Guarded((count, Measures())) }

        /// The sum, when the last shard's numbers have come.
        func add(_ measures: Measures) -> Measures? {
            state.withLock { state in
                state.sum.add(measures)
                state.left -= 1
                return state.left == 0 ? state.sum : nil
            }
        }
    }
}

/// What the kernel knows of this process.
enum ProcessFacts {
    /// Descriptors in use, the one for counting them left out.
    static var openDescriptors: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        return max(0, count - 1)
    }

    /// Descriptors that may be in use.
    static var descriptorsMax: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return nil
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Bytes of memory in use.
    static var residentBytes: Int? {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, 128))
        }
        // The second number: pages that are resident (proc(5)).
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
