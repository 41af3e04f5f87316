import Hub
import Loop
import Synchronization

/// Counts the connections of the whole hub, and says who may come in.
///
/// Asked once for each connection and told once of its end, from any shard's queue; nothing that
/// is done for a message comes by here. One lock for all: a connect costs a hundred times more.
final class ConnectionGate: Sendable {
    private struct State {
        var open = 0
        var handshakes = 0
        /// Connections of each network; those without any are not listed.
        var byNetwork: [UInt64: Int] = [:]
    }

    private let limits: Limits
    private let state = Guarded(State())

    init(_ limits: Limits) { self.limits = limits }

    /// Lets the peer in, or says which limit keeps it out.
    func admit(_ peer: PeerAddress) -> Result<Admission, Refused> {
        let network = peer.network
        let refused: ReachedLimit? = state.withLock { state in
            guard state.open < limits.connectionsMax else { return .connections }
            guard state.byNetwork[network, default: 0] < limits.connectionsPerAddressMax else {
                return .connectionsPerAddress
            }
            guard state.handshakes < limits.handshakesMax else { return .handshakes }
            state.open += 1
            state.handshakes += 1
            state.byNetwork[network, default: 0] += 1
            return nil
        }
        if let refused { return .failure(Refused(limit: refused)) }
        return .success(Admission(self, network))
    }

    /// The limit that keeps a peer out.
    struct Refused: Error { var limit: ReachedLimit }

    fileprivate func greeted() { state.withLock { $0.handshakes -= 1 } }

    fileprivate func left(_ network: UInt64, isGreeted: Bool) {
        state.withLock { state in
            state.open -= 1
            if !isGreeted { state.handshakes -= 1 }
            let count = state.byNetwork[network, default: 0] - 1
            precondition(count >= 0, "a connection has left twice")
            state.byNetwork[network] = count == 0 ? nil : count
        }
    }
}

/// One connection's place in the hub. Whoever keeps the connection keeps this; when the last
/// one lets go of it, on whatever way the connection came to its end, the place is free.
final class Admission: Sendable {
    private let gate: ConnectionGate
    private let network: UInt64
    private let isGreeted = Atomic(false)

    fileprivate init(_ gate: ConnectionGate, _ network: UInt64) {
        self.gate = gate
        self.network = network
    }

    deinit { gate.left(network, isGreeted: isGreeted.load(ordering: .acquiring)) }

    /// The connection's first request has come.
    func greeted() {
        guard !isGreeted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        gate.greeted()
    }
}
