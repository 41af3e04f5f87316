internal import CLinux
internal import Glibc

/// A connection whose end the handler has yet to be told.
struct EndedConnection {
    let connection: UInt64
    let reason: CloseReason
    /// Set instead of the reason when the connection never was.
    let failure: LoopError?
}

/// A connection that is being closed.
struct ClosingConnection {
    let connection: UInt64
    /// When it is looked at next: if the peer has taken nothing until then, it is over.
    var dueAt: Int64
    /// When it is over whatever the peer takes.
    let endsAt: Int64
    /// Bytes that the peer had not taken when it was looked at last.
    var untakenBytes: Int
}

extension EventLoop {
    /// Ends a connection. `closed` is told at the end of the turn in which it is over; nothing is
    /// received from now on. A handle that is over already is ignored.
    public func close(_ connection: UInt64, _ mode: CloseMode) {
        checkConfinement()
        guard let entry = slab.find(connection) else { return }
        switch (mode, entry.pointee.state) {
        case (_, .free), (_, .ended): break
        case (.afterFlush(let milliseconds), .open):
            beginClosing(entry, withinMilliseconds: milliseconds)
        case (.afterFlush, .flushing), (.afterFlush, .lingering): break
        case (.atOnce, _), (.afterFlush, _): end(entry, .closedHere)
        }
    }

    /// From here on bytes only go out, and what comes is thrown away. Without a time the peer has
    /// as long as it goes on taking them, within the loop's limits.
    func beginClosing(
        _ entry: UnsafeMutablePointer<Connection>, withinMilliseconds patience: Int?
    ) {
        entry.pointee.state = .flushing
        entry.pointee.isReadPaused = false
        entry.pointee.isRoomAwaited = false
        updateInterest(entry)
        note(
            ClosingConnection(
                connection: slab.handle(of: entry),
                dueAt: dueTime(in: patience ?? limits.closeMilliseconds),
                endsAt: dueTime(in: patience ?? limits.closeMillisecondsMax),
                untakenBytes: untakenBytes(of: entry)))
        // Even with nothing to send: the flush is what takes it to the next state.
        outbox.touch(entry, slab.index(of: entry), base: slab.base)
    }

    /// All is sent: says so to the peer, and waits for it to say the same.
    func shutOwnSide(_ entry: UnsafeMutablePointer<Connection>) {
        guard entry.pointee.state == .flushing else { return }
        if entry.pointee.isPeerFinished { return end(entry, .closedByPeer) }
        entry.pointee.state = .lingering
        shutdown(entry.pointee.descriptor, Int32(SHUT_WR))
    }

    /// Marks a connection as over. The turn's end does the rest, so that no call of the handler
    /// happens inside another and no slot changes hands in the middle of a batch of events.
    func end(
        _ entry: UnsafeMutablePointer<Connection>, _ reason: CloseReason,
        failure: LoopError? = nil
    ) {
        guard entry.pointee.state != .ended else { return }
        entry.pointee.state = .ended
        ended.append(
            EndedConnection(
                connection: slab.handle(of: entry), reason: reason, failure: failure))
    }

    /// Closes the descriptors of all that ended, tells the handler and frees the slots.
    func tellEnded(_ handler: any LoopHandler) {
        guard !ended.isEmpty else { return }
        let batch = ended
        ended = []
        for one in batch {
            // A flush has run since the end, so the slot is in no list any more.
            guard let entry = slab.find(one.connection) else {
                preconditionFailure("a connection ended twice")
            }
            // Of whoever did not get through the handshake the handler was not told.
            let isUnknown = entry.pointee.channel.map { $0.pointee.isServer && !$0.pointee.isOpen }
            release(entry)
            outgoing[one.connection] = nil
            slab.remove(entry)
            if let failure = one.failure {
                handler.failed(one.connection, failure)
            } else {
                counters.closed += 1
                if isUnknown != true { handler.closed(one.connection, one.reason) }
            }
        }
        if areListenersPaused { resumeListeners() }
    }

    /// Whether all connections that are left are being closed and their peers' machines have got
    /// every byte: nobody loses anything if the loop stops now. Costs a system call for each.
    public var isEverythingTaken: Bool {
        checkConfinement()
        var count = 0
        for one in closing {
            guard let entry = slab.find(one.connection) else { continue }
            guard entry.pointee.state != .lingering || untakenBytes(of: entry) == 0 else {
                return false
            }
            // What is still being flushed is not counted, so that it is waited for.
            if entry.pointee.state != .flushing { count += 1 }
        }
        return count == slab.count
    }

    /// Ends what should have been closed by now; in portions, since peers that stopped reading
    /// together are overdue together, and giving the memory of all of them back in one turn would
    /// keep everybody else waiting.
    func endOverdue() {
        var dueNext = Int64.max
        var kept = 0
        var released = 0
        for var one in closing {
            guard let entry = slab.find(one.connection) else { continue }
            if one.dueAt <= now, released >= limits.releasedBytesPerTurn {
                one.dueAt = now + Self.portionNanoseconds
            } else {
                let bytes = entry.pointee.backlog?.pointee.count ?? 0
                guard isInTime(&one, entry) else {
                    released += bytes
                    continue
                }
            }
            dueNext = min(dueNext, one.dueAt)
            closing[kept] = one
            kept += 1
        }
        closing.removeLast(closing.count - kept)
        closingDueAt = dueNext
    }

    /// How long the others have their turn between two portions.
    private static let portionNanoseconds: Int64 = 1_000_000

    /// Whether the connection may go on closing; if not, it is ended.
    private func isInTime(
        _ one: inout ClosingConnection, _ entry: UnsafeMutablePointer<Connection>
    ) -> Bool {
        if one.dueAt > now { return true }
        // A slow link has its time for a long answer, as long as it does something with it.
        let untaken = untakenBytes(of: entry)
        if untaken < one.untakenBytes, one.endsAt > now {
            one.untakenBytes = untaken
            one.dueAt = min(one.endsAt, dueTime(in: limits.closeMilliseconds))
            return true
        }
        if entry.pointee.state == .lingering {
            end(entry, .closedHere)
        } else {
            counters.closesOverdue += 1
            end(entry, .deadlinePassed)
        }
        return false
    }

    /// Bytes written that have not reached the peer's machine. Those in the kernel count too: it
    /// takes megabytes, and asks for more only when a good part of them has gone.
    private func untakenBytes(of entry: UnsafeMutablePointer<Connection>) -> Int {
        Int(entry.pointee.queuedBytes) + (entry.pointee.backlog?.pointee.count ?? 0)
            + Int(clinux_unacknowledged(entry.pointee.descriptor))
    }

    /// Gives back all that a slot holds besides itself.
    func release(_ entry: UnsafeMutablePointer<Connection>) {
        guard entry.pointee.state != .free else { return }
        if entry.pointee.descriptor >= 0 { Glibc.close(entry.pointee.descriptor) }
        entry.pointee.descriptor = -1
        freeBacklog(of: entry)
        let index = Int(slab.index(of: entry))
        if index < companions.count { companions[index] = nil }
        guard let channel = entry.pointee.channel else { return }
        channel.pointee.free()
        channel.deallocate()
        entry.pointee.channel = nil
    }

    func freeBacklog(of entry: UnsafeMutablePointer<Connection>) {
        guard let backlog = entry.pointee.backlog else { return }
        backlogBytesTotal -= backlog.pointee.count
        backlog.pointee.free()
        backlog.deallocate()
        entry.pointee.backlog = nil
    }

    private func note(_ one: ClosingConnection) {
        closing.append(one)
        closingDueAt = min(closingDueAt, one.dueAt)
    }

    /// Deadlines are rounded up to ticks, so that a churn of closing connections is looked
    /// through a few times a second and not once a turn.
    private func dueTime(in milliseconds: Int) -> Int64 {
        let tick: Int64 = 1 << 25
        return (now + Int64(milliseconds) * 1_000_000 + tick) / tick * tick
    }
}
