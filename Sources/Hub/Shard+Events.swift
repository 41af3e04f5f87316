import Broker
import Bytes
import GraphQL
import Models
public import Records
import Subprotocol
import WebSocket

/// From a committed change to its subscribers: matched once, executed once per group, sent to
/// each member with a frame head and id of its own in front of the shared payload.
extension Shard {
    /// The store has committed changes; they come in the order of their offsets, each once.
    public func changed(_ changes: [Change], at moment: Moment) {
        self.moment = moment
        for change in changes {
            counters.changes += 1
            matched.removeAll(keepingCapacity: true)
            broker.match(change, into: &matched)
            // Fan-out may end subscriptions and with them groups, so contexts are taken by id.
            for id in matched {
                guard let group = contexts[id] else { continue }
                if group.running == nil && group.queue.isEmpty {
                    execute(change, for: group)
                } else {
                    enqueue(change, for: group)
                }
            }
        }
    }

    private func execute(_ change: Change, for group: GroupContext) {
        counters.events += 1
        let value = schema.eventValue(of: change)
        var payload = payloadBuffer
        payloadBuffer = ByteQueue()
        payload.removeAll(keepingCapacity: payload.count <= 65_536)
        let isDone = Execution.append(
            event: group.operation, variables: group.key.variables, value: value, to: &payload)
        if isDone { fanOut(payload, to: group, offset: change.offset) }
        payloadBuffer = payload
        if isDone { return }
        let execution = Execution(
            event: group.operation, variables: group.key.variables, value: value)
        let running = Running(
            target: .group(group, offset: change.offset), execution: execution)
        group.running = running
        start(running)
    }

    private func enqueue(_ change: Change, for group: GroupContext) {
        guard group.queue.count < limits.changesPerGroupMax else {
            counters.groupsOverrun += 1
            overrun(group)
            return
        }
        group.queue.append(change)
    }

    /// The event of one change has been executed: fan it out and go on with the next.
    func finishEvent(_ group: GroupContext, offset: UInt64, _ payload: ByteQueue) {
        group.running = nil
        fanOut(payload, to: group, offset: offset)
        proceedWithQueue(of: group)
    }

    /// Executes waiting changes until one has to wait for the store again.
    ///
    /// An execution that needs no store ends within `execute` and comes back here; the flag
    /// turns that into another round of the loop instead of a deeper call.
    func proceedWithQueue(of group: GroupContext) {
        guard !group.isProceeding else { return }
        group.isProceeding = true
        while group.isAlive, group.running == nil, let change = group.queue.popFirst() {
            execute(change, for: group)
        }
        group.isProceeding = false
    }

    private func fanOut(_ payload: ByteQueue, to group: GroupContext, offset: UInt64) {
        guard group.isAlive else { return }
        let members = broker.members(of: group.id)
        var slow: [(Connection, Int)] = []
        payload.withBytes { body in
            for member in members where member.liveAfter < offset {
                guard let waiting = deliver(body, to: member.subscription) else { continue }
                counters.deliveries += 1
                if waiting.1 > limits.outboxBytesMax { slow.append(waiting) }
            }
        }
        for (connection, waiting) in slow { closeSlow(connection, waiting: waiting) }
    }

    /// Writes one member's message. Returns the connection and what already waits for it.
    private func deliver(
        _ payload: UnsafeRawBufferPointer, to slot: UInt32
    ) -> (Connection, Int)? {
        subscriptions.withUnsafeBufferPointer { slab -> (Connection, Int)? in
            guard let subscription = slab[Int(slot)] else { return nil }
            let connection = subscription.connection
            let waiting = subscription.head.withUnsafeBytes { head in
                withUnsafeTemporaryAllocation(
                    byteCount: WebSocketSession.headBytesMax + head.count, alignment: 8
                ) { front in
                    let frame = WebSocketSession.writeHead(
                        .text, payloadCount: head.count + payload.count + 1,
                        to: front.baseAddress!)
                    UnsafeMutableRawBufferPointer(rebasing: front[frame...]).copyMemory(from: head)
                    let used = UnsafeRawBufferPointer(rebasing: front[..<(frame + head.count)])
                    return outlet.send(connection.handle, used, payload, Self.closingBrace)
                }
            }
            return (connection, waiting)
        }
    }

    /// The tail of every dialect's event message.
    private static var closingBrace: UnsafeRawBufferPointer {
        let brace: StaticString = "}"
        return UnsafeRawBufferPointer(start: brace.utf8Start, count: 1)
    }

    /// More changes wait for the group than the limit allows: its subscribers are closed with a
    /// code that makes them come again, rather than left with a gap.
    private func overrun(_ group: GroupContext) {
        for member in broker.members(of: group.id) {
            guard let subscription = subscriptions[Int(member.subscription)] else { continue }
            let connection = subscription.connection
            guard case .socket(let socket) = connection.role else { continue }
            react(to: .slowConsumer, connection, socket)
        }
    }
}
