internal import Glibc

/// A handshake under way, and by when it must be through.
struct Handshake {
    let connection: UInt64
    let dueAt: Int64
}

// TLS stands between the socket and everything else: what comes is deciphered before the handler
// is told, what is written is enciphered at the flush, and a backlog holds what is enciphered.
extension EventLoop {
    /// Begins the handshake of a connection in state `securing`.
    func beginHandshake(
        _ entry: UnsafeMutablePointer<Connection>, _ channel: TLSChannel, _ handler: any LoopHandler
    ) {
        let place = UnsafeMutablePointer<TLSChannel>.allocate(capacity: 1)
        place.initialize(to: channel)
        entry.pointee.channel = place
        let patience = Int64(limits.handshakeMilliseconds) * 1_000_000
        let connection = slab.handle(of: entry)
        handshakes.append(Handshake(connection: connection, dueAt: now + patience))
        handshakeDueAt = min(handshakeDueAt, now + patience)
        // A server waits for the client's first word.
        if !channel.isServer { shakeHands(entry, place, handler) }
    }

    /// All of a loop's sessions share it; a loop without TLS never makes one.
    func tlsWire() -> UnsafeMutablePointer<TLSWire> {
        if let wire { return wire }
        let wire = TLSWire.make(readBufferBytes: readBuffer.count)
        self.wire = wire
        return wire
    }

    /// An event of a connection in its handshake.
    func continueHandshake(
        _ readiness: Readiness, _ entry: UnsafeMutablePointer<Connection>,
        _ handler: any LoopHandler
    ) {
        if readiness.contains(.output) { _ = sendBacklog(of: entry) }
        guard let channel = entry.pointee.channel, entry.pointee.state == .securing else { return }
        guard readiness.contains(.input) else {
            if readiness.contains(.broken) { endHandshake(entry, channel, .handshakeCutOff) }
            return
        }
        let count = recv(entry.pointee.descriptor, readBuffer.baseAddress, readBuffer.count, 0)
        if count > 0 {
            counters.bytesReceived += count
            tlsWire().pointee.input = UnsafeRawBufferPointer(rebasing: readBuffer[..<count])
            shakeHands(entry, channel, handler)
        } else if count == 0 {
            endHandshake(entry, channel, .handshakeCutOff)
        } else if errno != EAGAIN && errno != EINTR {
            endHandshake(entry, channel, .from("recv", errno))
        }
    }

    private func shakeHands(
        _ entry: UnsafeMutablePointer<Connection>, _ channel: UnsafeMutablePointer<TLSChannel>,
        _ handler: any LoopHandler
    ) {
        let outcome = channel.pointee.shakeHands()
        // Before anything else asks OpenSSL, whose list of errors is the thread's.
        let failure = outcome == .failed ? channel.pointee.failure : .handshakeCutOff
        let connection = slab.handle(of: entry)
        // Taken away: a session that failed leaves the rest unread, and the handler's writes may
        // have OpenSSL called for other connections.
        let rest = tlsWire().pointee.input
        tlsWire().pointee.input = UnsafeRawBufferPointer(start: nil, count: 0)
        sendEnciphered(entry)
        guard entry.pointee.state == .securing else {
            // The socket broke while the answer was sent.
            counters.handshakesFailed += 1
            return
        }
        switch outcome {
        case .needsInput: return
        case .failed, .peerFinished: return endHandshake(entry, channel, failure)
        case .done: break
        }
        counters.handshakes += 1
        entry.pointee.state = .open
        if let peer = channel.pointee.peer {
            handler.accepted(connection, peer: peer)
        } else {
            handler.connected(connection)
        }
        // The client's first request can come with its last word of the handshake.
        if rest.count > 0 { decipher(rest, connection, handler) }
    }

    /// The handshake will not be. A client's owner is told, a server's never knew of it.
    private func endHandshake(
        _ entry: UnsafeMutablePointer<Connection>, _ channel: UnsafeMutablePointer<TLSChannel>,
        _ failure: LoopError
    ) {
        counters.handshakesFailed += 1
        guard channel.pointee.isServer else { return end(entry, .closedHere, failure: failure) }
        // What the peer still sends is read and thrown away, so that it sees the alert, which says
        // why, and not a reset.
        channel.pointee.isCloseSaid = true
        beginClosing(entry, withinMilliseconds: limits.closeMilliseconds)
    }

    /// Deciphers what came and tells it, by one call.
    func decipher(
        _ bytes: UnsafeRawBufferPointer, _ connection: UInt64, _ handler: any LoopHandler
    ) {
        guard let entry = slab.find(connection), entry.pointee.state == .open,
            let channel = entry.pointee.channel
        else { return }
        let wire = tlsWire()
        wire.pointee.input = bytes
        let plain = wire.pointee.plain
        let (count, outcome) = channel.pointee.read(into: plain)
        wire.pointee.input = UnsafeRawBufferPointer(start: nil, count: 0)
        // An alert, or the answer to a change of keys.
        sendEnciphered(entry)
        if count > 0, entry.pointee.state == .open {
            handler.received(connection, UnsafeMutableRawBufferPointer(rebasing: plain[..<count]))
        }
        guard outcome != .needsInput, let entry = slab.find(connection),
            entry.pointee.state == .open
        else { return }
        if outcome == .peerFinished {
            peerFinished(entry, connection, handler)
        } else {
            counters.recordsRefused += 1
            end(entry, .broken(code: EPROTO))
        }
    }

    /// Enciphers bytes and sends what comes of it; in few large records and few sends. Behind
    /// them, if we close, the word that nothing follows.
    func encipher(
        _ bytes: UnsafeRawBufferPointer, for entry: UnsafeMutablePointer<Connection>,
        _ channel: UnsafeMutablePointer<TLSChannel>
    ) {
        var at = 0
        while at < bytes.count {
            let count = min(bytes.count - at, Self.enciphersAtOnce)
            let piece = UnsafeRawBufferPointer(rebasing: bytes[at..<(at + count)])
            guard channel.pointee.write(piece) == .done else {
                sendEnciphered(entry)
                return end(entry, .broken(code: EPROTO))
            }
            at += count
            if at < bytes.count { sendEnciphered(entry) }
            guard entry.pointee.state != .ended else { return }
        }
        if entry.pointee.state == .flushing { channel.pointee.sayClose() }
        sendEnciphered(entry)
    }

    /// Plain bytes that are enciphered before they are sent: bounds the memory that it takes.
    private static let enciphersAtOnce = 16 * 16_384

    private func sendEnciphered(_ entry: UnsafeMutablePointer<Connection>) {
        let bytes = tlsWire().pointee.takeOutput()
        guard bytes.count > 0, entry.pointee.state != .ended else { return }
        let count = entry.pointee.backlog == nil ? transmit(entry, bytes) : 0
        if count < bytes.count, entry.pointee.state != .ended {
            keep(UnsafeRawBufferPointer(rebasing: bytes[count...]), for: entry)
        }
    }

    /// Ends the handshakes that take too long. All have the same patience, so the oldest is first.
    func endOverdueHandshakes() {
        while handshakesDone < handshakes.count, handshakes[handshakesDone].dueAt <= now {
            let connection = handshakes[handshakesDone].connection
            handshakesDone += 1
            guard let entry = slab.find(connection), entry.pointee.state == .securing,
                let channel = entry.pointee.channel
            else { continue }
            counters.handshakesOverdue += 1
            end(entry, .deadlinePassed, failure: channel.pointee.isServer ? nil : .timedOut)
        }
        if handshakesDone * 2 >= handshakes.count {
            handshakes.removeFirst(handshakesDone)
            handshakesDone = 0
        }
        handshakeDueAt =
            handshakesDone < handshakes.count ? handshakes[handshakesDone].dueAt : .max
    }

    /// Ends the handshakes of those who would be served.
    func endServerHandshakes() {
        for one in handshakes[handshakesDone...] {
            guard let entry = slab.find(one.connection), entry.pointee.state == .securing,
                entry.pointee.channel?.pointee.isServer == true
            else { continue }
            end(entry, .closedHere)
        }
    }
}
