import Glibc

/// How much memory another process of this machine has (its resident set).
final class ProcessMemory {
    /// Bytes at the first look, at most, and at the last.
    struct Marks: Sendable {
        var before = 0
        var most = 0
        var after = 0
    }

    private let path: String
    private(set) var marks: Marks

    /// - Throws: there is no such process.
    init(_ process: Int) throws(CommandFailure) {
        path = "/proc/\(process)/statm"
        guard let bytes = Self.read(path) else {
            throw .usage("--hub-pid \(process): there is no such process on this machine")
        }
        marks = Marks(before: bytes, most: bytes, after: bytes)
    }

    /// Looks again.
    func look() {
        guard let bytes = Self.read(path) else { return }
        marks.most = max(marks.most, bytes)
        marks.after = bytes
    }

    /// The second number, in pages (proc(5)).
    private static func read(_ path: String) -> Int? {
        // The process may have ended meanwhile: then there is no more to be read.
        guard let bytes = try? contents(of: path, bytesMax: 4_096) else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
