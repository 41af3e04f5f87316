/// How a hub's end went.
public struct DrainSummary: Sendable, Hashable {
    /// Connections that were open when it began, or came late.
    public var connections = 0
    /// Those of them that were closed while they waited for an answer or an event.
    public var cut = 0

    /// Of all shards together.
    static func + (one: DrainSummary, other: DrainSummary) -> DrainSummary {
        DrainSummary(connections: one.connections + other.connections, cut: one.cut + other.cut)
    }
}
