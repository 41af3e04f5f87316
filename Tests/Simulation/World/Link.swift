import Bytes

/// Who sits at the far end of a connection to the hub.
protocol Peer: AnyObject {
    func opened(_ link: Link)
    func received(_ link: Link, _ bytes: UnsafeMutableRawBufferPointer)
    /// The hub sends nothing more.
    func finished(_ link: Link)
    /// The connection is over, or never came about.
    func broken(_ link: Link)
}

/// One direction of a connection: bytes on their way, in order.
struct Stream {
    /// Written and not yet handed over.
    var bytes = ByteQueue()
    /// Whether the end follows behind the bytes.
    var isEnding = false
    var hasEnded = false
    /// Nothing moves before this time.
    var stalledUntil: Int64 = .min
    /// Whether the receiver takes bytes.
    var isRead = true
    /// Whether the next hand-over is on the agenda.
    var isMoving = false

    var hasNews: Bool { !bytes.isEmpty || (isEnding && !hasEnded) }
}

/// A simulated TCP connection between a peer and a shard.
final class Link {
    /// A direction.
    enum Way { case up, down }

    /// How one end stands.
    enum End {
        /// Not there yet.
        case pending
        /// Sends and receives.
        case open
        /// Its owner is done with it; what it wrote still goes out.
        case closing
        /// Gone.
        case over
    }

    /// How long an end that was closed waits for what it wrote to be taken.
    static let patience: Int64 = .seconds(5)

    let number: Int
    let world: World
    /// The peer, until it has closed its end.
    weak var peer: (any Peer)?
    private(set) var peerEnd = End.pending
    private(set) var hubEnd = End.pending
    private(set) var shard: SimulatedShard?
    private(set) var handle: UInt64 = 0

    /// Set if the hub closed it in its turn: the offset up to which the peer was told everything.
    var promised: UInt64?

    private(set) var up = Stream()
    private(set) var down = Stream()
    var habits: Habits
    private var random: SeededRandom

    /// How a connection moves bytes.
    struct Habits {
        var latencyMax: Int64 = .milliseconds(3)
        var chunkMax = 65_536
        /// Bytes that fit into the system's buffers before they count as waiting.
        var bufferBytes = 65_536
        /// Time between two hand-overs to a peer that reads slowly.
        var readPause: Int64 = 0
    }

    init(number: Int, world: World, peer: any Peer, habits: Habits) {
        self.number = number
        self.world = world
        self.peer = peer
        self.habits = habits
        random = world.newRandom()
    }

    // MARK: Coming about

    func establish(_ shard: SimulatedShard) {
        guard peerEnd == .pending else { return }
        self.shard = shard
        hubEnd = .open
        handle = shard.accept(self)
        world.after(latency()) { [self] in
            guard peerEnd == .pending else { return }
            peerEnd = .open
            peer?.opened(self)
            move(.down)
        }
    }

    func fail() {
        guard peerEnd == .pending else { return }
        peerEnd = .over
        let peer = peer
        self.peer = nil
        peer?.broken(self)
    }

    // MARK: The peer's verbs

    func write(_ bytes: UnsafeRawBufferPointer) {
        guard peerEnd == .open, !up.isEnding else { return }
        up.bytes.append(bytes)
        move(.up)
    }

    /// The peer sends nothing more but goes on reading.
    func finishSending() {
        guard peerEnd == .open else { return }
        up.isEnding = true
        move(.up)
    }

    /// The peer is done with the connection; what it wrote still goes out.
    func close() {
        peer = nil
        switch peerEnd {
        case .pending:
            peerEnd = .over
            // The attempt may have reached the hub already.
            if hubEnd == .open { world.after(latency()) { [self] in endHub() } }
        case .open:
            peerEnd = .closing
            down.isRead = true
            up.isEnding = true
            move(.up)
            move(.down)
            world.after(Self.patience) { [self] in if peerEnd == .closing { reset() } }
        case .closing, .over: break
        }
    }

    /// The peer stops reading, or goes on.
    func setPeerReading(_ isReading: Bool) {
        down.isRead = isReading
        if isReading { move(.down) }
    }

    // MARK: The hub's verbs

    func write(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
        _ third: UnsafeRawBufferPointer
    ) {
        guard hubEnd == .open else { return }
        down.bytes.append(first)
        down.bytes.append(second)
        down.bytes.append(third)
        world.mix(UInt64(down.bytes.count) ^ UInt64(number) << 32)
        move(.down)
    }

    /// Bytes that the peer's side has not taken.
    var waitingBytes: Int { max(0, down.bytes.count - habits.bufferBytes) }

    func closeByHub(flushing: Bool) {
        guard hubEnd == .open || hubEnd == .closing else { return }
        let wasOpen = hubEnd == .open
        hubEnd = .closing
        if !flushing { return reset() }
        guard wasOpen else { return }
        up.isRead = true
        down.isEnding = true
        move(.down)
        world.after(Self.patience) { [self] in if hubEnd == .closing { reset() } }
    }

    func setHubReading(_ isReading: Bool) {
        up.isRead = isReading
        if isReading { move(.up) }
    }

    /// The hub's process is gone.
    func hubDied() {
        hubEnd = .over
        reset()
    }

    // MARK: Faults

    /// The connection breaks: what is on its way is lost, both ends are told, each in its time.
    func reset() {
        up.bytes.removeAll()
        down.bytes.removeAll()
        let isCut = up.stalledUntil == .max
        up.hasEnded = true
        down.hasEnded = true
        if hubEnd != .over, !isCut || hubEnd == .closing {
            world.after(latency()) { [self] in endHub() }
        }
        if peerEnd == .closing { peerEnd = .over }
        guard peerEnd == .open || peerEnd == .pending, !isCut else { return }
        world.after(latency()) { [self] in
            guard peerEnd == .open || peerEnd == .pending else { return }
            peerEnd = .over
            let peer = peer
            self.peer = nil
            peer?.broken(self)
        }
    }

    /// One or both directions stand still until then; `.max` cuts the connection for good.
    func stall(until time: Int64, _ ways: [Way]) {
        for way in ways {
            if way == .up { up.stalledUntil = time } else { down.stalledUntil = time }
        }
    }

    /// Stalls end, all bytes are moved and read at once. A link that was cut stays so.
    func heal() {
        let wasWaiting = waitingBytes > 0
        habits = Habits()
        // The buffers may be larger now, and what waited is in them.
        if wasWaiting, waitingBytes == 0 { shard?.drained(handle) }
        guard up.stalledUntil != .max else { return }
        up.stalledUntil = .min
        down.stalledUntil = .min
        move(.up)
        move(.down)
    }

    /// Whether nothing can come of it any more.
    var isOver: Bool { peerEnd == .over && (hubEnd == .over || hubEnd == .pending) }

    // MARK: Moving bytes

    private func latency() -> Int64 { random.skewed(.microseconds(20)...habits.latencyMax) }

    private func move(_ way: Way) {
        let stream = way == .up ? up : down
        guard stream.hasNews, !stream.isMoving, stream.isRead, !stream.hasEnded,
            stream.stalledUntil != .max
        else { return }
        if way == .up { up.isMoving = true } else { down.isMoving = true }
        let pause = way == .down ? habits.readPause : 0
        world.at(max(stream.stalledUntil, world.now + latency() + pause)) { [self] in
            if way == .up { up.isMoving = false } else { down.isMoving = false }
            handOver(way)
            move(way)
        }
    }

    private func handOver(_ way: Way) {
        let stream = way == .up ? up : down
        // A stall may have begun, or reading stopped, since this was put on the agenda.
        guard stream.isRead, stream.stalledUntil <= world.now, stream.hasNews else { return }
        if stream.bytes.isEmpty {
            if way == .up { up.hasEnded = true } else { down.hasEnded = true }
            return way == .up ? endCameUp() : endCameDown()
        }
        let count = min(
            stream.bytes.count, Int.random(in: 1...habits.chunkMax, using: &random))
        var chunk = stream.bytes.withBytes { Array($0.prefix(count)) }
        let wasWaiting = waitingBytes > 0
        if way == .up { up.bytes.discard(first: count) } else { down.bytes.discard(first: count) }
        world.mix(UInt64(count) << 1 ^ UInt64(number) << 33 ^ (way == .up ? 1 : 0))
        chunk.withUnsafeMutableBytes {
            if way == .down {
                if peerEnd == .open { peer?.received(self, $0) }
            } else if hubEnd == .open {
                shard?.received(handle, $0)
            }
        }
        if wasWaiting, waitingBytes == 0 { shard?.drained(handle) }
    }

    private func endCameUp() {
        switch hubEnd {
        case .open: if shard?.peerFinished(handle) == false { closeByHub(flushing: true) }
        case .closing: if down.hasEnded { endHub() }
        case .pending, .over: break
        }
    }

    private func endCameDown() {
        if peerEnd == .open { peer?.finished(self) }
        if peerEnd == .closing { peerEnd = .over }
        if hubEnd == .closing, up.hasEnded || peerEnd == .over { endHub() }
    }

    private func endHub() {
        guard hubEnd == .open || hubEnd == .closing else { return }
        hubEnd = .over
        shard?.ended(handle)
    }
}
