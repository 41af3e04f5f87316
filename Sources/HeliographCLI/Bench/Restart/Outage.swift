/// A time in which not all subscribers were live, from the first one's loss to the last one's
/// return, and what is to be said of it.
struct Outage: Sendable {
    /// When the first one's end was read.
    let beganAt: Int64
    /// When the last one was live again; when the bench looked, if not all are.
    let endsAt: Int64
    /// When the last end was read.
    private(set) var lastLossAt: Int64 = 0
    /// When the first one was back, if any is.
    private(set) var returnedAt: Int64?
    /// How many ends had which close code; 0 stands for none.
    private(set) var codes: [UInt16: Int] = [:]
    /// How many subscribers were lost.
    private(set) var lostCount = 0
    /// When those that came back were live again for good, in order.
    private(set) var liveAgainAt: [Int64] = []
    /// How long each of them was away.
    private(set) var absences = Histogram()
    /// The most acknowledged connections in a tenth of a second.
    private(set) var connectsPeak = 0
    /// How many attempts to connect failed.
    private(set) var vainCount = 0
    /// The most of them in a tenth of a second.
    private(set) var vainPeak = 0

    /// The outages of a run, in order.
    ///
    /// - Parameters:
    ///   - stays: the connections of each subscriber, in the order of their beginning.
    ///   - now: when the bench looked.
    static func all(_ stays: [[Stay]], vainAt: [Int64], now: Int64) -> [Outage] {
        // Who is not live, from when to when.
        var gaps: [(from: Int64, to: Int64)] = []
        for own in stays {
            for stay in own where stay.lostAt < .max && stay.liveAt < .max {
                let next = own.first { $0.connectedAt >= stay.lostAt && $0.liveAt < .max }
                gaps.append((stay.lostAt, next?.liveAt ?? now))
            }
        }
        gaps.sort { $0.from < $1.from }
        var times: [(from: Int64, to: Int64)] = []
        for gap in gaps {
            if let last = times.last, gap.from <= last.to {
                times[times.count - 1].to = max(last.to, gap.to)
            } else {
                times.append(gap)
            }
        }
        return times.map { Outage(from: $0.from, to: $0.to, stays, vainAt) }
    }

    private init(from: Int64, to: Int64, _ stays: [[Stay]], _ vainAt: [Int64]) {
        beganAt = from
        endsAt = to
        let tenth: Int64 = 100_000_000
        var connects: [Int64: Int] = [:]
        for own in stays {
            for stay in own where stay.connectedAt >= from && stay.connectedAt <= to {
                returnedAt = min(returnedAt ?? .max, stay.connectedAt)
                connects[(stay.connectedAt - from) / tenth, default: 0] += 1
            }
            let ended = own.filter { $0.lostAt >= from && $0.lostAt <= to }
            for stay in ended {
                codes[stay.closeCode, default: 0] += 1
                lastLossAt = max(lastLossAt, stay.lostAt)
            }
            guard let first = ended.first(where: { $0.liveAt < .max }) else { continue }
            lostCount += 1
            guard let last = own.last(where: { $0.liveAt > from && $0.liveAt <= to }),
                last.liveAt > first.lostAt
            else { continue }
            liveAgainAt.append(last.liveAt)
            absences.record(last.liveAt - first.lostAt)
        }
        liveAgainAt.sort()
        connectsPeak = connects.values.max() ?? 0
        let inVain = vainAt.filter { $0 >= from && $0 <= to }
        vainCount = inVain.count
        vainPeak =
            Dictionary(grouping: inVain) { ($0 - from) / tenth }.values.map(\.count).max() ?? 0
    }

    /// How long after the first return this share of all was live; nil if it never was.
    func returnTime(of share: Double, all: Int) -> Int64? {
        guard let returnedAt else { return nil }
        // Who was not lost is there already.
        let needed = Int((share * Double(all)).rounded(.up)) - (all - lostCount)
        if needed <= 0 { return 0 }
        guard needed <= liveAgainAt.count else { return nil }
        return max(0, liveAgainAt[needed - 1] - returnedAt)
    }
}
