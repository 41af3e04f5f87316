import Subprotocol

/// Stopping in good order: what is in flight is finished, then every socket is closed with a
/// code after which its client comes again.
extension Shard {
    /// Nothing new is begun from now on. Connections that rest are closed at once, the others
    /// when their last query or mutation has been answered.
    public func drain(at moment: Moment) {
        self.moment = moment
        isDraining = true
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            switch connection.role {
            case .http(let exchange):
                if !exchange.isBusy { close(connection, flushing: true) }
            case .socket(let socket): closeIfDrained(connection, socket)
            case .closing: break
            }
        }
    }

    /// Closes all that is left, answered or not.
    public func stop(at moment: Moment) {
        self.moment = moment
        isDraining = true
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            if case .socket(let socket) = connection.role {
                react(to: .draining, connection, socket)
            } else {
                close(connection, flushing: true)
            }
        }
    }

    func closeIfDrained(_ connection: Connection, _ socket: Socket) {
        guard isDraining else { return }
        let isBusy = socket.operations.values.contains {
            if case .running = $0 { true } else { false }
        }
        if !isBusy { react(to: .draining, connection, socket) }
    }
}
