import Testing

@testable import HeliographCLI

/// What the bench makes of a restart: who was away, when, and what was lost.
struct RestartTests {
    private static func seconds(_ value: Double) -> Int64 { 1_000_000_000_000 + Int64(value * 1e9) }

    private func stay(_ from: Double, _ to: Double? = nil, code: UInt16 = 1012) -> Stay {
        Stay(
            connectedAt: Self.seconds(from), liveAt: Self.seconds(from + 0.01),
            lostAt: to.map(Self.seconds) ?? .max, closeCode: to == nil ? 0 : code)
    }

    /// Ten clients that go one after the other from 10 s on and come back from 12 s on.
    private var restart: [[Stay]] {
        (0..<10).map { number in
            let n = Double(number)
            return [stay(1, 10 + n / 10), stay(12 + n / 5)]
        }
    }

    // MARK: What is missing

    @Test func `a message that nobody could have got is not missing`() {
        let stays = [stay(1, 10), stay(12)]
        func absence(_ sent: Double, _ acknowledged: Double) -> Absence {
            Absence(
                of: MessageTimes(
                    sentAt: Self.seconds(sent), acknowledgedAt: Self.seconds(acknowledged)),
                from: stays)
        }
        // Before it was live, in its absence, and acknowledged only in its absence.
        for (sent, acknowledged) in [(1.0, 3.0), (11, 11.1), (9.9, 10.1), (12, 13)] {
            #expect(absence(sent, acknowledged) == .away)
        }
        #expect(
            absence(9, 9.75) == .atTheEnd(lead: 250_000_000, endedAt: Self.seconds(10)))
        #expect(absence(12.1, 12.2) == .lost)
    }

    @Test func `how long deliveries take is known for each moment`() {
        var lag = DeliveryLag()
        for (time, latency) in [(1.1, 5), (1.2, 9), (1.9, 2), (3.5, 1), (5.0, 7)]
            as [(Double, Int64)]
        {
            lag.note(latency, at: Self.seconds(time))
        }
        let found = [0.0, 1.5, 2.5, 3.5, 4.5, 7.5].map { lag.most(around: Self.seconds($0)) }
        #expect(found == [9, 9, 9, 1, 7, 0])
    }

    @Test func `the missing numbers are those that did not come`() {
        var ledger = SequenceLedger()
        for number in [1, 2, 5, 9] { ledger.receive(number) }
        #expect(ledger.missing(upTo: 0) == [])
        #expect(ledger.missing(upTo: 3) == [3])
        #expect(ledger.missing(upTo: 11) == [3, 4, 6, 7, 8, 10, 11])
        ledger.receive(7)
        #expect(ledger.missing(upTo: 9) == [3, 4, 6, 8])
    }

    @Test func `what is stored is held against what was acknowledged`() {
        let sent = PublisherLane.Sent(
            lastNumbers: [4],
            times: [
                [
                    MessageTimes(sentAt: 1, acknowledgedAt: 2),
                    MessageTimes(sentAt: 1, acknowledgedAt: 2), MessageTimes(sentAt: 1),
                    MessageTimes(sentAt: 1),
                ]
            ], acknowledged: [2])
        var stored = StoredMessages()
        stored.count([1, 3, 1], of: 0, sent)
        #expect(stored.lost == 1)
        #expect(stored.unknownStored == 1)
        #expect(stored.twice == 1)
    }

    // MARK: The outage

    @Test func `an outage lasts from the first loss to the last return`() throws {
        let outages = Outage.all(restart, vainAt: [], now: Self.seconds(20))
        let outage = try #require(outages.first)
        #expect(outages.count == 1)
        #expect(outage.beganAt == Self.seconds(10))
        #expect(outage.lastLossAt == Self.seconds(10.9))
        #expect(outage.endsAt == Self.seconds(13.81))
        #expect(outage.returnedAt == Self.seconds(12))
        #expect(outage.codes == [1012: 10])
        #expect(outage.lostCount == 10)
        let times = [0.5, 0.9, 1].map { outage.returnTime(of: $0, all: 10) }
        #expect(times == [810_000_000, 1_610_000_000, 1_810_000_000])
        // Of twenty clients, half were never away.
        #expect(outage.returnTime(of: 0.5, all: 20) == 0)
        #expect(outage.absences.count == 10)
        #expect(outage.absences.max == 2_910_000_000)
    }

    @Test func `two restarts are two outages, and who does not come back is told`() {
        let once = (0..<3).map { _ in [stay(1, 10, code: 0), stay(12, 20), stay(21)] }
        let gone = [stay(1, 10), stay(12, 20)]
        let outages = Outage.all(once + [gone], vainAt: [], now: Self.seconds(30))
        #expect(outages.map(\.beganAt) == [10, 20].map(Self.seconds))
        #expect(outages[0].codes == [0: 3, 1012: 1])
        #expect(outages[0].returnTime(of: 1, all: 4) == 10_000_000)
        #expect(outages[1].liveAgainAt.count == 3)
        #expect(outages[1].returnTime(of: 1, all: 4) == nil)
        #expect(outages[1].endsAt == Self.seconds(30))
        #expect(Outage.all([[stay(1)]], vainAt: [], now: Self.seconds(30)).isEmpty)
    }

    @Test func `attempts are counted by tenths of a second`() throws {
        let vain = [9.0, 10.5, 10.51, 10.52, 11.0, 15.0].map(Self.seconds)
        let outage = try #require(Outage.all(restart, vainAt: vain, now: Self.seconds(20)).first)
        #expect(outage.vainCount == 4)
        #expect(outage.vainPeak == 3)
        #expect(outage.connectsPeak == 1)
    }

    @Test func `the curve shows who is live, step by step`() throws {
        let vain = [10.5, 10.51].map(Self.seconds)
        let outage = try #require(Outage.all(restart, vainAt: vain, now: Self.seconds(20)).first)
        let curve = ReturnCurve(outage, of: restart, vainAt: vain, all: 10)
        #expect(curve.stepMilliseconds == 100)
        #expect(curve.steps.first?.live == 10)
        #expect(curve.steps.last?.live == 10)
        #expect(curve.steps.map(\.live).min() == 0)
        #expect(curve.steps.reduce(0) { $0 + $1.connects } == 10)
        #expect(curve.steps.first { $0.inVain > 0 }?.nanoseconds == 600_000_000)
        let lines = curve.picture.split(separator: "\n")
        #expect(lines.count == curve.steps.count + 1)
        #expect(lines[1] == "                -0.10 s       10         0         0   \(bar(50))")
        // Whoever goes at the very beginning of a step is away at its end.
        #expect(lines[3] == "                 0.10 s        9         0         0   \(bar(45))")
    }

    private func bar(_ count: Int) -> String { String(repeating: "#", count: count) }

    @Test(arguments: [0.02, 1, 30, 600, 86_400])
    func `a curve of any length has lines that fit a screen`(length: Double) throws {
        let stays = [[stay(1, 10), stay(10 + length)]]
        let outage = try #require(Outage.all(stays, vainAt: [], now: .max).first)
        let curve = ReturnCurve(outage, of: stays, vainAt: [], all: 1)
        #expect((4...52).contains(curve.steps.count))
        #expect(curve.steps.last?.live == 1)
    }
}
