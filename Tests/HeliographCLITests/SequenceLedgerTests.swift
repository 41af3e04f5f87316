import Bytes
import Testing

@testable import HeliographCLI

struct SequenceLedgerTests {
    private struct Case: Sendable {
        var came: [Int]
        var sent: Int
        var excused: Set<Int> = []
        var lost = 0
        var duplicated = 0
        var outOfOrder = 0
    }

    private static let cases = [
        Case(came: [], sent: 0),
        Case(came: [1, 2, 3], sent: 3),
        Case(came: [], sent: 3, lost: 3),
        Case(came: [1, 2], sent: 4, lost: 2),
        Case(came: [1, 4, 5], sent: 5, lost: 2),
        Case(came: [1, 3, 2], sent: 3, outOfOrder: 1),
        Case(came: [3, 2, 1], sent: 3, outOfOrder: 2),
        Case(came: [1, 1, 2, 2, 2], sent: 2, duplicated: 3),
        Case(came: [1, 5, 3, 3, 1], sent: 5, lost: 2, duplicated: 2, outOfOrder: 1),
        Case(came: [1, 3], sent: 3, excused: [2]),
        Case(came: [1, 2, 3], sent: 3, excused: [2]),
        Case(came: [1], sent: 3, excused: [3], lost: 1),
        // What came though it was not acknowledged does no harm.
        Case(came: [1, 2, 3, 4], sent: 2),
    ]

    @Test(arguments: cases)
    private func `what came is set against what was sent`(example: Case) {
        var ledger = SequenceLedger()
        for number in example.came { ledger.receive(number) }
        #expect(ledger.lost(upTo: example.sent, except: example.excused) == example.lost)
        #expect(ledger.duplicated == example.duplicated)
        #expect(ledger.outOfOrder == example.outOfOrder)
        #expect(ledger.received == Set(example.came).count)
    }

    @Test func `any order agrees with plain sets`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<200 {
            let sent = Int.random(in: 1...40, using: &random)
            let came = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Int.random(in: 1...sent, using: &random)
            }
            let excused = Set((0..<3).map { _ in Int.random(in: 1...sent, using: &random) })
            var ledger = SequenceLedger()
            var seen: Set<Int> = []
            var (duplicated, outOfOrder, highest) = (0, 0, 0)
            for number in came {
                ledger.receive(number)
                if !seen.insert(number).inserted {
                    duplicated += 1
                } else if number < highest {
                    outOfOrder += 1
                }
                highest = max(highest, number)
            }
            let lost = Set(1...sent).subtracting(seen).subtracting(excused).count
            #expect(ledger.lost(upTo: sent, except: excused) == lost)
            #expect(ledger.duplicated == duplicated)
            #expect(ledger.outOfOrder == outOfOrder)
        }
    }
}
