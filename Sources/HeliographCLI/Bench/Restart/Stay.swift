/// One connection of one subscriber, on the bench's monotonic clock.
struct Stay: Sendable, Hashable {
    /// When it was acknowledged.
    var connectedAt: Int64
    /// When its subscription was known to be live; `Int64.max` if it never was.
    var liveAt = Int64.max
    /// When its end was read; `Int64.max` if it has not ended.
    var lostAt = Int64.max
    /// The code of the close frame; 0 for an end without one.
    var closeCode: UInt16 = 0
}

/// When one message was sent and acknowledged.
struct MessageTimes: Sendable, Hashable {
    var sentAt: Int64
    /// `Int64.max` if it was not.
    var acknowledgedAt = Int64.max
}

/// What to think of an acknowledged message that a subscriber did not get.
enum Absence: Sendable, Hashable {
    /// It was live when the message was sent, and has been connected since.
    case lost
    /// It was live when the message was sent and still connected when it was acknowledged, so
    /// long before its end was read.
    case atTheEnd(lead: Int64, endedAt: Int64)
    /// It was away, or not live yet, or gone when the message was acknowledged.
    case away

    init(of message: MessageTimes, from stays: some Collection<Stay>) {
        let live = stays.first { $0.liveAt <= message.sentAt && message.sentAt < $0.lostAt }
        guard let live, message.acknowledgedAt < live.lostAt else {
            self = .away
            return
        }
        self =
            live.lostAt == .max
            ? .lost
            : .atTheEnd(lead: live.lostAt - message.acknowledgedAt, endedAt: live.lostAt)
    }
}

/// How long deliveries took at most, second by second.
///
/// The hub decides to close a socket, sends what it has to say to thousands, and a busy bench reads
/// it in its turn: a message that was acknowledged shortly before the bench read the close may have
/// been committed after the hub wrote it. How shortly is told by what other deliveries took just
/// then.
struct DeliveryLag: Sendable {
    private var most: [Int64: Int64] = [:]
    private var second: Int64 = .min
    private var mostNow: Int64 = 0

    /// A delivery came at this time, so long after it was sent.
    mutating func note(_ latency: Int64, at time: Int64) {
        let now = time / 1_000_000_000
        if now != second {
            store()
            second = now
            mostNow = 0
        }
        mostNow = max(mostNow, latency)
    }

    /// The most within the second of this time and those beside it.
    mutating func most(around time: Int64) -> Int64 {
        store()
        let second = time / 1_000_000_000
        return (second - 1...second + 1).map { most[$0] ?? 0 }.max() ?? 0
    }

    private mutating func store() {
        if second != .min { most[second] = max(most[second] ?? 0, mostNow) }
    }
}
