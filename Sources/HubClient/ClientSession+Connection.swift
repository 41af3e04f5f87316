public import Bytes
import HTTP1
import Subprotocol
import WebSocket

extension ClientSession {
    // MARK: What the driver tells

    /// The connection that `.connect` asked for is open.
    public mutating func opened(now: Int64) {
        self.now = now
        guard phase == .connecting else { return }
        phase = .handshaking
        heardAt = now
        reader = HTTPReader(role: .client, limits: HTTPLimits(bodyBytesMax: 65_536))
        let handshake = ClientHandshake(
            subprotocols: ["graphql-transport-ws"],
            offersDeflate: configuration.offersCompression, random: &random)
        handshake.appendRequest(
            host: configuration.endpoint.authority, target: configuration.endpoint.target,
            fields: configuration.fields, to: &output)
        self.handshake = handshake
    }

    /// Bytes came. They are lent, for changing in place too, until `next()` has returned nil.
    public mutating func received(_ bytes: UnsafeMutableRawBufferPointer, now: Int64) {
        self.now = now
        heardAt = now
        pongDueAt = nil
        switch phase {
        case .handshaking: reader?.append(UnsafeRawBufferPointer(bytes))
        case .initialising, .ready:
            precondition(!isLent, "bytes are told before the events of the last ones were pulled")
            socket?.lend(bytes)
            isLent = true
        case .idle, .connecting, .waiting, .ended: break
        }
    }

    /// The connection is over, or could not be opened. `reason` is the network's, if it had one.
    public mutating func closed(_ reason: Text? = nil, now: Int64) {
        self.now = now
        switch phase {
        case .connecting, .handshaking, .initialising, .ready:
            // No answer is possible; what was to be sent is void.
            output.removeAll()
            forgetTransport()
            lose(.connectionLost(reason))
        case .idle, .waiting, .ended: break
        }
    }

    /// The time asked for by `wakeAt` has come.
    public mutating func woke(now: Int64) {
        self.now = now
        guard let due = wakeAt, now >= due else { return }
        switch phase {
        case .waiting: beginAttempt()
        case .connecting, .handshaking:
            dropTransport(closeCode: nil)
            lose(.connectTimeout)
        case .initialising:
            dropTransport(closeCode: 4504, reason: "Connection acknowledgement timeout")
            lose(.ackTimeout)
        case .ready: checkLiveness()
        case .idle, .ended: wakeAt = nil
        }
    }

    // MARK: Attempts

    mutating func beginAttempt() {
        phase = .connecting
        wakeAt = now + configuration.connectTimeoutNanoseconds
        line.append(.connect)
    }

    /// The answer to the upgrade has come: frames may follow in the same bytes (B168).
    mutating func upgraded(_ head: HTTPHead) {
        do throws(HandshakeFailure) {
            guard try handshake?.check(head) == "graphql-transport-ws" else {
                return refuse(.badHandshake("server does not speak graphql-transport-ws"))
            }
            deflate = try handshake?.deflate(in: head)
        } catch {
            if case .status(let status) = error {
                noteHint(seconds: head.value(of: "Retry-After"))
                return refuse(.upgradeRefused(status: status))
            }
            return refuse(.badHandshake(Text(error.description)))
        }
        var rest = reader?.takeRest() ?? ByteQueue()
        handshake = nil
        reader = nil
        let limits = WebSocketLimits(messageBytesMax: configuration.messageBytesMax)
        var socket = WebSocketSession(
            role: .client, limits: limits, maskSeed: random.next(),
            inflater: deflate == nil ? nil : compression.inflater)
        if !rest.isEmpty {
            rest.withMutableBytes { socket.lend($0) }
            socket.settle()
            hasRest = true
        }
        self.socket = socket
        phase = .initialising
        wakeAt = now + configuration.ackTimeoutNanoseconds
        send(.connectionInit(payload: configuration.initPayload))
    }

    mutating func acknowledged() {
        phase = .ready
        failedAttempts = 0
        waits = 0
        hintedAt = nil
        pongDueAt = nil
        wakeAt = heardAt + configuration.pingIntervalNanoseconds
        for handle in operations.keys.sorted() { send(handle) }
    }

    /// Asks for a sign of life after a silence, and gives up after a longer one (B171).
    private mutating func checkLiveness() {
        if let pongDueAt, now >= pongDueAt {
            dropTransport(closeCode: 4499, reason: "Terminated")
            return lose(.silence)
        }
        let askAt = heardAt + configuration.pingIntervalNanoseconds
        if pongDueAt == nil, now >= askAt {
            send(.ping(payload: nil))
            pongDueAt = now + configuration.pongTimeoutNanoseconds
        }
        wakeAt = pongDueAt ?? askAt
    }

    // MARK: Ends

    /// The connection failed for a reason that the server is at fault for before the upgrade.
    mutating func refuse(_ error: ClientError) {
        dropTransport(closeCode: nil)
        lose(error)
    }

    /// Has the driver close the connection, behind a close frame if a code is given and one can
    /// still be sent.
    mutating func dropTransport(closeCode: UInt16?, reason: Text = "") {
        switch phase {
        case .idle, .waiting, .ended: return
        case .connecting, .handshaking: output.removeAll()
        case .initialising, .ready:
            if let closeCode { socket?.appendClose(closeCode, reason: reason, to: &output) }
        }
        forgetTransport()
        line.append(.disconnect)
    }

    private mutating func forgetTransport() {
        handshake = nil
        reader = nil
        socket = nil
        deflate = nil
        isLent = false
        hasRest = false
        pongDueAt = nil
    }

    /// The connection is gone: decides about every operation, then about the next attempt.
    mutating func lose(_ error: ClientError) {
        let wasReady = phase == .ready
        if !wasReady { failedAttempts += 1 }
        let isLastAttempt = configuration.attemptsMax.map { failedAttempts >= $0 } ?? false
        guard error.isRetryable(configuration), !(isLastAttempt && !wasReady) else {
            return giveUp(error)
        }
        for handle in operations.keys.sorted() {
            guard let operation = operations[handle], operation.isSent else { continue }
            if operation.kind == .mutation {
                operations[handle] = nil
                line.append(.failed(handle, .outcomeUnknown(error)))
            } else {
                operations[handle]?.isSent = false
            }
        }
        guard !operations.isEmpty || configuration.retriesWithoutOperations else {
            phase = .idle
            wakeAt = nil
            return line.append(.disconnected(error, retryAt: nil))
        }
        if case .closed(_, let reason) = error {
            noteHint(milliseconds: RetryHint.milliseconds(in: reason))
        }
        let retryAt = nextAttemptAt()
        phase = .waiting
        wakeAt = retryAt
        line.append(.disconnected(error, retryAt: retryAt))
    }

    /// The first attempt is a quick one whatever the server asked for, since another may stand in
    /// for it. If that is in vain, the next one waits for the moment that it asked for, and from
    /// there the waits begin anew.
    private mutating func nextAttemptAt() -> Int64 {
        let backOff = configuration.backOff
        let retryAt = now + backOff.wait(attempt: waits, random: &random)
        waits += 1
        guard waits > 1, let hinted = hintedAt else { return retryAt }
        hintedAt = nil
        if retryAt >= hinted { return retryAt }
        waits = 0
        return backOff.moment(hinted: hinted, random: &random)
    }

    private mutating func noteHint(seconds: Text?) {
        noteHint(
            milliseconds: seconds.flatMap { Int64($0.string) }.map { min($0, 1_000_000) * 1000 })
    }

    private mutating func noteHint(milliseconds: Int64?) {
        guard let milliseconds, milliseconds >= 0 else { return }
        let longest = configuration.backOff.hintNanosecondsMax
        hintedAt = now + min(milliseconds, longest / 1_000_000) * 1_000_000
    }

    mutating func giveUp(_ error: ClientError) {
        phase = .ended
        endedBy = error
        wakeAt = nil
        for handle in operations.keys.sorted() {
            guard let operation = operations.removeValue(forKey: handle) else { continue }
            let isUnknown = operation.kind == .mutation && operation.isSent
            line.append(.failed(handle, isUnknown ? .outcomeUnknown(error) : .sessionEnded(error)))
        }
        line.append(.gaveUp(error))
    }
}
