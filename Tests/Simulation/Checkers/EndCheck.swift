import Bytes

/// Checks that every operation ends within a bounded time.
///
/// The bound holds for runs whose faults stop: an operation outlives lost connections, so its
/// time is that of the longest fault plus finding out plus coming back.
struct EndCheck {
    /// Operations that have not ended, with the time of their start.
    private var open: [Int: (name: String, since: Int64)] = [:]
    private var begun = 0
    let longest: Int64

    init(longest: Int64) { self.longest = longest }

    /// An operation was begun. Returns its number.
    mutating func began(_ name: String, at now: Int64) -> Int {
        begun += 1
        open[begun] = (name, now)
        return begun
    }

    /// The operation ended, for good or ill. Returns what is wrong with that.
    mutating func ended(_ number: Int, at now: Int64) -> String? {
        guard let (name, since) = open.removeValue(forKey: number) else {
            return "operation \(number) ended twice"
        }
        return now - since > longest ? Self.late(name, now - since) : nil
    }

    /// The first operation that should have ended by now.
    func overdue(at now: Int64) -> String? {
        let late = open.filter { now - $0.value.since > longest }
        guard let first = late.min(by: { $0.key < $1.key })?.value else { return nil }
        return Self.late(first.name, now - first.since)
    }

    private static func late(_ name: String, _ time: Int64) -> String {
        "\(name) has not ended after \(time / 1_000_000_000) s"
    }
}
