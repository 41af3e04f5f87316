import Bytes
import Records
import Testing

@testable import Hub

/// The parked events of one connection, beside a plain list that does the same slowly.
@Suite struct ParkingTests {
    private func event(_ slot: UInt32, _ count: Int, record: Int? = nil) -> Parking.Event {
        Parking.Event(
            subscription: slot, payload: [UInt8](repeating: UInt8(count & 255), count: count),
            isCompressed: count % 2 == 0,
            key: record.map { RecordKey(model: 0, id: Text("\($0)")) })
    }

    private func bytes(_ counts: Int...) -> Int {
        counts.reduce(0) { $0 + $1 + Parking.eventBytes }
    }

    @Test func `events come out in the order they went in, and count until then`() {
        let parking = Parking()
        for count in 1...3 {
            #expect(parking.park(event(7, count), bytesMax: 1_000) == .init())
        }
        #expect(parking.bytes == bytes(1, 2, 3))
        for count in 1...3 {
            let next = parking.popFirst()
            #expect(next?.event.payload.count == count)
            #expect(next?.event.isCompressed == (count == 2))
            #expect(next?.dropped == 0)
        }
        #expect(parking.popFirst() == nil)
        #expect(parking.bytes == 0 && parking.isEmpty && !parking.owesNotes)
    }

    @Test func `beyond the limit the oldest go, but the last of a subscription only at the end`() {
        let parking = Parking()
        let max = bytes(10, 10, 10)
        for slot in [2, 1, 1] as [UInt32] { _ = parking.park(event(slot, 10), bytesMax: max) }
        #expect(parking.park(event(1, 11), bytesMax: max + 1) == .init(dropped: 1))
        #expect(parking.owesNote(1) && !parking.owesNote(2))
        #expect(parking.park(event(3, 9), bytesMax: max) == .init(dropped: 1))
        // One is left of each. A new one drops the spared one of its own subscription first.
        #expect(parking.park(event(2, 12), bytesMax: max + 2) == .init(dropped: 1))
        #expect(parking.park(event(4, 12), bytesMax: max + 3) == .init(dropped: 1))
        let out = (0..<3).compactMap { _ in parking.popFirst() }
        #expect(out.map(\.event.subscription) == [3, 2, 4])
        #expect(out.map(\.dropped) == [0, 1, 0])
        #expect(parking.takeDropped(1) == 3)
        #expect(!parking.owesNotes && parking.isEmpty)
    }

    @Test func `an event that alone is too large goes too`() {
        let parking = Parking()
        _ = parking.park(event(1, 10), bytesMax: 500)
        #expect(parking.park(event(1, 500), bytesMax: 500) == .init(dropped: 2))
        #expect(parking.isEmpty && parking.bytes == 0)
        #expect(parking.takeDropped(1) == 2)
    }

    @Test func `a newer event takes the place of the older one of its record`() {
        let parking = Parking()
        _ = parking.park(event(1, 10, record: 1), bytesMax: 1_000)
        _ = parking.park(event(1, 20, record: 2), bytesMax: 1_000)
        #expect(parking.park(event(1, 30, record: 1), bytesMax: 1_000) == .init(hasReplaced: true))
        // Another subscription's events are its own.
        #expect(parking.park(event(2, 5, record: 1), bytesMax: 1_000) == .init())
        #expect(parking.bytes == bytes(30, 20, 5))
        let out = (0..<3).compactMap { _ in parking.popFirst()?.event }
        #expect(out.map(\.payload.count) == [30, 20, 5])
        #expect(out.map(\.replaced) == [1, 0, 0])
        #expect(parking.park(event(1, 10, record: 1), bytesMax: 1_000) == .init())
    }

    @Test func `newest events are never dropped: the connection is full`() {
        let parking = Parking()
        let max = bytes(10, 10)
        _ = parking.park(event(1, 10, record: 1), bytesMax: max)
        _ = parking.park(event(2, 10), bytesMax: max)
        #expect(parking.park(event(1, 10, record: 2), bytesMax: max) == .init(dropped: 1))
        #expect(parking.park(event(1, 10, record: 3), bytesMax: max) == .init(isFull: true))
    }

    /// What `Parking` does, by searching.
    private struct Reference {
        struct Waiting: Equatable {
            var slot: UInt32
            var count: Int
            var record: Int?
            var replaced = 0
            var isSpared = false
        }
        var waiting: [Waiting] = []
        var dropped: [UInt32: Int] = [:]

        var bytes: Int { waiting.reduce(0) { $0 + $1.count + Parking.eventBytes } }

        mutating func park(_ slot: UInt32, _ count: Int, _ record: Int?, _ max: Int) {
            if let record,
                let index = waiting.firstIndex(where: { $0.slot == slot && $0.record == record })
            {
                waiting[index].count = count
                waiting[index].replaced += 1
            } else {
                if record == nil { drop { $0.slot == slot && $0.isSpared } }
                waiting.append(Waiting(slot: slot, count: count, record: record))
            }
            while bytes > max,
                let oldest = waiting.firstIndex(where: { $0.record == nil && !$0.isSpared })
            {
                if waiting.count(where: { $0.slot == waiting[oldest].slot }) == 1 {
                    waiting[oldest].isSpared = true
                } else {
                    dropped[waiting.remove(at: oldest).slot, default: 0] += 1
                }
            }
            while bytes > max, waiting.contains(where: \.isSpared) { drop(\.isSpared) }
        }

        /// Drops the first that fits.
        private mutating func drop(_ fits: (Waiting) -> Bool) {
            guard let index = waiting.firstIndex(where: fits) else { return }
            dropped[waiting.remove(at: index).slot, default: 0] += 1
        }

        mutating func remove(_ slot: UInt32) {
            waiting.removeAll { $0.slot == slot }
            dropped[slot] = nil
        }
    }

    @Test func `any sequence of parking, taking and ending is as the plain list has it`() {
        for seed in 1...12 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let parking = Parking()
            var reference = Reference()
            let max = Int.random(in: 200...3_000, using: &random)
            for _ in 0..<700 {
                let slot = UInt32.random(in: 0..<6, using: &random)
                switch Int.random(in: 0..<40, using: &random) {
                case 0:
                    parking.remove(slot)
                    reference.remove(slot)
                case 1..<12:
                    let next = parking.popFirst()
                    let want = reference.waiting.isEmpty ? nil : reference.waiting.removeFirst()
                    #expect(next?.event.subscription == want?.slot)
                    #expect(next?.event.payload.count == want?.count)
                    #expect(next?.event.replaced == want?.replaced)
                    let dropped = want.map { reference.dropped.removeValue(forKey: $0.slot) ?? 0 }
                    #expect(next?.dropped == dropped)
                default:
                    let count = Int.random(in: 0..<300, using: &random)
                    // Odd subscriptions keep the newest of each record.
                    let record = slot % 2 == 1 ? Int.random(in: 0..<12, using: &random) : nil
                    let outcome = parking.park(event(slot, count, record: record), bytesMax: max)
                    reference.park(slot, count, record, max)
                    #expect(outcome.isFull == (reference.bytes > max))
                }
                #expect(parking.bytes == reference.bytes)
                #expect(parking.isEmpty == reference.waiting.isEmpty)
                #expect(parking.owesNotes == !reference.dropped.isEmpty)
            }
        }
    }

    @Test func `a line keeps its places while elements leave its front`() {
        var line = Line<Int>()
        var places: [Int] = []
        for number in 0..<2_500 {
            places.append(line.nextPlace)
            line.append(number)
            if number >= 10 { #expect(line.popFirst() == number - 10) }
            #expect(line[places[number]] == number)
            #expect(line.first == max(0, number - 9))
        }
        #expect(line.count == 10)
        line.removeAll { $0 % 2 == 0 }
        var left: [Int] = []
        line.forEach { number, place in
            left.append(number)
            #expect(line[place] == number)
        }
        #expect(left == [2491, 2493, 2495, 2497, 2499])
    }

    @Test func `a keyed line forgets nothing and keeps no more than twice what is in it`() {
        var random = SeededRandom(seed: 1)
        var line = KeyedLine<Int, Int>()
        var plain: [(key: Int, element: Int)] = []
        for number in 0..<3_000 {
            let key = Int.random(in: 0..<50, using: &random)
            let index = plain.firstIndex { $0.key == key }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: #expect(line.popFirst() == (plain.isEmpty ? nil : plain.removeFirst().element))
            case 1..<4: #expect(line.remove(key) == index.map { plain.remove(at: $0).element })
            default:
                #expect(line.put(number, key) == index.map { plain[$0].element })
                if let index { plain[index].element = number } else { plain.append((key, number)) }
            }
            #expect(line.first == plain.first?.element)
            #expect(line[key] == plain.first { $0.key == key }?.element)
            #expect(line.isEmpty == plain.isEmpty)
            #expect(Set(line.keys) == Set(plain.map(\.key)))
            #expect(line.placeCount <= 2 * plain.count + 1)
        }
    }
}
