import Hub
import Testing

/// What an operator reads of limits that were reached, and how often.
@Suite struct LimitJournalTests {
    private static let second: Int64 = 1_000_000_000
    private static let words = "connections-max=100000, connections of the whole hub"

    @Test func `the first time is told at once, the others together after the period`() {
        var journal = LimitJournal(Limits())
        #expect(journal.dueAt == .max)
        #expect(
            journal.note(.connections, atNanoseconds: 0) == "limit reached: \(Self.words)")
        #expect(journal.dueAt == .max)
        for _ in 0..<3 { #expect(journal.note(.connections, atNanoseconds: Self.second) == nil) }
        #expect(journal.note(.connections, times: 4, atNanoseconds: Self.second) == nil)
        #expect(journal.dueAt == 10 * Self.second)
        #expect(journal.due(atNanoseconds: 9 * Self.second) == [])
        #expect(
            journal.due(atNanoseconds: 10 * Self.second)
                == ["limit reached 7 times since the last line: \(Self.words)"])
        #expect(journal.dueAt == .max)
        #expect(journal.due(atNanoseconds: 30 * Self.second) == [])
    }

    @Test func `a limit is quiet for a period after each line`() {
        var journal = LimitJournal(Limits())
        var lines = 0
        for millisecond in stride(from: Int64(0), to: 100_000, by: 10) {
            let now = millisecond * 1_000_000
            if journal.note(.initSeconds, atNanoseconds: now) != nil { lines += 1 }
            lines += journal.due(atNanoseconds: now).count
        }
        #expect(lines == 10)
    }

    @Test func `limits do not quiet each other`() {
        var journal = LimitJournal(Limits())
        for limit in [ReachedLimit.connections, .handshakes, .openFiles] {
            #expect(journal.note(limit, atNanoseconds: 5) != nil)
        }
    }

    @Test func `what is in the order of things is not told`() {
        var journal = LimitJournal(Limits())
        #expect(journal.note(.restSeconds, atNanoseconds: 0) == nil)
        #expect(journal.dueAt == .max)
    }

    @Test func `each limit is told with its name and value, and the system's with a way out`() {
        var journal = LimitJournal(Limits())
        for limit in ReachedLimit.allCases where limit != .openFiles {
            #expect(LimitKey.named(limit.rawValue) != nil, "\(limit)")
        }
        let line = journal.note(.openFiles, atNanoseconds: 0) ?? ""
        #expect(line.contains("ulimit -n"))
    }
}
