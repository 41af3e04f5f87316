internal import Glibc

extension EventLoop {
    /// One connection's event. It may be stale: the batch was taken before the handler closed
    /// this connection, or before another got its slot; the token's generation tells.
    func handle(_ readiness: Readiness, of token: UInt64, _ handler: any LoopHandler) {
        guard let entry = slab.find(token) else { return }
        switch entry.pointee.state {
        case .open:
            if readiness.contains(.output), sendBacklog(of: entry) || takeAwaitedRoom(of: entry) {
                handler.drained(token)
            }
            receive(readiness, token, handler)
        case .flushing, .lingering:
            if readiness.contains(.output), sendBacklog(of: entry) { shutOwnSide(entry) }
            discard(readiness, entry)
        case .connecting:
            finishConnecting(entry, token, handler)
        case .securing:
            continueHandshake(readiness, entry, handler)
        case .free, .resolving, .ended:
            break
        }
    }

    /// Stops reading from a connection: its peer is slowed down when the kernel's buffers are full.
    public func pauseReading(_ connection: UInt64) { setReadPaused(connection, true) }

    /// Goes on reading. What came meanwhile is told from the next turn on.
    public func resumeReading(_ connection: UInt64) { setReadPaused(connection, false) }

    private func setReadPaused(_ connection: UInt64, _ isPaused: Bool) {
        checkConfinement()
        guard let entry = slab.find(connection), entry.pointee.state == .open else { return }
        entry.pointee.isReadPaused = isPaused
        updateInterest(entry)
    }

    /// One `recv` a readiness, however much there is: the next connection has its turn, and a
    /// level-triggered poller brings the rest back.
    private func receive(_ readiness: Readiness, _ token: UInt64, _ handler: any LoopHandler) {
        // Looked up anew: `drained` may have closed it, or moved the slab by a new connection.
        guard let entry = slab.find(token), entry.pointee.state == .open else { return }
        let isReading = entry.pointee.interest.contains(.input)
        guard isReading, readiness.contains(.input) else {
            // A peer that is gone is told even while nothing is read: this event cannot be
            // switched off, so leaving it unheard would spin.
            if readiness.contains(.broken) { endBroken(entry) }
            return
        }
        let count = recv(entry.pointee.descriptor, readBuffer.baseAddress, readBuffer.count, 0)
        if count > 0 {
            counters.bytesReceived += count
            guard entry.pointee.channel == nil else {
                return decipher(
                    UnsafeRawBufferPointer(rebasing: readBuffer[..<count]), token, handler)
            }
            handler.received(token, UnsafeMutableRawBufferPointer(rebasing: readBuffer[..<count]))
        } else if count == 0 {
            // With TLS only a peer that said so has finished (RFC 8446 §6.1).
            if entry.pointee.channel != nil { return end(entry, .cutOff) }
            peerFinished(entry, token, handler)
        } else if errno != EAGAIN && errno != EINTR {
            end(entry, .broken(code: errno))
        }
    }

    func peerFinished(
        _ entry: UnsafeMutablePointer<Connection>, _ token: UInt64, _ handler: any LoopHandler
    ) {
        // From here on the descriptor is readable for ever; only silence keeps it from spinning.
        entry.pointee.isPeerFinished = true
        updateInterest(entry)
        if !handler.peerFinished(token) { close(token, .afterFlush()) }
    }

    /// Reads what a connection that we close still sends, within bounds: data that nobody read
    /// would make the kernel answer with a reset, and that can overtake our last bytes.
    private func discard(_ readiness: Readiness, _ entry: UnsafeMutablePointer<Connection>) {
        guard entry.pointee.state != .ended else { return }
        guard readiness.contains(.input), entry.pointee.interest.contains(.input) else {
            if readiness.contains(.broken) { endBroken(entry) }
            return
        }
        let count = recv(entry.pointee.descriptor, readBuffer.baseAddress, readBuffer.count, 0)
        if count > 0 {
            counters.bytesReceived += count
            entry.pointee.discardedBytes += Int32(truncatingIfNeeded: count)
            if Int(entry.pointee.discardedBytes) > limits.discardedBytesMax {
                end(entry, .closedHere)
            }
        } else if count == 0 {
            entry.pointee.isPeerFinished = true
            if entry.pointee.state == .lingering {
                end(entry, .closedHere)
            } else {
                updateInterest(entry)
            }
        } else if errno != EAGAIN && errno != EINTR {
            end(entry, .broken(code: errno))
        }
    }

    private func endBroken(_ entry: UnsafeMutablePointer<Connection>) {
        let code = pendingError(of: entry.pointee.descriptor)
        end(entry, code == 0 ? .closedByPeer : .broken(code: code))
    }

    /// Has the poller wait for what the connection's state asks for; no system call if it does.
    func updateInterest(_ entry: UnsafeMutablePointer<Connection>) {
        var wanted = Interest()
        if !entry.pointee.isReadPaused && !entry.pointee.isPeerFinished { wanted.insert(.input) }
        // Never without a reason: a writable socket would wake the loop without end.
        if entry.pointee.backlog != nil || entry.pointee.isRoomAwaited { wanted.insert(.output) }
        guard wanted != entry.pointee.interest else { return }
        entry.pointee.interest = wanted
        poller.change(entry.pointee.descriptor, token: slab.handle(of: entry), wanted)
    }
}

/// Takes the error that waits on a socket; 0 if there is none.
func pendingError(of descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    return code
}
