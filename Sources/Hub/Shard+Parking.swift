import Bytes
import HTTP1
import Models
import Records
import WebSocket

/// Subscribers that read more slowly than their events arise, and would rather miss some than be
/// closed.
///
/// What has gone to the outlet cannot be taken back. So once more than `Limits.parkingBytesMin`
/// waits there for a connection, it is *held*: events of its subscriptions that may drop or
/// replace are parked here, and go out in portions when the peer has taken what it was sent.
extension Shard {
    /// Parks the events of the connection's subscriptions from now on, those that may be.
    ///
    /// - Parameter fronts: the shard's own, lent to the fan-out in whose middle this is called.
    func hold(_ handle: UInt64, _ fronts: UnsafeMutablePointer<EventFront>) {
        guard let connection = connection(handle), case .socket(let socket) = connection.role
        else { return }
        let parking = socket.parking ?? Parking()
        socket.parking = parking
        guard !parking.isHolding else { return }
        parking.isHolding = true
        for case .live(let slot) in socket.operations.values
        where subscriptions[Int(slot)]?.policy != .close {
            fronts[Int(slot)].isHeld = true
        }
        outlet.awaitDrained(handle)
    }

    /// Parks an event for each of these subscriptions, or sends it with what is owed to say.
    func deliver(
        _ event: inout HeldEvent, to held: [UInt32], slow: inout [SlowPeer]
    ) {
        for slot in held {
            guard let subscription = subscriptions[Int(slot)],
                case .socket(let socket) = subscription.connection.role,
                let parking = socket.parking
            else { preconditionFailure("a subscription is held without parking") }
            if parking.isHolding {
                park(&event, for: slot, subscription, in: parking, slow: &slow)
            } else {
                tell(&event, to: slot, parking, slow: &slow)
                if !parking.isHolding, !parking.owesNotes { socket.parking = nil }
            }
        }
    }

    private func park(
        _ event: inout HeldEvent, for slot: UInt32, _ subscription: Subscription,
        in parking: Parking, slow: inout [SlowPeer]
    ) {
        let before = parking.bytes
        let bytes = event.copy(for: fronts[Int(slot)].windowBits, sharedDeflate)
        let outcome = parking.park(
            Parking.Event(
                subscription: slot, payload: bytes.payload, isCompressed: bytes.isCompressed,
                key: subscription.policy == .latest ? event.key(in: schema.layout) : nil),
            bytesMax: limits.parkedBytesMax)
        counters.parkedBytes += parking.bytes - before
        counters.eventsDropped += UInt64(outcome.dropped)
        // Dropping is what the subscriber wants, so the operator is not told.
        limitsReached[.parkedBytes] += UInt64(outcome.dropped)
        if outcome.hasReplaced { counters.eventsReplaced += 1 }
        if outcome.isFull {
            slow.append(
                SlowPeer(
                    connection: fronts[Int(slot)].connection, waiting: parking.bytes,
                    limit: limits.parkedBytesMax, reached: .parkedBytes))
        }
    }

    /// The peer keeps up again; the subscription has yet to be told what it missed.
    private func tell(
        _ event: inout HeldEvent, to slot: UInt32, _ parking: Parking, slow: inout [SlowPeer]
    ) {
        fronts[Int(slot)].isHeld = false
        let connection = fronts[Int(slot)].connection
        let bytes = event.bytes(for: fronts[Int(slot)].windowBits, sharedDeflate)
        let waiting = send(
            bytes.payload, isCompressed: bytes.isCompressed, behind: slot,
            dropped: parking.takeDropped(slot))
        if waiting > limits.outboxBytesMax {
            slow.append(
                SlowPeer(connection: connection, waiting: waiting, limit: limits.outboxBytesMax))
        } else if waiting > Int(fronts[Int(slot)].waitingBytesMax) {
            fronts.withUnsafeMutableBufferPointer { fronts in
                if let start = fronts.baseAddress { hold(connection, start) }
            }
        }
    }

    // MARK: Going on

    /// The peer has taken all that it was sent: the outlet was asked to tell this.
    public func drained(_ handle: UInt64, at moment: Moment) {
        self.moment = moment
        guard let connection = connection(handle), case .socket(let socket) = connection.role,
            let parking = socket.parking, parking.isHolding
        else { return }
        sendParked(of: socket, parking, bytesMax: limits.parkingBytesMin)
        if parking.isEmpty {
            release(socket, parking)
        } else {
            outlet.awaitDrained(handle)
        }
    }

    /// Sends what is parked for a connection that is about to be closed.
    func sendAllParked(of socket: Socket) {
        guard let parking = socket.parking else { return }
        sendParked(of: socket, parking, bytesMax: .max)
    }

    /// Bytes that are parked for a connection.
    public func parkedBytes(for handle: UInt64) -> Int {
        guard case .socket(let socket)? = connection(handle)?.role else { return 0 }
        return socket.parking?.bytes ?? 0
    }

    /// Forgets what is parked for a connection.
    func freeParked(of socket: Socket) {
        counters.parkedBytes -= socket.parking?.bytes ?? 0
        socket.parking = nil
    }

    /// Forgets what is parked for a subscription.
    func freeParked(of slot: UInt32, _ connection: Connection) {
        guard case .socket(let socket) = connection.role, let parking = socket.parking else {
            return
        }
        let before = parking.bytes
        parking.remove(slot)
        counters.parkedBytes += parking.bytes - before
        if !parking.isHolding, !parking.owesNotes { socket.parking = nil }
    }

    /// Sends the events that have waited longest, at least one, until so many bytes are on their
    /// way.
    private func sendParked(of socket: Socket, _ parking: Parking, bytesMax: Int) {
        let before = parking.bytes
        var count = 0
        while count < max(1, bytesMax), let (event, dropped) = parking.popFirst() {
            count += event.payload.count
            event.payload.withUnsafeBytes { payload in
                _ = send(
                    payload, isCompressed: event.isCompressed, behind: event.subscription,
                    dropped: dropped, replaced: event.replaced)
            }
        }
        counters.parkedBytes += parking.bytes - before
    }

    /// Events go out at once again, but for those that have to say what was dropped before them.
    private func release(_ socket: Socket, _ parking: Parking) {
        parking.isHolding = false
        for case .live(let slot) in socket.operations.values {
            fronts[Int(slot)].isHeld = parking.owesNote(slot)
        }
        if !parking.owesNotes { socket.parking = nil }
    }

    /// Sends one event. Returns how many bytes waited for the peer.
    private func send(
        _ payload: UnsafeRawBufferPointer, isCompressed: Bool, behind slot: UInt32, dropped: Int,
        replaced: Int = 0
    ) -> Int {
        counters.deliveries += 1
        let connection = fronts[Int(slot)].connection
        var front = ByteQueue()
        front.append(fronts[Int(slot)].head)
        Self.append(dropped: dropped, replaced: replaced, to: &front)
        let framing = fronts[Int(slot)].framing
        if framing.contains(.stream) {
            front.append(UnsafeRawBufferPointer(rebasing: payload.dropLast()))
            front.append("\n\n")
            var event = ByteQueue()
            if framing.contains(.chunked) {
                front.withBytes { HTTPWriter.appendChunk($0, to: &event) }
            } else {
                event = front
            }
            return event.withBytes { outlet.send(connection, $0, .empty, .empty) }
        }
        return front.withBytes { front in
            withUnsafeTemporaryAllocation(
                byteCount: SharedDeflate.frontBytesMax + front.count, alignment: 8
            ) { room in
                if isCompressed {
                    let count = SharedDeflate.writeFront(
                        .text, prefix: front, bodyCount: payload.count, to: room)
                    return outlet.send(
                        connection, UnsafeRawBufferPointer(rebasing: room[..<count]), payload,
                        .empty)
                }
                // The room has an address, and is longer than any head.
                let count = WebSocketSession.writeHead(
                    .text, payloadCount: front.count + payload.count, to: room.baseAddress!)
                return outlet.send(
                    connection, UnsafeRawBufferPointer(rebasing: room[..<count]), front, payload)
            }
        }
    }

    /// Room that `append(dropped:replaced:to:)` needs at most.
    static var noteBytesMax: Int { 128 }

    /// Says, as the payload's first member, what the subscription did not get.
    private static func append(dropped: Int, replaced: Int, to front: inout ByteQueue) {
        guard dropped > 0 || replaced > 0 else { return }
        front.append(#""extensions":{"heliograph":{"#)
        if dropped > 0 {
            front.append(#""dropped":"#)
            front.append(decimal: dropped)
        }
        if replaced > 0 {
            front.append(dropped > 0 ? #","replaced":"# as StaticString : #""replaced":"#)
            front.append(decimal: replaced)
        }
        front.append("}},")
    }
}

/// A connection that has more waiting than it may.
struct SlowPeer {
    var connection: UInt64
    var waiting: Int
    var limit: Int
    var reached = ReachedLimit.outboxBytes
}

/// An event on its way to subscribers that are held: its bytes are lent by the fan-out and
/// copied once for all that park them.
struct HeldEvent {
    let body: UnsafeRawBufferPointer
    let isCompressible: Bool
    let change: Change
    private var key: RecordKey?
    /// Copies by the window they are compressed within; 0 for the plain one.
    private var copies: [UInt8: [UInt8]] = [:]

    init(body: UnsafeRawBufferPointer, isCompressible: Bool, change: Change) {
        self.body = body
        self.isCompressible = isCompressible
        self.change = change
    }

    /// The changed record's key.
    mutating func key(in layout: DataLayout) -> RecordKey {
        if let key { return key }
        let record = change.record
        let made = RecordKey(
            model: record.model,
            values: layout.models[record.model].key.map { record.values[$0] })
        key = made
        return made
    }

    /// The bytes behind a front with this window, lent for as long as the fan-out lasts.
    func bytes(
        for windowBits: UInt8, _ deflate: SharedDeflate
    ) -> (payload: UnsafeRawBufferPointer, isCompressed: Bool) {
        if isCompressible, windowBits > 0,
            let shared = deflate.body(of: body, windowBits: Int(windowBits))
        {
            return (shared, true)
        }
        return (body, false)
    }

    /// A copy of them that all who ask for the same share.
    mutating func copy(
        for windowBits: UInt8, _ deflate: SharedDeflate
    ) -> (payload: [UInt8], isCompressed: Bool) {
        let lent = bytes(for: windowBits, deflate)
        let form = lent.isCompressed ? windowBits : 0
        if let copy = copies[form] { return (copy, lent.isCompressed) }
        let copy = Array(lent.payload)
        copies[form] = copy
        return (copy, lent.isCompressed)
    }
}
