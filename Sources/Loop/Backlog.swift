internal import Glibc

/// Bytes that a socket refused, waiting for it to take them. Exists only while there are any.
///
/// A chain of blocks. What waits is never moved: a backlog of megabytes grows by a message as
/// quickly as an empty one, so that others on the loop do not feel how much waits for one.
struct Backlog {
    /// Stands at the start of a block's memory; the bytes follow.
    private struct Block {
        var next: UnsafeMutablePointer<Block>?
        let capacity: Int
        /// Whether the memory is the system's own, to be given back to it.
        let isMapped: Bool
        var head = 0
        var tail = 0
    }

    /// Of the blocks behind the first one. Out of the allocator's memory little of a burst's
    /// megabytes would find the way back to the system, so these are the system's own.
    private static let mappedBytes = 256 * 1024

    private var first: UnsafeMutablePointer<Block>
    private var last: UnsafeMutablePointer<Block>
    private(set) var count = 0

    init(reserving count: Int) {
        first = Self.block(max(4096, count))
        last = first
    }

    /// The bytes at the front: all, or as many as lie together.
    var front: UnsafeRawBufferPointer {
        let block = first.pointee
        return UnsafeRawBufferPointer(
            start: Self.bytes(of: first) + block.head, count: block.tail - block.head)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while let start = rest.baseAddress, rest.count > 0 {
            if last.pointee.tail == last.pointee.capacity {
                let fresh = Self.mappedBlock() ?? Self.block(max(4096, rest.count))
                last.pointee.next = fresh
                last = fresh
            }
            let part = min(rest.count, last.pointee.capacity - last.pointee.tail)
            (Self.bytes(of: last) + last.pointee.tail).copyMemory(from: start, byteCount: part)
            last.pointee.tail += part
            count += part
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        }
    }

    /// Forgets bytes at the front, those of one `front` at most.
    mutating func discard(first discarded: Int) {
        precondition(discarded <= front.count, "discard beyond the end of a backlog's front")
        first.pointee.head += discarded
        count -= discarded
        if first.pointee.head == first.pointee.tail, let next = first.pointee.next {
            Self.free(first)
            first = next
        }
    }

    func free() {
        var block: UnsafeMutablePointer<Block>? = first
        while let present = block {
            block = present.pointee.next
            Self.free(present)
        }
    }

    private static let headBytes = (MemoryLayout<Block>.stride + 15) / 16 * 16

    private static func block(_ capacity: Int) -> UnsafeMutablePointer<Block> {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: headBytes + capacity, alignment: 16)
        return block(in: memory, Block(next: nil, capacity: capacity, isMapped: false))
    }

    /// Nil if the system has no more mappings for this process.
    private static func mappedBlock() -> UnsafeMutablePointer<Block>? {
        let memory = mmap(
            nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        let capacity = mappedBytes - headBytes
        return block(in: memory, Block(next: nil, capacity: capacity, isMapped: true))
    }

    private static func block(
        in memory: UnsafeMutableRawPointer, _ head: Block
    ) -> UnsafeMutablePointer<Block> {
        let block = memory.bindMemory(to: Block.self, capacity: 1)
        block.initialize(to: head)
        return block
    }

    private static func bytes(
        of block: UnsafeMutablePointer<Block>
    ) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(block) + headBytes
    }

    private static func free(_ block: UnsafeMutablePointer<Block>) {
        if block.pointee.isMapped {
            munmap(block, mappedBytes)
        } else {
            UnsafeMutableRawPointer(block).deallocate()
        }
    }
}
