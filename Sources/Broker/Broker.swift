public import Records

/// Which changes a subscription is about: one kind of change of one model.
public struct Topic: Sendable, Hashable {
    /// The model.
    public var model: ModelID
    /// The kind of change.
    public var kind: Change.Kind

    /// A topic.
    public init(model: ModelID, kind: Change.Kind) {
        self.model = model
        self.kind = kind
    }
}

/// The subscription index of one shard: which groups of subscribers a committed change concerns.
///
/// Called by the shard alone. A *group* is a set of members that get the same payload: the same
/// operation with the same variables under the same rights, and therefore the same filter. The
/// cost of `match` is that of the groups that match plus one look-up for each distinct set of
/// fields that filters of the topic test for equality; groups on other values cost nothing.
///
///     let group = broker.addGroup(to: topic, filter: filter)
///     let place = broker.join(group, member: 7, liveAfter: offset)
///     broker.match(change, into: &groups)          // groups to execute once each
///     broker.leave(group, at: place)
public struct Broker {
    /// Names a group until it is removed; numbers are used again.
    public typealias GroupID = Int

    /// One subscriber in a group.
    public struct Member: Sendable {
        /// The shard's own number for the subscription.
        public var subscription: UInt32
        /// Changes up to this offset are not for this member: they were committed before it
        /// was acknowledged.
        public var liveAfter: UInt64
    }

    private struct Group {
        var topic: Topic
        /// What candidates from the index must still pass; nil if the index decides alone.
        var residue: Filter?
        var terms: [IndexTerm]
        var members: ContiguousArray<Member> = []
        var isUsed = true
        var lastMatched: UInt64 = 0
    }

    private var groups: ContiguousArray<Group> = []
    private var freeGroups: [GroupID] = []
    private var indexes: [Topic: TopicIndex] = [:]

    /// How many members all groups have together.
    public private(set) var memberCount = 0

    /// How many groups there are.
    public var groupCount: Int { groups.count - freeGroups.count }

    /// An empty index.
    public init() {}

    /// Adds a group without members.
    public mutating func addGroup(to topic: Topic, filter: Filter) -> GroupID {
        let analysis = FilterAnalysis(filter)
        let group = Group(topic: topic, residue: analysis.residue, terms: analysis.terms)
        let id: GroupID
        if let free = freeGroups.popLast() {
            id = free
            groups[free] = group
        } else {
            id = groups.count
            groups.append(group)
        }
        for term in analysis.terms { indexes[topic, default: TopicIndex()].insert(id, under: term) }
        return id
    }

    /// Removes a group that has no members left.
    public mutating func removeGroup(_ id: GroupID) {
        precondition(groups[id].isUsed && groups[id].members.isEmpty, "group is still in use")
        let topic = groups[id].topic
        for term in groups[id].terms { indexes[topic]?.remove(id, under: term) }
        if indexes[topic]?.isEmpty == true { indexes[topic] = nil }
        groups[id] = Group(topic: topic, residue: nil, terms: [], isUsed: false)
        freeGroups.append(id)
    }

    /// Adds a member and tells its place, which the caller keeps for `leave`.
    public mutating func join(
        _ id: GroupID, member subscription: UInt32, liveAfter: UInt64
    ) -> Int {
        groups[id].members.append(Member(subscription: subscription, liveAfter: liveAfter))
        memberCount += 1
        return groups[id].members.count - 1
    }

    /// Takes the member at `place` out. The last member moves to its place; returns that
    /// member's subscription so that the caller can note the new place, or nil if none moved.
    public mutating func leave(_ id: GroupID, at place: Int) -> UInt32? {
        memberCount -= 1
        let last = groups[id].members.removeLast()
        if place == groups[id].members.count { return nil }
        groups[id].members[place] = last
        return last.subscription
    }

    /// The members of a group. Hold the array only for the length of a fan-out.
    public func members(of id: GroupID) -> ContiguousArray<Member> { groups[id].members }

    /// Whether nobody is in the group.
    public func isEmpty(_ id: GroupID) -> Bool { groups[id].members.isEmpty }

    /// Appends each group that the change concerns, once.
    public mutating func match(_ change: Change, into matched: inout [GroupID]) {
        let topic = Topic(model: change.record.model, kind: change.kind)
        guard let index = indexes[topic] else { return }
        index.candidates(for: change) { id in
            guard groups[id].lastMatched != change.offset else { return }
            if let residue = groups[id].residue, !residue.matches(change) { return }
            groups[id].lastMatched = change.offset
            matched.append(id)
        }
    }
}
