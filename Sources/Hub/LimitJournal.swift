/// Decides when an operator reads of a limit that was reached: at once for the first time, then
/// at most once a period with how many times it was since.
///
/// One for the whole hub. It is told the time, and its lines hold names and numbers, never what
/// a client sent.
public struct LimitJournal: Sendable {
    /// Seconds between two lines about one limit.
    public static let periodSeconds: Int64 = 10

    private struct Entry {
        /// Until when nothing is said of it, in nanoseconds.
        var quietUntil = Int64.min
        /// How often it was reached since the last line.
        var unsaid: UInt64 = 0
    }

    private let limits: Limits
    private var entries = [Entry](repeating: Entry(), count: ReachedLimit.allCases.count)
    private static let period = periodSeconds * 1_000_000_000

    /// A journal in which nothing stands.
    public init(_ limits: Limits) { self.limits = limits }

    /// When `due` has something to say next, in nanoseconds; `Int64.max` for never.
    public var dueAt: Int64 {
        entries.reduce(.max) { $1.unsaid > 0 ? min($0, $1.quietUntil) : $0 }
    }

    /// A limit was reached. Returns the line to be said now, if any.
    public mutating func note(
        _ limit: ReachedLimit, times: UInt64 = 1, atNanoseconds now: Int64
    ) -> String? {
        if limit.isOrdinary { return nil }
        let index = limit.index
        entries[index].unsaid += times
        return line(for: limit, now, isFirst: true)
    }

    /// What has to be said of the periods that are over.
    public mutating func due(atNanoseconds now: Int64) -> [String] {
        guard dueAt <= now else { return [] }
        return ReachedLimit.allCases.compactMap { line(for: $0, now, isFirst: false) }
    }

    private mutating func line(
        for limit: ReachedLimit, _ now: Int64, isFirst: Bool
    ) -> String? {
        let entry = entries[limit.index]
        guard entry.unsaid > 0, entry.quietUntil <= now else { return nil }
        entries[limit.index] = Entry(quietUntil: now + Self.period)
        let times = entry.unsaid == 1 ? "" : " \(entry.unsaid) times"
        let since = isFirst ? "" : " since the last line"
        return "limit reached\(times)\(since): \(words(for: limit))"
    }

    private func words(for limit: ReachedLimit) -> String {
        guard let key = LimitKey.named(limit.rawValue) else {
            return "\(limit.rawValue), file descriptors of the process; accepting pauses until one "
                + "is free (raise it with ulimit -n, or LimitNOFILE= of systemd)"
        }
        return "\(key.name)=\(key.value(in: limits)), \(key.unit)"
    }
}
