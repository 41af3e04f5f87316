import Bytes

/// The simulated world of one seed: a clock that jumps from event to event, the events to come,
/// random numbers, the trace and the first violation.
///
/// Everything that happens is an event of one agenda and everything that is drawn comes from the
/// seed, so a seed is a whole history: the same number gives the same run.
final class World {
    /// The clock's value at the start of every run; far from zero, as real clocks are.
    static let start: Int64 = 1_000_000_000_000

    let seed: UInt64
    private(set) var now = World.start
    private(set) var trace: Trace
    /// What went wrong first; the run ends with it.
    private(set) var violation: String?

    private var agenda = Agenda()
    private var streams: UInt64 = 0
    private var digest: UInt64 = 0xcbf2_9ce4_8422_2325

    init(seed: UInt64, isTracing: Bool = false) {
        self.seed = seed
        trace = Trace(isOn: isTracing)
    }

    // MARK: Time

    func at(_ time: Int64, _ action: @escaping () -> Void) {
        agenda.add(max(time, now), action)
    }

    func after(_ delay: Int64, _ action: @escaping () -> Void) { at(now + delay, action) }

    /// Lets everything happen that is due until then, or until something went wrong.
    func run(until end: Int64) {
        while violation == nil, let (time, action) = agenda.next(before: end) {
            now = time
            action()
        }
        if violation == nil { now = end }
    }

    /// Forgets all that is still to come; actions hold on to the actors.
    func end() { agenda = Agenda() }

    // MARK: Chance

    /// A source of random numbers of its own for each actor and link: what one of them draws
    /// does not depend on how often the others did.
    func newRandom() -> SeededRandom {
        streams += 1
        return SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ streams &* 0xd1b5_4a32_d192_ed03)
    }

    // MARK: What is said about the run

    /// Notes something for whoever reads a failing run. Free of cost while nobody traces.
    func note(_ line: @autoclosure () -> String) {
        if trace.isOn { trace.add(now - Self.start, line()) }
    }

    /// Something happened that must not. Only the first counts.
    func violate(_ text: String) {
        guard violation == nil else { return }
        violation = text
        note("VIOLATION: \(text)")
    }

    /// Mixes something that happened into the run's digest, by which two runs are compared.
    func mix(_ value: UInt64) {
        digest = (digest ^ value ^ UInt64(bitPattern: now)) &* 0x0000_0100_0000_01b3
    }

    /// Sums up the whole run so far.
    var runDigest: UInt64 { digest }
}

/// What is to happen, in the order of time; of the same moment in the order of adding.
struct Agenda {
    private struct Entry {
        var time: Int64
        var number: UInt64
        var action: () -> Void

        func comes(before other: Entry) -> Bool {
            time == other.time ? number < other.number : time < other.time
        }
    }

    /// A binary heap: each entry comes before those at twice its place plus one and two.
    private var heap: [Entry] = []
    private var added: UInt64 = 0

    mutating func add(_ time: Int64, _ action: @escaping () -> Void) {
        added += 1
        heap.append(Entry(time: time, number: added, action: action))
        var child = heap.count - 1
        while child > 0, heap[child].comes(before: heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next(before end: Int64) -> (Int64, () -> Void)? {
        guard let first = heap.first, first.time <= end else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.time, first.action)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].comes(before: heap[least]) { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}

/// Lines about what happened, with their time in the run.
struct Trace {
    let isOn: Bool
    private(set) var lines: [String] = []

    init(isOn: Bool) { self.isOn = isOn }

    mutating func add(_ nanoseconds: Int64, _ line: String) {
        let microseconds = nanoseconds / 1000
        let fraction = String(microseconds % 1_000_000)
        let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
        lines.append("\(microseconds / 1_000_000).\(zeros)\(fraction) \(line)")
    }
}

/// Lengths of time on the world's clock.
extension Int64 {
    static func microseconds(_ count: Int64) -> Int64 { count * 1_000 }
    static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }
    static func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }
}

extension SeededRandom {
    /// Yes in so many of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// A number of the range, mostly a small one.
    mutating func skewed(_ range: ClosedRange<Int64>) -> Int64 {
        let high = Int64.random(in: range, using: &self)
        let middle = Int64.random(in: range.lowerBound...high, using: &self)
        return Int64.random(in: range.lowerBound...middle, using: &self)
    }

    mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: items.indices, using: &self)] }
}
