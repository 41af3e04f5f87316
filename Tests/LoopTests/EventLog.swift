import Dispatch
import Loop

/// What a loop told, readable from the test's thread, which can wait for more of it.
final class EventLog: Sendable {
    enum Event: Sendable, Hashable {
        case accepted(UInt64)
        case connected(UInt64)
        case failed(UInt64, LoopError)
        case received(UInt64, [UInt8])
        case peerFinished(UInt64)
        case drained(UInt64)
        case closed(UInt64, CloseReason)
        case woke
        case stopped
        case note(String)
    }

    private let events = Guarded<[Event]>([])
    private let added = DispatchSemaphore(value: 0)

    func add(_ event: Event) {
        events.withLock { $0.append(event) }
        added.signal()
    }

    var all: [Event] { events.withLock { $0 } }

    /// Waits, with a time limit, until what happened so far satisfies `test`.
    func wait(until test: ([Event]) -> Bool) -> Bool {
        let deadline = DispatchTime.now() + 60
        while !test(all) {
            if added.wait(timeout: deadline) == .timedOut { return test(all) }
        }
        return true
    }

    func wait(for event: Event) -> Bool { wait { $0.contains(event) } }

    /// The first connection that was accepted or connected, once there is one.
    func firstConnection() -> UInt64? { connections(1).first }

    /// The first `count` connections.
    func connections(_ count: Int) -> [UInt64] {
        var found: [UInt64] = []
        _ = wait { events in
            found = events.compactMap { event in
                switch event {
                case .accepted(let connection), .connected(let connection): connection
                default: nil
                }
            }
            return found.count >= count
        }
        return found
    }

    func reason(_ connection: UInt64) -> CloseReason? {
        var found: CloseReason?
        _ = wait { events in
            for case .closed(connection, let reason) in events { found = reason }
            return found != nil
        }
        return found
    }

    func receivedCount(_ connection: UInt64) -> Int {
        all.reduce(0) { sum, event in
            if case .received(connection, let bytes) = event { sum + bytes.count } else { sum }
        }
    }
}
