import Subprotocol

/// Time: one sweep a second over the open connections, and nothing while nothing is open.
extension Shard {
    private static let second: Int64 = 1_000_000_000

    func scheduleSweep() {
        guard nextSweep == .max else { return }
        nextSweep = moment.nanoseconds + Self.second
        arm()
    }

    /// Asks for the next call of `woke`, if there is something to be seen to.
    func arm() {
        let next = min(nextSweep, drain?.nextAt(after: moment.nanoseconds) ?? .max)
        if next < .max { outlet.wake(atNanoseconds: next) }
    }

    /// The time that the shard asked for has come.
    public func woke(at moment: Moment) {
        self.moment = moment
        proceedWithDrain()
        if moment.nanoseconds >= nextSweep { sweepAll() }
        arm()
    }

    private func sweepAll() {
        nextSweep = .max
        repeatLostUnwatches()
        endOverdue()
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            sweep(connection)
        }
        if counters.connectionsOpen > 0 { scheduleSweep() }
    }

    private func sweep(_ connection: Connection) {
        let now = moment.nanoseconds
        if now >= connection.deadline {
            timedOut(connection)
            return
        }
        guard case .socket(let socket) = connection.role else { return }
        if let stream = socket.stream {
            if now - socket.lastPrompt >= limits.eventStreamKeepAliveSeconds * Self.second {
                socket.lastPrompt = now
                sendComment(to: connection, stream)
            }
            return
        }
        let silence = now - connection.lastHeard
        if silence >= limits.silenceSecondsMax * Self.second {
            counters.timeouts += 1
            note(.silenceSeconds)
            close(connection, flushing: false)
            return
        }
        let sincePrompt = now - socket.lastPrompt
        if socket.dialect.sendsKeepAlive, connection.deadline == .max,
            sincePrompt >= limits.keepAliveSeconds * Self.second
        {
            socket.lastPrompt = now
            send(.keepAlive, to: connection, socket)
        }
        // The silence limit needs an answer from the peer: a WebSocket ping gets one.
        let pingAfter = limits.pingAfterSeconds * Self.second
        if silence >= pingAfter, now - socket.lastPing >= pingAfter {
            socket.lastPing = now
            ping(connection, socket)
        }
    }

    private func timedOut(_ connection: Connection) {
        counters.timeouts += 1
        switch connection.role {
        case .http(let exchange): timedOutHTTP(connection, exchange)
        case .socket(let socket):
            note(.initSeconds)
            react(to: .initTimeout, connection, socket)
        case .closing: close(connection, flushing: false)
        }
    }
}
