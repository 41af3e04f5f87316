internal import Glibc

/// All connections of a loop in one block of memory, found by handle without a look-up.
///
/// A handle is `generation << 32 | index`. Pointers to entries hold only until the next `add`,
/// because the block moves when it grows.
struct ConnectionSlab: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Connection>
    private var capacity: Int
    /// Slots that were used at least once.
    private(set) var used = 0
    /// Slots in use.
    private(set) var count = 0
    private var firstFree = Connection.none

    init() {
        capacity = 64
        base = Self.allocate(capacity)
    }

    deinit { Glibc.free(base) }

    /// The live connection that a handle names, or nil if that one is over.
    func find(_ handle: UInt64) -> UnsafeMutablePointer<Connection>? {
        let index = Int(handle & 0xffff_ffff)
        guard index < used else { return nil }
        let entry = base + index
        guard entry.pointee.generation == UInt32(truncatingIfNeeded: handle >> 32),
            entry.pointee.state != .free
        else { return nil }
        return entry
    }

    func handle(of entry: UnsafeMutablePointer<Connection>) -> UInt64 {
        UInt64(entry.pointee.generation) << 32 | UInt64(index(of: entry))
    }

    func index(of entry: UnsafeMutablePointer<Connection>) -> UInt32 {
        UInt32(truncatingIfNeeded: entry - base)
    }

    /// Takes a slot for a new connection. The slot used last is used first: its memory is warm.
    mutating func add(_ descriptor: Int32, _ state: Connection.State) -> UInt64 {
        let entry: UnsafeMutablePointer<Connection>
        if firstFree != Connection.none {
            entry = base + Int(firstFree)
            firstFree = entry.pointee.next
        } else {
            if used == capacity { grow() }
            entry = base + used
            used += 1
        }
        precondition(entry.pointee.state == .free, "a connection slot was given out twice")
        count += 1
        // Generation 0 marks the loop's own tokens, so the count skips it when it wraps.
        let generation = entry.pointee.generation &+ 1
        entry.initialize(
            to: Connection(
                descriptor: descriptor, generation: generation == 0 ? 1 : generation,
                state: state, interest: [], isReadPaused: false, isPeerFinished: false,
                isRoomAwaited: false, isTouched: false, next: Connection.none,
                firstSegment: Connection.none, lastSegment: Connection.none, queuedBytes: 0,
                discardedBytes: 0, backlog: nil, channel: nil))
        return handle(of: entry)
    }

    /// Gives a slot back; its handle names nothing from now on.
    mutating func remove(_ entry: UnsafeMutablePointer<Connection>) {
        precondition(entry.pointee.state != .free, "a connection slot was given back twice")
        precondition(!entry.pointee.isTouched, "a connection slot was given back while listed")
        entry.pointee.state = .free
        entry.pointee.next = firstFree
        firstFree = index(of: entry)
        count -= 1
    }

    private mutating func grow() {
        let larger = Self.allocate(capacity * 2)
        larger.update(from: base, count: capacity)
        Glibc.free(base)
        base = larger
        capacity *= 2
    }

    // Zeroed by the kernel page by page as slots are first used, so spare capacity costs nothing.
    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Connection> {
        guard let memory = calloc(capacity, MemoryLayout<Connection>.stride) else {
            preconditionFailure("no memory for \(capacity) connections")
        }
        return memory.bindMemory(to: Connection.self, capacity: capacity)
    }
}
