import Hub

/// Checks that a shard keeps within its limits. Asked at the end of each turn.
struct LimitCheck {
    private let limits: Limits
    private var overLimit: [(connection: UInt64, waiting: Int)] = []

    init(limits: Limits) { self.limits = limits }

    /// The shard sent bytes and was told how many wait.
    mutating func sent(_ connection: UInt64, _ waiting: Int) {
        if waiting > limits.outboxBytesMax { overLimit.append((connection, waiting)) }
    }

    /// What is beyond a limit, or nil.
    mutating func turnEnded(
        tickets: Int, connections: Int, parkedBytes: Int, isOpen: (UInt64) -> Bool
    ) -> String? {
        defer { overLimit.removeAll(keepingCapacity: true) }
        if let (_, waiting) = overLimit.first(where: { isOpen($0.connection) }) {
            return "\(waiting) bytes wait for an open connection, over the limit of "
                + "\(limits.outboxBytesMax)"
        }
        if parkedBytes > connections * limits.parkedBytesMax || parkedBytes < 0 {
            return "\(parkedBytes) bytes are parked for \(connections) connections, over the limit "
                + "of \(limits.parkedBytesMax) for each"
        }
        // One ticket for each open operation of a connection, one for its group's event and one
        // for a watch that is taken back; some connections may have ended before the answers.
        let operationsMax =
            limits.operationsPerConnectionMax + limits.subscriptionsPerConnectionMax
        let ticketsMax = 3 * (connections + 3) * operationsMax
        if tickets > ticketsMax {
            return "\(tickets) questions to the store are open, for \(connections) connections "
                + "with at most \(operationsMax) operations each"
        }
        return nil
    }
}
