import Bytes
import Testing

@Suite struct ByteQueueTests {
    private func queue(_ write: (inout ByteQueue) -> Void) -> [UInt8] {
        var queue = ByteQueue()
        write(&queue)
        return queue.array
    }

    @Test func `everything appended comes out in order`() {
        let bytes = queue { queue in
            queue.append(1)
            queue.append([2, 3])
            queue.append([UInt8]([4, 5]).span.bytes)
            [UInt8]([6]).withUnsafeBytes { queue.append($0) }
            queue.append(ByteQueue([7, 8]))
            queue.append("é")
            queue.append(utf8: "x" as String)
            queue.append(utf8: "y" as Text)
            queue.append(bigEndian: 0x0102 as UInt16)
        }
        #expect(bytes == [1, 2, 3, 4, 5, 6, 7, 8, 0xc3, 0xa9, 120, 121, 1, 2])
    }

    @Test func `nothing appended is nothing`() {
        let bytes = queue { queue in
            queue.append([])
            queue.append(UnsafeRawBufferPointer(start: nil, count: 0))
            queue.append(ByteQueue())
            queue.append("")
            queue.append(utf8: "" as String)
        }
        #expect(bytes == [])
        #expect(ByteQueue().withBytes { $0.count } == 0)
        var empty = ByteQueue()
        #expect(empty.withMutableBytes { $0.count } == 0)
        #expect(empty.bytes.byteCount == 0)
        empty.discard(first: 0)
        empty.truncate(to: 0)
        #expect(empty.isEmpty)
    }

    @Test func `integers are written in network order and as decimals`() {
        #expect(
            queue { $0.append(bigEndian: 0x1122_3344_5566_7788 as UInt64) }
                == [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88])
        #expect(queue { $0.append(bigEndian: -2 as Int16) } == [0xff, 0xfe])
        let numbers: [any BinaryInteger] = [
            0, 9, 10, -1, 99, 100, UInt64.max, Int64.max, Int64.min, Int8.min, UInt8.max,
        ]
        for number in numbers {
            #expect(queue { $0.append(decimal: number) } == Array("\(number)".utf8))
        }
    }

    @Test func `what is read is forgotten and the rest stays`() {
        var queue = ByteQueue([1, 2, 3, 4])
        queue.discard(first: 1)
        #expect(queue.array == [2, 3, 4])
        #expect(queue[0] == 2 && queue.count == 3)
        queue.truncate(to: 2)
        #expect(queue.array == [2, 3])
        queue.append(9)
        #expect(queue.array == [2, 3, 9])
        queue.discard(first: 3)
        #expect(queue.isEmpty)
        queue.append(5)
        #expect(queue == ByteQueue([5]))
    }

    @Test func `equality asks for the unread bytes only`() {
        var one = ByteQueue([9, 1, 2])
        one.discard(first: 1)
        #expect(one == ByteQueue([1, 2]))
        #expect(one != ByteQueue([9, 1, 2]))
    }

    @Test func `a copy does not follow its original`() {
        var one = ByteQueue([1, 2, 3])
        let other = one
        one.withMutableBytes { $0[0] = 7 }
        one.discard(first: 1)
        #expect(other.array == [1, 2, 3])
        #expect(one.array == [2, 3])
    }

    @Test func `the lent bytes are the unread ones`() {
        var queue = ByteQueue([1, 2, 3])
        queue.discard(first: 1)
        queue.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] ^= 0xff }
        }
        #expect(queue.withBytes { Array($0) } == [0xfd, 0xfc])
        #expect(queue.bytes.byteCount == 2)
        #expect(queue.bytes.unsafeLoad(fromByteOffset: 1, as: UInt8.self) == 0xfc)
    }

    @Test func `a long run of writes and reads gives what a plain array gives`() {
        var random = SeededRandom(seed: 11)
        var queue = ByteQueue()
        var plain: [UInt8] = []
        for step in 0..<4_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let count = Int.random(in: 0...3_000, using: &random)
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: count)
                queue.append(bytes)
                plain += bytes
            case 5..<9:
                let count = Int.random(in: 0...plain.count, using: &random)
                queue.discard(first: count)
                plain.removeFirst(count)
            default:
                let count = Int.random(in: 0...plain.count, using: &random)
                queue.truncate(to: count)
                plain.removeLast(plain.count - count)
            }
            guard queue.count == plain.count, queue.array == plain else {
                Issue.record("step \(step) differs")
                return
            }
        }
    }

    @Test func `reading beyond the end is our own fault`() async {
        await #expect(processExitsWith: .failure) {
            var queue = ByteQueue([1])
            queue.discard(first: 2)
        }
        await #expect(processExitsWith: .failure) {
            var queue = ByteQueue([1])
            queue.truncate(to: 2)
        }
    }
}
