import Bytes
import Glibc
import Testing

/// The real hub and the real client in simulated worlds, one a seed.
@Suite struct SimulationTests {
    /// Which seeds are run, from the environment.
    private struct Wanted {
        /// The first seed; with `HELIOGRAPH_SIM_SEED` the only one.
        var first: UInt64 = 1
        var count: UInt64 = 200
        /// Whether the whole trace of the seed is printed.
        var isTracing = false

        init() {
            func number(_ name: String) -> UInt64? {
                getenv(name).flatMap { UInt64(String(cString: $0)) }
            }
            if let seed = number("HELIOGRAPH_SIM_SEED") {
                (first, count, isTracing) = (seed, 1, true)
            } else {
                first = number("HELIOGRAPH_SIM_FIRST") ?? first
                count = number("HELIOGRAPH_SIM_SEEDS") ?? count
            }
        }

        /// The seeds in groups that are run side by side.
        var groups: [Range<UInt64>] {
            stride(from: first, to: first + count, by: 10).map { $0..<min($0 + 10, first + count) }
        }
    }

    private static let wanted = Wanted()

    @Test(arguments: wanted.groups)
    func `the hub keeps its promises to its clients`(seeds: Range<UInt64>) {
        for seed in seeds {
            if Self.wanted.count > 1 { Self.announce(seed) }
            let run = Run(seed: seed, isTracing: Self.wanted.isTracing)
            let violation = run.perform()
            if Self.wanted.isTracing { print(run.world.trace.lines.joined(separator: "\n")) }
            if let violation { report(seed, violation) }
        }
    }

    /// Says which seed is under way, unbuffered: a crash has no other trace.
    private static func announce(_ seed: UInt64) {
        let line = Array("simulating seed \(seed)\n".utf8)
        _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    @Test func `the same seed gives the same run`() {
        for seed: UInt64 in [3, 4] {
            let first = Run(seed: seed)
            let second = Run(seed: seed, isTracing: true)
            #expect(first.perform() == second.perform())
            #expect(first.world.runDigest == second.world.runDigest)
            #expect(first.journal.end == second.journal.end)
        }
    }

    @Test func `a run without faults is busy: events reach the clients`() {
        var plan = Plan()
        plan.shardCount = 2
        plan.clientCount = 4
        let run = Run(seed: 7, plan)
        #expect(run.perform() == nil)
        #expect(run.eventCount > 50)
        #expect(run.journal.end > 50)
    }

    /// A failing seed is run once more, with a trace: the same number gives the same run.
    private func report(_ seed: UInt64, _ violation: String) {
        let again = Run(seed: seed, isTracing: true)
        again.perform()
        let lines = again.world.trace.lines
        let shown = ([lines.first ?? ""] + lines.suffix(60)).joined(separator: "\n")
        Issue.record(
            """
            seed \(seed): \(violation)
            repeat it with the whole trace: make sim SEED=\(seed)
            \(shown)
            """)
    }
}
