import Hub

/// Checks that a shard that everybody has left holds nothing any more.
struct EmptinessCheck {
    /// What a shard can hold.
    struct Holdings {
        var connections = 0
        var subscriptions = 0
        var groups = 0
        var tickets = 0
        var parkedBytes = 0
    }

    /// What the shard still holds, or nil.
    static func fault(_ holdings: Holdings) -> String? {
        let all = [
            ("connections", holdings.connections), ("subscriptions", holdings.subscriptions),
            ("groups", holdings.groups), ("questions to the store", holdings.tickets),
            ("parked bytes", holdings.parkedBytes),
        ]
        let left = all.filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
        return left.isEmpty ? nil : "\(left.joined(separator: ", ")) are left after all peers"
    }
}

extension SimulatedShard {
    /// What the real shard holds now.
    var holdings: EmptinessCheck.Holdings {
        EmptinessCheck.Holdings(
            connections: shard.counters.connectionsOpen,
            subscriptions: shard.counters.subscriptionsLive, groups: shard.groupCount,
            tickets: shard.openTicketCount, parkedBytes: shard.counters.parkedBytes)
    }
}
