import Bytes

/// The timetable of a shard's end: when each connection's turn comes to be closed, and when each
/// client is asked to come again.
///
/// Turns are spread evenly, each at a random moment of its own share of the time, so that neither
/// the closes nor the returns come all at once.
struct Drain {
    /// A connection whose turn has come and that still waits: for answers, or for events.
    struct Leaving {
        var connection: UInt64
        /// When its turn came.
        var since: Int64
        /// How far the store had come by then.
        var committedOffset: UInt64
    }

    private struct Turn {
        var connection: UInt64
        var at: Int64
    }

    /// The most that lies between two turns: a few connections are not kept waiting.
    private static let spacingMax: Int64 = 500_000_000

    /// When the rest is closed, whatever it waits for.
    let endsAt: Int64
    /// How long a connection waits for the store to pause, so that it is told of everything that
    /// was committed before its close rather than before its turn.
    let patience: Int64
    /// Those whose turn has come, in the order of their turns.
    var leaving: [Leaving] = []
    /// Connections that were closed although they still waited for an answer or an event.
    var cutCount = 0

    private var turns: [Turn] = []
    private var nextTurn = 0
    /// When the hub is expected to be gone.
    private let goneAt: Int64
    private let returnNanoseconds: Int64
    private var returnCount: Int64 = 0

    /// A timetable that begins now.
    ///
    /// - Parameters:
    ///   - connections: in the order of their turns, the first of which is at once.
    ///   - returnsPerSecond: how many clients are asked to come again each second.
    init(
        _ connections: [UInt64], at now: Int64, seconds: Int64, returnsPerSecond: Int,
        _ random: inout SeededRandom
    ) {
        let time = seconds * 1_000_000_000
        endsAt = now + time
        patience = time / 20
        returnNanoseconds = 1_000_000_000 / Int64(max(1, returnsPerSecond))
        // The last tenth of the time is for those whose turns came last.
        let count = Int64(max(1, connections.count))
        let spacing = min(time / 10 * 9 / count, Self.spacingMax)
        goneAt = min(endsAt, now + spacing * count / 9 * 10)
        turns.reserveCapacity(connections.count)
        for (index, connection) in connections.enumerated() {
            let share = now + spacing * Int64(index)
            let at = index == 0 ? now : share + Int64.random(in: 0...spacing, using: &random)
            turns.append(Turn(connection: connection, at: at))
        }
    }

    /// Gives a connection that came late a turn of its own.
    mutating func add(_ connection: UInt64, at now: Int64) {
        let at = min(endsAt, now + Self.spacingMax)
        let index = turns[nextTurn...].firstIndex { $0.at > at } ?? turns.count
        turns.insert(Turn(connection: connection, at: at), at: index)
    }

    /// The next connection whose turn has come.
    mutating func takeTurn(at now: Int64) -> UInt64? {
        guard nextTurn < turns.count, turns[nextTurn].at <= now else { return nil }
        nextTurn += 1
        return turns[nextTurn - 1].connection
    }

    /// When something is to be done next; `Int64.max` once the time is over.
    func nextAt(after now: Int64) -> Int64 {
        guard now < endsAt else { return .max }
        var next = nextTurn < turns.count ? min(endsAt, turns[nextTurn].at) : endsAt
        // Patience ends in the order of the turns.
        for one in leaving where one.since + patience > now {
            next = min(next, one.since + patience)
            break
        }
        return next
    }

    /// Milliseconds after which the client that is closed now is asked to come again: when the
    /// hub is expected to be gone, and then one after the other.
    mutating func nextReturn(at now: Int64) -> Int64 {
        defer { returnCount += 1 }
        return (max(0, goneAt - now) + returnCount * returnNanoseconds) / 1_000_000
    }

    /// Seconds until the hub is expected to be gone, at least 1.
    func secondsLeft(at now: Int64) -> Int64 {
        max(1, (goneAt - now + 999_999_999) / 1_000_000_000)
    }
}
