import Records

/// Events of one connection that wait in the shard, because its peer reads too slowly and its
/// subscriptions may drop or replace what waits: bytes in the outbox cannot be taken back.
///
/// Exists only while there is something to remember. Payloads are shared by all that park them.
final class Parking {
    /// One event of one subscription.
    struct Event {
        let subscription: UInt32
        /// What stands behind the subscription's front.
        let payload: [UInt8]
        let isCompressed: Bool
        /// The record's key if a newer event of the record replaces this one; nil if it may be
        /// dropped.
        let key: RecordKey?
        /// How many older events it stands for.
        var replaced = 0
        /// Rises from event to event; one that replaces another has that one's.
        fileprivate(set) var number: UInt64 = 0

        init(subscription: UInt32, payload: [UInt8], isCompressed: Bool, key: RecordKey?) {
            self.subscription = subscription
            self.payload = payload
            self.isCompressed = isCompressed
            self.key = key
        }

        fileprivate var bytes: Int { payload.count + Parking.eventBytes }
    }

    /// What parking an event came to.
    struct Outcome: Equatable {
        var dropped = 0
        var hasReplaced = false
        /// Whether more waits than may, and nothing of it may be dropped.
        var isFull = false
    }

    private struct Place: Hashable {
        var subscription: UInt32
        var key: RecordKey
    }

    /// What is counted for an event beside its payload: about what remembering it takes.
    static let eventBytes = 128

    /// Whether events are parked: the peer has yet to take what it was sent.
    var isHolding = false
    /// What all parked events count.
    private(set) var bytes = 0
    /// Events that may be dropped.
    private var line = Line<Event>()
    /// Events that were first in `line` when one had to go, and were spared as the last of their
    /// subscriptions. They are older than all in `line`.
    private var spared = KeyedLine<UInt32, Event>()
    /// Events of which there is one for each record.
    private var latest = KeyedLine<Place, Event>()
    /// How many events wait for each subscription that has any.
    private var counts: [UInt32: Int] = [:]
    /// Events dropped of each subscription since the last one that it was sent.
    private var dropped: [UInt32: Int] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether no event waits.
    var isEmpty: Bool { counts.isEmpty }

    /// Whether a subscription has yet to be told that events were dropped.
    var owesNotes: Bool { !dropped.isEmpty }

    func owesNote(_ subscription: UInt32) -> Bool { dropped[subscription] != nil }

    /// How many events were dropped before the one that is sent now.
    func takeDropped(_ subscription: UInt32) -> Int {
        dropped.removeValue(forKey: subscription) ?? 0
    }

    /// Takes an event in. Where the bytes are too many, the oldest goes, but the last one of a
    /// subscription only when nothing else can: with it the client hears of those that are gone.
    func park(_ event: Event, bytesMax: Int) -> Outcome {
        var outcome = Outcome()
        outcome.hasReplaced = replace(with: event)
        if !outcome.hasReplaced { append(event) }
        if event.key == nil, let old = spared.remove(event.subscription) {
            drop(old, &outcome)
        }
        while bytes > bytesMax, let oldest = line.popFirst() {
            if counts[oldest.subscription] == 1 {
                spared.put(oldest, oldest.subscription)
            } else {
                drop(oldest, &outcome)
            }
        }
        while bytes > bytesMax, let oldest = spared.popFirst() { drop(oldest, &outcome) }
        outcome.isFull = bytes > bytesMax
        return outcome
    }

    /// The event that has waited longest, and how many of its subscription were dropped before.
    func popFirst() -> (event: Event, dropped: Int)? {
        let older = spared.first ?? line.first
        let event: Event?
        if let older, latest.first.map({ older.number < $0.number }) ?? true {
            event = spared.popFirst() ?? line.popFirst()
        } else {
            event = latest.popFirst()
        }
        guard let event else { return nil }
        forget(event)
        return (event, takeDropped(event.subscription))
    }

    /// Forgets all that waits for a subscription.
    func remove(_ subscription: UInt32) {
        dropped[subscription] = nil
        guard counts[subscription] != nil else { return }
        if let event = spared.remove(subscription) { forget(event) }
        line.forEach { event, _ in if event.subscription == subscription { forget(event) } }
        line.removeAll { $0.subscription == subscription }
        for place in latest.keys.filter({ $0.subscription == subscription }) {
            if let event = latest.remove(place) { forget(event) }
        }
    }

    /// Puts the event in the place of the one that waits for the same record, and so keeps its
    /// turn: a record that changes all the time is told of as often as others.
    private func replace(with event: Event) -> Bool {
        guard let key = event.key else { return false }
        let place = Place(subscription: event.subscription, key: key)
        guard let old = latest[place] else { return false }
        var event = event
        event.number = old.number
        event.replaced = old.replaced + 1
        latest.put(event, place)
        bytes += event.bytes - old.bytes
        return true
    }

    private func append(_ event: Event) {
        lastNumber += 1
        var event = event
        event.number = lastNumber
        bytes += event.bytes
        counts[event.subscription, default: 0] += 1
        if let key = event.key {
            latest.put(event, Place(subscription: event.subscription, key: key))
        } else {
            line.append(event)
        }
    }

    private func drop(_ event: Event, _ outcome: inout Outcome) {
        forget(event)
        dropped[event.subscription, default: 0] += 1
        outcome.dropped += 1
    }

    /// An event does not wait any more.
    private func forget(_ event: Event) {
        bytes -= event.bytes
        let left = (counts[event.subscription] ?? 0) - 1
        counts[event.subscription] = left > 0 ? left : nil
    }
}
