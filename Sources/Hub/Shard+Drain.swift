import Bytes
import HTTP1
import Records
import Subprotocol

/// Stopping in good order: everybody is closed in turn, answered and told of everything, with a
/// code after which the client comes again.
extension Shard {
    /// Begins the end: no socket is opened from now on, and the open connections are closed one
    /// after the other within the time. Until its turn a connection is served as ever; HTTP
    /// connections are closed behind their next answer.
    ///
    /// `woke` sees to the turns and, when the time is over, to the rest. The outlet's owner knows
    /// that all is done when no connection is left.
    public func drain(at moment: Moment, seconds: Int64) {
        self.moment = moment
        guard drain == nil else { return }
        drain = Drain(
            connectionsByTurn(), at: moment.nanoseconds, seconds: seconds,
            returnsPerSecond: limits.returnsPerSecond, &random)
        proceedWithDrain()
        arm()
    }

    /// All of this turn's events have been told; what is said now still goes out with it. Only a
    /// draining shard has something to do then: whoever waits for nothing any more is closed.
    public func turnEnded(at moment: Moment) {
        guard drain?.leaving.isEmpty == false else { return }
        self.moment = moment
        closeSettled()
    }

    /// Closes all that is left, answered or not.
    public func stop(at moment: Moment) {
        self.moment = moment
        if drain == nil { drain(at: moment, seconds: 0) }
        drain?.leaving = []
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            switch connection.role {
            case .socket(let socket):
                let isSettled = hasSettled(socket, upTo: moment.committedOffset)
                if !isSettled { drain?.cutCount += 1 }
                sendAway(connection, socket, told: isSettled ? moment.committedOffset : nil)
            case .http(let exchange):
                if !isAtRest(exchange) { drain?.cutCount += 1 }
                // What was begun is carried out, but nobody waits to tell how it went.
                if exchange.isBusy {
                    close(connection, flushing: true)
                } else {
                    refuseToServe(connection, exchange)
                }
            case .closing: break
            }
        }
    }

    /// How many connections were closed at the end of the time, or by `stop`, while they waited
    /// for an answer or an event.
    public var cutCount: Int { drain?.cutCount ?? 0 }

    /// Whether the shard is on its way out.
    var isDraining: Bool { drain != nil }

    // MARK: Turns

    /// Who is subscribed to nothing goes first; otherwise chance decides.
    private func connectionsByTurn() -> [UInt64] {
        var idle: [UInt64] = []
        var subscribed: [UInt64] = []
        for connection in connections {
            guard let connection else { continue }
            switch connection.role {
            case .http: idle.append(connection.handle)
            case .socket(let socket) where socket.operations.isEmpty:
                idle.append(connection.handle)
            case .socket: subscribed.append(connection.handle)
            case .closing: break
            }
        }
        idle.shuffle(using: &random)
        subscribed.shuffle(using: &random)
        return idle + subscribed
    }

    /// A connection that was accepted before the listener closed and came late.
    func arrived(_ connection: Connection) {
        guard drain != nil else { return }
        drain?.add(connection.handle, at: moment.nanoseconds)
        arm()
    }

    /// Time has passed on a draining shard.
    func proceedWithDrain() {
        guard let drain else { return }
        if moment.nanoseconds >= drain.endsAt {
            stop(at: moment)
        } else {
            takeTurns()
        }
    }

    private func takeTurns() {
        while let handle = drain?.takeTurn(at: moment.nanoseconds) {
            guard let connection = connection(handle) else { continue }
            switch connection.role {
            case .socket(let socket):
                socket.isLeaving = true
                drain?.leaving.append(
                    Drain.Leaving(
                        connection: handle, since: moment.nanoseconds,
                        committedOffset: moment.committedOffset))
            case .http(let exchange):
                // A request that is on its way is still answered, and closes behind that.
                if isAtRest(exchange) { close(connection, flushing: true) }
            case .closing: break
            }
        }
    }

    private func isAtRest(_ exchange: HTTPExchange) -> Bool {
        !exchange.isBusy && exchange.head == nil && exchange.reader.isBetweenMessages
    }

    // MARK: Closing

    private func closeSettled() {
        guard let leaving = drain?.leaving else { return }
        drain?.leaving = []
        var waiting: [Drain.Leaving] = []
        for one in leaving {
            guard let connection = connection(one.connection),
                case .socket(let socket) = connection.role
            else { continue }
            let due = due(one)
            if hasSettled(socket, upTo: due) {
                sendAway(connection, socket, told: due)
            } else {
                waiting.append(one)
            }
        }
        drain?.leaving = waiting
        if !waiting.isEmpty { arm() }
    }

    /// What a leaving connection must have been told: all that was committed before now. While
    /// the store commits without a pause, one waits for that only so long, and then for what was
    /// committed before its turn came.
    private func due(_ one: Drain.Leaving) -> UInt64 {
        let patience = drain?.patience ?? 0
        return moment.nanoseconds < one.since + patience
            ? moment.committedOffset : one.committedOffset
    }

    /// Whether everything that the socket asked has been answered, and every event of a change up
    /// to this offset has been sent to it.
    private func hasSettled(_ socket: Socket, upTo offset: UInt64) -> Bool {
        guard toldOffset >= offset else { return false }
        return socket.operations.values.allSatisfy { operation in
            switch operation {
            case .running: false
            // Not acknowledged yet: nothing was promised.
            case .starting: true
            case .live(let slot):
                subscriptions[Int(slot)].map { !$0.group.owes(upTo: offset) } ?? true
            }
        }
    }

    private func sendAway(_ connection: Connection, _ socket: Socket, told offset: UInt64?) {
        let wait = drain?.nextReturn(at: moment.nanoseconds) ?? 0
        promisedOffset = offset
        react(to: .draining(retryMilliseconds: wait), connection, socket)
        promisedOffset = nil
    }

    /// Says that the request, whole or not, is not served; whoever rests is just closed.
    func refuseToServe(_ connection: Connection, _ exchange: HTTPExchange) {
        guard !isAtRest(exchange) else { return close(connection, flushing: true) }
        let seconds = drain?.secondsLeft(at: moment.nanoseconds) ?? 1
        refuseHTTP(
            connection, status: 503, "the hub is stopping; come again soon", closes: true,
            fields: [HTTPField("Retry-After", Text(String(seconds)))])
    }
}

extension GroupContext {
    /// Whether an event of a change up to this offset has not been sent yet.
    fileprivate func owes(upTo offset: UInt64) -> Bool {
        if let running, case .group(_, let change) = running.target {
            return change.offset <= offset
        }
        return queue.first.map { $0.offset <= offset } ?? false
    }
}
