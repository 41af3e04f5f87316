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
            toldOffset = change.offset
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

    /// What ends every dialect's event message, behind the payload.
    private static var tail: UInt8 { UInt8(ascii: "}") }

    private func execute(_ change: Change, for group: GroupContext) {
        counters.events += 1
        let value = schema.eventValue(of: change)
        var payload = payloadBuffer
        payloadBuffer = ByteQueue()
        payload.removeAll(keepingCapacity: payload.count <= 65_536)
        let isDone = Execution.append(
            event: group.operation, variables: group.key.variables, value: value, to: &payload)
        if isDone {
            payload.append(Self.tail)
            fanOut(payload, to: group, change)
        }
        payloadBuffer = payload
        if isDone { return }
        let execution = Execution(
            event: group.operation, variables: group.key.variables, value: value)
        let running = Running(target: .group(group, change), execution: execution)
        group.running = running
        start(running)
    }

    private func enqueue(_ change: Change, for group: GroupContext) {
        guard group.queue.count < limits.changesPerGroupMax else {
            counters.groupsOverrun += 1
            note(.changesPerGroup)
            overrun(group)
            return
        }
        group.queue.append(change)
    }

    /// The event of one change has been executed: fan it out and go on with the next.
    func finishEvent(_ group: GroupContext, _ change: Change, _ payload: ByteQueue) {
        group.running = nil
        var payload = payload
        payload.append(Self.tail)
        fanOut(payload, to: group, change)
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

    /// Sends each member its frame: head, the member's own front, the shared payload and tail.
    /// A long payload is compressed once, for the members whose connections agreed to that.
    private func fanOut(_ payload: ByteQueue, to group: GroupContext, _ change: Change) {
        guard group.isAlive else { return }
        precondition(payload[0] == UInt8(ascii: "{"), "an event's payload is no object")
        let members = broker.members(of: group.id)
        // Held for the whole loop: each use of the unowned reference counts up and down.
        let outlet = outlet
        let outboxMax = limits.outboxBytesMax
        // One byte of it is the tail.
        let compresses = payload.count > limits.compressedPayloadBytesMin
        if compresses { sharedDeflate.begin() }
        var count = 0
        var held: [UInt32] = []
        var slow: [SlowPeer] = []
        payload.withBytes { whole in
            // The payload's brace stands in the members' fronts.
            let body = UnsafeRawBufferPointer(rebasing: whole[1...])
            // An event stream's message has no envelope that the tail would close.
            let bare = UnsafeRawBufferPointer(rebasing: body.dropLast())
            withFrameWriter(payloadCount: body.count) { writer, fronts in
                for member in members where member.liveAfter < change.offset {
                    let front = fronts + Int(member.subscription)
                    if front.pointee.isHeld {
                        held.append(member.subscription)
                        continue
                    }
                    let waiting: Int
                    if front.pointee.framing.contains(.stream) {
                        waiting = outlet.send(
                            front.pointee.connection, writer.event(for: front), bare,
                            front.pointee.framing.tail)
                    } else if compresses, let shared = sharedBody(of: body, for: front) {
                        waiting = outlet.send(
                            front.pointee.connection,
                            writer.frame(for: front, compressedCount: shared.count), shared,
                            .empty)
                    } else {
                        waiting = outlet.send(
                            front.pointee.connection, writer.frame(for: front), body, .empty)
                    }
                    count += 1
                    guard waiting > Int(front.pointee.waitingBytesMax) else { continue }
                    if waiting > outboxMax {
                        slow.append(
                            SlowPeer(
                                connection: front.pointee.connection, waiting: waiting,
                                limit: outboxMax))
                    } else {
                        hold(front.pointee.connection, fronts)
                    }
                }
            }
            if held.isEmpty { return }
            var event = HeldEvent(body: body, isCompressible: compresses, change: change)
            deliver(&event, to: held, slow: &slow)
        }
        counters.deliveries += UInt64(count)
        if compresses { counters.compressions = sharedDeflate.compressionCount }
        for peer in slow {
            if let connection = connection(peer.connection) { closeSlow(connection, peer) }
        }
    }

    private func sharedBody(
        of body: UnsafeRawBufferPointer, for front: UnsafePointer<EventFront>
    ) -> UnsafeRawBufferPointer? {
        let windowBits = Int(front.pointee.windowBits)
        return windowBits == 0 ? nil : sharedDeflate.body(of: body, windowBits: windowBits)
    }

    /// Lends what a fan-out's loop needs, so that the loop neither counts references nor allocates.
    private func withFrameWriter(
        payloadCount: Int, _ body: (inout FrameWriter, UnsafeMutablePointer<EventFront>) -> Void
    ) {
        let capacity =
            SharedDeflate.frontBytesMax + EventFraming.chunkHeadBytesMax + frontBytesMax
        fronts.withUnsafeMutableBufferPointer { fronts in
            guard let start = fronts.baseAddress else { return }
            withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { scratch in
                var writer = FrameWriter(scratch: scratch, payloadCount: payloadCount)
                body(&writer, start)
            }
        }
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

/// What is a subscriber's own in an event: where it goes, and the message before the payload.
struct EventFront {
    var connection: UInt64
    /// The message's bytes up to and with the payload's own brace, written once. Behind them
    /// stands either the rest of the payload or, before it, a member of the subscriber's own.
    var head: [UInt8]
    /// Bytes that may wait for the peer; beyond, it is slow.
    var waitingBytesMax: UInt32
    /// The window to compress its payloads within; 0 to send them as they are.
    var windowBits: UInt8
    /// What goes around each message.
    var framing: EventFraming
    /// Whether events take the way over `Parking`.
    var isHeld: Bool
}

/// Puts a frame's head and a subscriber's front together in memory that serves the whole fan-out.
private struct FrameWriter {
    let scratch: UnsafeMutableRawBufferPointer
    let payloadCount: Int
    private var frontCount = -1
    private var frameCount = 0

    init(scratch: UnsafeMutableRawBufferPointer, payloadCount: Int) {
        self.scratch = scratch
        self.payloadCount = payloadCount
    }

    mutating func frame(for front: UnsafePointer<EventFront>) -> UnsafeRawBufferPointer {
        front.pointee.head.withUnsafeBytes { head in
            // The scratch has room for the longest head and front. Most ids are of one length.
            if head.count != frontCount {
                frontCount = head.count
                frameCount = WebSocketSession.writeHead(
                    .text, payloadCount: head.count + payloadCount, to: scratch.baseAddress!)
            }
            (scratch.baseAddress! + frameCount).copyMemory(
                from: head.baseAddress!, byteCount: head.count)
            return UnsafeRawBufferPointer(rebasing: scratch[..<(frameCount + head.count)])
        }
    }

    /// What stands before an event stream's payload: the front, in its chunk if there are chunks.
    mutating func event(for front: UnsafePointer<EventFront>) -> UnsafeRawBufferPointer {
        // Writes over the head that would serve the next frame.
        frontCount = -1
        // The scratch has room for the longest front and any chunk's head.
        let start = scratch.baseAddress!
        let count = front.pointee.head.withUnsafeBytes { head in
            let own =
                front.pointee.framing.contains(.chunked)
                ? EventFraming.writeChunkHead(
                    count: head.count + payloadCount - 1 + EventFraming.eventTailCount, to: start)
                : 0
            (start + own).copyMemory(from: head.baseAddress!, byteCount: head.count)
            return own + head.count
        }
        return UnsafeRawBufferPointer(rebasing: scratch[..<count])
    }

    mutating func frame(
        for front: UnsafePointer<EventFront>, compressedCount: Int
    ) -> UnsafeRawBufferPointer {
        // Writes over the head that would serve the next uncompressed frame.
        frontCount = -1
        let count = front.pointee.head.withUnsafeBytes { head in
            SharedDeflate.writeFront(
                .text, prefix: head, bodyCount: compressedCount, to: scratch)
        }
        return UnsafeRawBufferPointer(rebasing: scratch[..<count])
    }
}
