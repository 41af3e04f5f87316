import Bytes
import JSON
import Testing

@testable import Store

@Suite struct OrderedEntriesTests {
    private typealias Entry = OrderedEntries.Entry

    private static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
        OrderedEntries.order(one, other.sort, other.sequence) < 0
    }

    private static func all(_ entries: OrderedEntries) -> [Int64] {
        var result: [Int64] = []
        var place = entries.start
        while place < entries.end {
            result.append(entries[place].sequence)
            place = entries.position(after: place)
        }
        return result
    }

    private static func allBackwards(_ entries: OrderedEntries) -> [Int64] {
        var result: [Int64] = []
        var place = entries.end
        while place > entries.start {
            place = entries.position(before: place)
            result.append(entries[place].sequence)
        }
        return result
    }

    @Test(arguments: [1, 2, 3]) func `thousands of entries stay in order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var entries = OrderedEntries()
        var plain: [Entry] = []
        for round in 0..<6000 {
            // Grows to some thousands, then shrinks to nothing.
            if !plain.isEmpty, Int.random(in: 0..<6000, using: &random) < round {
                let gone = plain.remove(at: Int.random(in: 0..<plain.count, using: &random))
                entries.remove(sort: gone.sort, sequence: gone.sequence)
            } else {
                let value = Int64.random(in: 0..<500, using: &random)
                let entry = Entry(
                    sort: [value == 0 ? .null : .int(value)], sequence: Int64(round), row: round)
                entries.insert(entry)
                plain.append(entry)
            }
        }
        while plain.count > 1500 {
            let gone = plain.removeLast()
            entries.remove(sort: gone.sort, sequence: gone.sequence)
        }
        plain.sort(by: Self.isBefore)
        let wanted = plain.map(\.sequence)
        #expect(Self.all(entries) == wanted)
        #expect(Self.allBackwards(entries) == wanted.reversed())
        for border in [0, 1, 250, 499, 500] as [Int64] {
            let place = entries.partition {
                OrderedEntries.order($0, [.int(border)], 0) < 0
            }
            let count = plain.prefix { OrderedEntries.order($0, [.int(border)], 0) < 0 }.count
            #expect(
                place < entries.end
                    ? entries[place].sequence == wanted[count] : count == wanted.count)
        }
        for entry in plain { entries.remove(sort: entry.sort, sequence: entry.sequence) }
        #expect(entries.isEmpty)
    }

    @Test func `entries that come in order fill one place after the other`() {
        var entries = OrderedEntries()
        for number in 0..<2000 {
            entries.insert(Entry(sort: [], sequence: Int64(number), row: number))
        }
        #expect(Self.all(entries) == (0..<2000).map(Int64.init))
    }
}
