public import Bytes

/// Reads and writes the frames of one WebSocket connection behind its handshake (RFC 6455).
///
/// The hub and the client lend it what the socket gave, pull events, and settle:
///
///     session.lend(received)
///     while let event = try session.next(&replies) {
///         if case .text(let message) = event { … }
///     }
///     session.settle()
///
/// A frame that lies whole in the lent bytes is unmasked in place and lent on: no copy, no
/// allocation. Fragments and cut frames are copied to the session's own queue, which is given
/// back with its message; an idle session holds no heap memory. Text is refused at the first
/// byte that cannot be UTF-8, an over-long message at the header that announces it.
///
/// With an `Inflater` the session reads permessage-deflate (RFC 7692): a compressed message is
/// kept as it came until it is whole and then inflated in one go, within the limit, into the
/// inflater's own memory. What is kept for a peer is never more than the peer has sent. Text that
/// comes in parts is inflated twice: the first time only to look for bad bytes and the limit.
///
/// `next` throws `WebSocketError` once; the owner then sends `appendClose` and hangs up. The
/// owner bounds `replies`: a peer that pings and does not read makes them grow.
public struct WebSocketSession {
    enum State: UInt8 {
        case open
        /// Our close frame is out, the peer's is awaited.
        case closeSent
        /// The peer broke the rules; our close frame is due.
        case refused
        /// Nothing is read or written any more.
        case over
    }

    // The bytes being read: lent ones, or `unread`'s if some were kept.
    private var base: UnsafeMutableRawPointer?
    private var count = 0
    private var position = 0
    /// Input that the owner did not pull before it settled.
    private var unread = ByteQueue()

    /// Payload of the message being assembled, and of a cut control frame behind it.
    private var kept = ByteQueue()
    /// Bytes of `kept` that belong to the message.
    private var messageCount = 0
    private var fragmentCount = 0
    /// There if permessage-deflate was agreed on.
    let inflater: Inflater?
    /// Looks into the compressed text that is being assembled.
    private var watch: TextWatch?

    // The frame whose payload has not come whole.
    private var frameLeft = 0
    private var frameKey: UInt32 = 0
    private var frameOpcode = WebSocketOpcode.continuation
    private var frameIsFinal = false
    private var frameIsOpen = false

    private var messageOpcode: WebSocketOpcode?
    private var messageIsCompressed = false
    private var utf8 = UTF8Check()
    private var keptIsLent = false
    private var readsUnread = false
    private var partial = PartialHeader()

    var state = State.open
    /// Which end of the connection this is.
    public let role: WebSocketRole
    /// The limits.
    public let limits: WebSocketLimits
    var random: SeededRandom

    /// A session behind a finished handshake.
    ///
    /// - Parameters:
    ///   - maskSeed: where a client's mask keys come from; give it 64 bits of the system's random
    ///     source (RFC 6455 §10.3). A server has no use for it.
    ///   - inflater: given if and only if permessage-deflate was agreed on; all sessions of an
    ///     owner share one. Then a message is lent until any of them is next called.
    public init(
        role: WebSocketRole, limits: WebSocketLimits, maskSeed: UInt64 = 0,
        inflater: Inflater? = nil
    ) {
        self.inflater = inflater
        self.role = role
        self.limits = limits
        random = SeededRandom(seed: maskSeed)
    }

    /// Whether frames may still be written: no close frame has gone out or come in.
    public var isOpen: Bool { state == .open }

    /// Whether both sides are done: hang up once what is written has gone out.
    public var isOver: Bool { state == .over }

    /// Bytes kept between two reads: unread input, fragments, the begun part of a frame.
    public var keptBytes: Int { unread.count + kept.count + Int(partial.count) }

    private var isReading: Bool { state == .open || state == .closeSent }

    // MARK: Reading

    /// Takes the bytes that came on loan until `settle()`; they are changed in place.
    ///
    /// Lend no bytes at all to go on with input that was kept when the owner paused.
    public mutating func lend(_ bytes: UnsafeMutableRawBufferPointer) {
        precondition(base == nil, "lend is called again before settle")
        guard isReading else { return }
        if unread.isEmpty {
            base = bytes.baseAddress
            count = bytes.count
            return
        }
        unread.append(UnsafeRawBufferPointer(bytes))
        readsUnread = true
        // The pointer leaves the closure: an array's storage stays where it is until the array
        // is changed, and `unread` is not before `settle`.
        base = unread.withMutableBytes { $0.baseAddress }
        count = unread.count
    }

    /// The next event, or nil when the lent bytes are used up or nothing is to be read any more.
    ///
    /// - Parameter replies: gets the pongs and the answer to a close frame.
    public mutating func next(
        _ replies: inout ByteQueue
    ) throws(WebSocketError) -> WebSocketEvent? {
        if keptIsLent { returnKept() }
        do throws(WebSocketError) {
            while isReading {
                if frameIsOpen {
                    guard try takePayload() else { return nil }
                    if let event = try finishFrame(&replies) { return event }
                    continue
                }
                guard let header = try nextHeader() else { return nil }
                if !header.opcode.isControl { try admit(header) }
                let isWhole = header.payloadCount <= count - position
                let standsAlone = header.opcode.isControl || header.isFinal && fragmentCount == 0
                guard isWhole && standsAlone else {
                    open(header)
                    continue
                }
                if let event = try event(of: header, &replies) { return event }
            }
            return nil
        } catch {
            state = state == .closeSent ? .over : .refused
            forget()
            throw error
        }
    }

    /// Ends the loan. Input that was not pulled is kept for the next one. Not needed behind an
    /// error or a close frame.
    public mutating func settle() {
        if keptIsLent { returnKept() }
        if !isReading {
            unread = ByteQueue()
        } else if readsUnread {
            unread.discard(first: position)
            if unread.isEmpty { unread = ByteQueue() }
        } else if let base, position < count {
            unread.append(UnsafeRawBufferPointer(start: base + position, count: count - position))
        }
        readsUnread = false
        dropInput()
    }

    // MARK: Headers

    private mutating func nextHeader() throws(WebSocketError) -> FrameHeader? {
        guard let base else { return nil }
        if partial.count == 0 {
            let header = try FrameHeader.read(
                base + position, available: count - position, role: role,
                mayBeCompressed: inflater != nil)
            if let header {
                position += header.byteCount
                return header
            }
        }
        while position < count {
            partial.append(base.load(fromByteOffset: position, as: UInt8.self))
            position += 1
            if let header = try partial.header(role, mayBeCompressed: inflater != nil) {
                partial.removeAll()
                return header
            }
        }
        return nil
    }

    /// The rules of fragmentation (§5.4) and the limits, for a data frame.
    private mutating func admit(_ header: FrameHeader) throws(WebSocketError) {
        if header.opcode == .continuation {
            guard messageOpcode != nil else { throw .unexpectedContinuation }
        } else {
            guard messageOpcode == nil else { throw .interleavedMessage }
        }
        let bytesMax =
            header.isCompressed || messageIsCompressed
            ? limits.compressedBytesMax(fragmentCount: fragmentCount) : limits.messageBytesMax
        guard header.payloadCount <= bytesMax - messageCount else {
            let (size, isOver) = messageCount.addingReportingOverflow(header.payloadCount)
            throw .messageTooLong(size: isOver ? .max : size, limit: limits.messageBytesMax)
        }
        guard fragmentCount < limits.fragmentCountMax else {
            throw .tooManyFragments(limit: limits.fragmentCountMax)
        }
    }

    // MARK: Whole frames

    /// The event of a frame that lies whole in the bytes being read.
    @inline(__always)
    private mutating func event(
        of header: FrameHeader, _ replies: inout ByteQueue
    ) throws(WebSocketError) -> WebSocketEvent? {
        guard let base else { preconditionFailure("a frame's header was read from nothing") }
        let start = base + position
        position += header.payloadCount
        Masking.apply(header.maskKey, to: start, count: header.payloadCount)
        let payload = UnsafeRawBufferPointer(start: start, count: header.payloadCount)
        if header.isCompressed {
            return try event(header.opcode, inflated(payload, header.opcode), &replies)
        }
        if header.opcode == .text && !UTF8Check.isValid(payload) { throw .invalidUTF8 }
        return try event(header.opcode, payload, &replies)
    }

    private mutating func event(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, _ replies: inout ByteQueue
    ) throws(WebSocketError) -> WebSocketEvent? {
        if opcode == .close { return try close(payload, &replies) }
        // Behind our own close frame only the peer's is of interest (§5.5.1).
        guard state == .open else { return nil }
        switch opcode {
        case .text: return .text(payload)
        case .binary: return .binary(payload)
        case .pong: return .pong(payload)
        case .ping:
            appendFrame(.pong, payload, to: &replies)
            return .ping(payload)
        case .continuation, .close: preconditionFailure("a message is text or binary")
        }
    }

    private mutating func close(
        _ payload: UnsafeRawBufferPointer, _ replies: inout ByteQueue
    ) throws(WebSocketError) -> WebSocketEvent? {
        let (code, reason) = try CloseRules.read(payload)
        // "it typically echos the status code it received" (§5.5.1)
        appendClose(code, to: &replies)
        state = .over
        dropInput()
        return .close(code: code, reason: reason)
    }

    /// The message behind a whole compressed payload.
    private func inflated(
        _ payload: UnsafeRawBufferPointer, _ opcode: WebSocketOpcode
    ) throws(WebSocketError) -> UnsafeRawBufferPointer {
        guard let inflater else { preconditionFailure("compression was not agreed on") }
        return try inflater.inflate(
            payload, isText: opcode == .text, limit: limits.messageBytesMax)
    }

    // MARK: Cut and fragmented frames

    private mutating func open(_ header: FrameHeader) {
        frameIsOpen = true
        frameOpcode = header.opcode
        frameIsFinal = header.isFinal
        frameLeft = header.payloadCount
        frameKey = header.maskKey
        // One allocation for a small frame; a large one must first bring the bytes it announces.
        kept.reserve(min(frameLeft, 4_096))
        guard !header.opcode.isControl else { return }
        fragmentCount += 1
        if header.opcode != .continuation {
            messageOpcode = header.opcode
            messageIsCompressed = header.isCompressed
            utf8 = UTF8Check()
            if header.isCompressed && header.opcode == .text {
                watch = inflater?.watch(limit: limits.messageBytesMax)
            }
        }
    }

    /// Moves what has come of the open frame to `kept`. True once the frame is whole.
    private mutating func takePayload() throws(WebSocketError) -> Bool {
        let taken = min(frameLeft, count - position)
        if taken > 0, let base {
            let start = base + position
            Masking.apply(frameKey, to: start, count: taken)
            let part = UnsafeRawBufferPointer(start: start, count: taken)
            position += taken
            frameLeft -= taken
            frameKey = Masking.key(frameKey, after: taken)
            if !frameOpcode.isControl {
                if messageIsCompressed {
                    try watch?.append(part)
                } else if messageOpcode == .text && !utf8.append(part) {
                    throw .invalidUTF8
                }
                messageCount += taken
            }
            kept.append(part)
        }
        return frameLeft == 0
    }

    /// The event of the open frame, now whole, or nil if its message goes on.
    private mutating func finishFrame(
        _ replies: inout ByteQueue
    ) throws(WebSocketError) -> WebSocketEvent? {
        frameIsOpen = false
        if frameOpcode.isControl {
            keptIsLent = true
            let start = messageCount
            let payload = kept.withBytes { UnsafeRawBufferPointer(rebasing: $0[start...]) }
            return try eventOrReturn(frameOpcode, payload, &replies)
        }
        guard frameIsFinal, let opcode = messageOpcode else { return nil }
        let isCompressed = messageIsCompressed
        if opcode == .text && !isCompressed && !utf8.isComplete { throw .invalidUTF8 }
        messageOpcode = nil
        messageIsCompressed = false
        watch = nil
        messageCount = 0
        fragmentCount = 0
        keptIsLent = true
        let payload = kept.withBytes { $0 }
        guard isCompressed else { return try eventOrReturn(opcode, payload, &replies) }
        return try eventOrReturn(opcode, inflated(payload, opcode), &replies)
    }

    private mutating func eventOrReturn(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, _ replies: inout ByteQueue
    ) throws(WebSocketError) -> WebSocketEvent? {
        if let event = try event(opcode, payload, &replies) { return event }
        returnKept()
        return nil
    }

    /// Drops what the last event lent from `kept`, and its memory when nothing is left.
    private mutating func returnKept() {
        keptIsLent = false
        if messageCount == 0 { kept = ByteQueue() } else { kept.truncate(to: messageCount) }
    }

    /// Gives all memory back; nothing of it is wanted any more.
    private mutating func forget() {
        kept = ByteQueue()
        watch = nil
        keptIsLent = false
        messageCount = 0
        partial.removeAll()
        dropInput()
    }

    /// Looks no more at the bytes being read. Those behind an error or a close frame need no
    /// `settle`.
    private mutating func dropInput() {
        base = nil
        count = 0
        position = 0
    }
}
