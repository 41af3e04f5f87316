public import Bytes
// The shim includes sys/socket.h too, and the compiler may find the flags of `send` in either.
internal import CLinux
internal import Glibc

extension EventLoop {
    /// Writes up to four pieces as one, in order after all that was written before.
    ///
    /// The bytes are copied into the turn's arena and go out at the turn's end, with all that
    /// the connection was given in this turn, by one `send`. Nothing happens to a connection that
    /// is not open. Costs a copy; allocates nothing in steady state.
    public func write(
        _ connection: UInt64, _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        _ third: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        _ fourth: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) {
        checkConfinement()
        guard let entry = slab.find(connection), entry.pointee.state == .open else { return }
        let count = first.count + second.count + third.count + fourth.count
        guard count > 0 else { return }
        if isGathering(entry), outbox.reserve(count) || flushEarly(for: count) {
            // An early flush can have ended the connection, or left it with a backlog.
            if isGathering(entry), entry.pointee.state == .open {
                outbox.put(first)
                outbox.put(second)
                outbox.put(third)
                outbox.put(fourth)
                outbox.give(count, to: entry)
                return outbox.touch(entry, slab.index(of: entry), base: slab.base)
            }
        }
        for piece in [first, second, third, fourth] { writeThrough(entry, piece) }
    }

    /// Writes a copy of a queue's bytes.
    public func write(_ connection: UInt64, _ bytes: ByteQueue) {
        bytes.withBytes { write(connection, $0) }
    }

    /// Writes a copy of lent bytes.
    public func write(_ connection: UInt64, _ bytes: RawSpan) {
        bytes.withUnsafeBytes { write(connection, $0) }
    }

    /// Bytes that the socket refused and that wait for the peer: what a rule about slow consumers
    /// looks at. 0 for a connection that is over.
    public func backlogBytes(_ connection: UInt64) -> Int {
        checkConfinement()
        guard let entry = slab.find(connection), let backlog = entry.pointee.backlog else {
            return 0
        }
        // Behind a backlog this turn's bytes wait as well, even those not enciphered yet.
        return backlog.pointee.count + Int(entry.pointee.queuedBytes)
    }

    /// Has `LoopHandler.drained` told once the socket takes more: when the backlog has gone, as
    /// ever, but also if there is none. For owners that hand over in portions what they could
    /// still take back. One call, one telling; at the earliest in the next turn.
    public func awaitRoom(_ connection: UInt64) {
        checkConfinement()
        guard let entry = slab.find(connection), entry.pointee.state == .open else { return }
        entry.pointee.isRoomAwaited = true
        updateInterest(entry)
    }

    /// All bytes written and not yet taken by the socket, those of this turn included.
    public func waitingBytes(_ connection: UInt64) -> Int {
        checkConfinement()
        guard let entry = slab.find(connection) else { return 0 }
        return Int(entry.pointee.queuedBytes) + (entry.pointee.backlog?.pointee.count ?? 0)
    }

    /// Connections for whom bytes wait, in no order. Looks at all connections.
    public func backlogs() -> [(connection: UInt64, bytes: Int)] {
        checkConfinement()
        var found: [(connection: UInt64, bytes: Int)] = []
        for index in 0..<slab.used {
            let entry = slab.base + index
            guard entry.pointee.state != .free, entry.pointee.state != .ended,
                let backlog = entry.pointee.backlog
            else { continue }
            found.append((slab.handle(of: entry), backlog.pointee.count))
        }
        return found
    }

    /// One `send` for each connection that was written to, in the order of the first writes.
    /// Never calls the handler, so it may run in the middle of one of its calls.
    func flush() {
        var index = outbox.firstTouched
        while index != Connection.none {
            let entry = slab.base + Int(index)
            index = entry.pointee.next
            entry.pointee.isTouched = false
            switch entry.pointee.state {
            case .open: sendQueued(entry)
            case .flushing:
                sendQueued(entry)
                if entry.pointee.backlog == nil { shutOwnSide(entry) }
            default: break
            }
            entry.pointee.firstSegment = Connection.none
            entry.pointee.lastSegment = Connection.none
            entry.pointee.queuedBytes = 0
        }
        outbox.removeAll()
    }

    /// Whether bytes wait in the arena for the turn's end. Behind a backlog they go to it at once,
    /// unless they are to be enciphered: many small writes then still become few records.
    @inline(__always)
    private func isGathering(_ entry: UnsafeMutablePointer<Connection>) -> Bool {
        entry.pointee.backlog == nil || entry.pointee.channel != nil
    }

    /// Makes room in the arena in the middle of a turn. False if `count` can never fit.
    private func flushEarly(for count: Int) -> Bool {
        counters.earlyFlushes += 1
        flush()
        return outbox.reserve(count)
    }

    private func sendQueued(_ entry: UnsafeMutablePointer<Connection>) {
        let bytes = outbox.bytes(of: entry)
        if let channel = entry.pointee.channel { return encipher(bytes, for: entry, channel) }
        guard bytes.count > 0 else { return }
        let count = transmit(entry, bytes)
        if count < bytes.count, entry.pointee.state != .ended {
            keep(UnsafeRawBufferPointer(rebasing: bytes[count...]), for: entry)
        }
    }

    /// Sends from the caller's memory what is too big for the arena, or puts it behind a backlog.
    private func writeThrough(
        _ entry: UnsafeMutablePointer<Connection>, _ bytes: UnsafeRawBufferPointer
    ) {
        guard bytes.count > 0, entry.pointee.state == .open else { return }
        if let channel = entry.pointee.channel { return encipher(bytes, for: entry, channel) }
        let count = entry.pointee.backlog == nil ? transmit(entry, bytes) : 0
        if count < bytes.count, entry.pointee.state == .open {
            keep(UnsafeRawBufferPointer(rebasing: bytes[count...]), for: entry)
        }
    }

    /// Puts bytes into the backlog and has the poller tell when the socket takes more.
    func keep(
        _ bytes: UnsafeRawBufferPointer, for entry: UnsafeMutablePointer<Connection>
    ) {
        let waiting = entry.pointee.backlog?.pointee.count ?? 0
        guard waiting + bytes.count <= limits.backlogBytesMax else {
            counters.backlogsOverflown += 1
            return end(entry, .backlogFull)
        }
        backlogBytesTotal += bytes.count
        if let backlog = entry.pointee.backlog {
            return backlog.pointee.append(bytes)
        }
        let backlog = UnsafeMutablePointer<Backlog>.allocate(capacity: 1)
        backlog.initialize(to: Backlog(reserving: bytes.count))
        backlog.pointee.append(bytes)
        entry.pointee.backlog = backlog
        updateInterest(entry)
    }

    /// Sends from the backlog. True if that emptied it.
    func sendBacklog(of entry: UnsafeMutablePointer<Connection>) -> Bool {
        guard let backlog = entry.pointee.backlog else { return false }
        while backlog.pointee.count > 0 {
            let bytes = backlog.pointee.front
            let count = transmit(entry, bytes)
            guard entry.pointee.state != .ended else { return false }
            backlog.pointee.discard(first: count)
            backlogBytesTotal -= count
            if count < bytes.count { return false }
        }
        freeBacklog(of: entry)
        entry.pointee.isRoomAwaited = false
        updateInterest(entry)
        return true
    }

    /// The socket takes more and nothing waits: true if the handler asked to be told that.
    func takeAwaitedRoom(of entry: UnsafeMutablePointer<Connection>) -> Bool {
        guard entry.pointee.isRoomAwaited, entry.pointee.backlog == nil else { return false }
        entry.pointee.isRoomAwaited = false
        updateInterest(entry)
        return true
    }

    /// The only place where bytes leave. Returns how many the socket took; ends a connection
    /// that is broken.
    func transmit(
        _ entry: UnsafeMutablePointer<Connection>, _ bytes: UnsafeRawBufferPointer
    ) -> Int {
        while true {
            // Without MSG_NOSIGNAL a peer that has gone would end the process.
            let count = send(
                entry.pointee.descriptor, bytes.baseAddress, bytes.count,
                Int32(MSG_NOSIGNAL))
            counters.sends += 1
            if count >= 0 {
                counters.bytesSent += count
                if count < bytes.count { counters.shortSends += 1 }
                return count
            }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS:
                counters.shortSends += 1
                return 0
            default:
                end(entry, .broken(code: errno))
                return 0
            }
        }
    }
}
