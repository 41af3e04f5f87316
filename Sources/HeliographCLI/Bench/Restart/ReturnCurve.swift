import Bytes
import JSON

/// How many of all subscribers were live over time, around an outage: as lines of a picture and as
/// numbers.
struct ReturnCurve: Sendable {
    /// One step of time.
    struct Step: Sendable, Hashable {
        /// From the outage's beginning to the step's end.
        var nanoseconds: Int64
        /// Live at the step's end.
        var live = 0
        /// Acknowledged connections within the step.
        var connects = 0
        /// Attempts within the step that failed.
        var inVain = 0
    }

    private static let stepsMax = 48
    private static let barWidth = 50
    /// Steps that read well.
    private static let widths: [Int64] = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000]

    let steps: [Step]
    let stepMilliseconds: Int64
    private let all: Int

    /// The curve of an outage, with a few steps before and behind it.
    init(_ outage: Outage, of stays: [[Stay]], vainAt: [Int64], all: Int) {
        let length = (outage.endsAt - outage.beganAt) / 1_000_000
        let width = Self.widths.first { length / $0 < Int64(Self.stepsMax) - 4 } ?? length / 40
        stepMilliseconds = width
        self.all = all
        let step = width * 1_000_000
        let first: Int64 = -2
        let count = Int((outage.endsAt - outage.beganAt) / step) + 4
        var steps = (0..<count).map { Step(nanoseconds: (first + Int64($0) + 1) * step) }
        func place(_ time: Int64) -> Int {
            guard time < .max else { return count }
            let place = (time - outage.beganAt - first * step) / step
            return Int(min(Int64(count), max(0, place)))
        }
        var changes = [Int](repeating: 0, count: count + 1)
        for stay in stays.joined() {
            changes[place(stay.liveAt)] += 1
            if stay.liveAt < .max { changes[place(stay.lostAt)] -= 1 }
            let at = place(stay.connectedAt)
            if at < count, stay.connectedAt >= outage.beganAt { steps[at].connects += 1 }
        }
        for time in vainAt where time >= outage.beganAt {
            if place(time) < count { steps[place(time)].inVain += 1 }
        }
        var live = 0
        for index in steps.indices {
            live += changes[index]
            steps[index].live = live
        }
        self.steps = steps
    }

    /// The curve as lines of text, time downwards.
    var picture: String {
        var lines = [
            "  after the first close     live  connects   in vain   "
                + "(\(stepMilliseconds) ms a line)"
        ]
        for step in steps {
            let bar = step.live * Self.barWidth / max(1, all)
            let time = Double(step.nanoseconds) / 1e9
            let hundredths = Int((abs(time) * 100).rounded())
            let sign = step.nanoseconds < 0 ? "-" : ""
            let zero = hundredths % 100 < 10 ? "0" : ""
            let text = "\(sign)\(hundredths / 100).\(zero)\(hundredths % 100) s"
            lines.append(
                (Figure.right(text, 23) + Figure.right(Figure.count(step.live), 9)
                    + Figure.right(Figure.count(step.connects), 10)
                    + Figure.right(Figure.count(step.inVain), 10) + "   "
                    + String(repeating: "#", count: bar)).trimmedAtEnd)
        }
        return lines.joined(separator: "\n")
    }

    var json: JSONValue {
        .array(
            steps.map { step in
                [
                    "milliseconds": .int(step.nanoseconds / 1_000_000),
                    "live": .int(Int64(step.live)), "connects": .int(Int64(step.connects)),
                    "inVain": .int(Int64(step.inVain)),
                ]
            })
    }
}
