import Testing

@testable import Loop

@Suite struct OutboxTests {
    /// Connections in a slab, an outbox, and a way to write text.
    struct Bench: ~Copyable {
        var slab = ConnectionSlab()
        var outbox: Outbox
        var handles: [UInt64] = []

        init(connections: Int, bytesMax: Int = 1 << 20) {
            outbox = Outbox(bytesMax: bytesMax)
            handles = []
            for index in 0..<connections { handles.append(slab.add(Int32(index), .open)) }
        }

        mutating func write(_ text: String, to index: Int) -> Bool {
            guard let entry = slab.find(handles[index]), outbox.reserve(text.utf8.count) else {
                return false
            }
            Array(text.utf8).withUnsafeBytes { outbox.put($0) }
            outbox.give(text.utf8.count, to: entry)
            outbox.touch(entry, slab.index(of: entry), base: slab.base)
            return true
        }

        mutating func text(of index: Int) -> String {
            guard let entry = slab.find(handles[index]) else { return "" }
            return String(decoding: outbox.bytes(of: entry), as: UTF8.self)
        }

        func touched() -> [UInt32] {
            var list: [UInt32] = []
            var next = outbox.firstTouched
            while next != Connection.none {
                list.append(next)
                next = slab.base[Int(next)].next
            }
            return list
        }
    }

    @Test func `writes in turns to several connections come together for each`() {
        var bench = Bench(connections: 3)
        for round in 0..<400 {
            for index in 0..<3 { _ = bench.write("\(index):\(round) ", to: index) }
        }
        for index in 0..<3 {
            #expect(bench.text(of: index) == (0..<400).map { "\(index):\($0) " }.joined())
        }
    }

    @Test func `connections are listed once, in the order of their first writes`() {
        var bench = Bench(connections: 5)
        for index in [3, 1, 3, 4, 1, 0] { _ = bench.write("x", to: index) }
        #expect(bench.touched() == [3, 1, 4, 0])
    }

    @Test func `the arena grows to its limit and no further`() {
        var bench = Bench(connections: 1, bytesMax: 100_000)
        let kilobyte = String(repeating: "k", count: 1000)
        for _ in 0..<100 {
            let isWritten = bench.write(kilobyte, to: 0)
            #expect(isWritten)
        }
        let isOneMore = bench.write("k", to: 0)
        #expect(!isOneMore)
        #expect(bench.text(of: 0).utf8.count == 100_000)
    }

    @Test func `memory of a burst is given back after a thousand quiet turns`() {
        var outbox = Outbox(bytesMax: 4 << 20)
        let isTaken = outbox.reserve(4 << 20)
        #expect(isTaken)
        let before = outbox.capacity
        for _ in 0..<2048 { outbox.removeAll() }
        #expect(before == 4 << 20)
        let after = outbox.capacity
        #expect(after == 64 * 1024)
        let isTakenAgain = outbox.reserve(1 << 20)
        #expect(isTakenAgain)
    }

    @Test func `a backlog keeps its order while it is filled and emptied`() {
        for scale in [1, 200] {
            var backlog = Backlog(reserving: 10)
            var expected: [UInt8] = []
            var seed = 1
            for round in 0..<(2000 / scale) {
                let piece = pattern(round * 37 % 700 * scale, seed: round)
                piece.withUnsafeBytes { backlog.append($0) }
                expected += piece
                seed = seed &* 1_103_515_245 &+ 12345
                var wanted = expected.isEmpty ? 0 : abs(seed >> 8) % (expected.count + 1)
                while wanted > 0 {
                    let taken = min(wanted, backlog.front.count)
                    #expect(taken > 0)
                    #expect(backlog.front.prefix(taken).elementsEqual(expected.prefix(taken)))
                    backlog.discard(first: taken)
                    expected.removeFirst(taken)
                    wanted -= taken
                }
                #expect(backlog.count == expected.count)
            }
            backlog.free()
        }
    }
}
