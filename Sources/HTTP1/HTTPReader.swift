public import Bytes

/// Reads the requests (server) or responses (client) of one HTTP/1.x connection.
///
/// The floor's first session: the hub gives it what the socket gave and pulls events until there
/// are none; a request behind the one being answered waits inside until it is pulled.
///
///     reader.append(received)
///     while let event = try reader.next() {
///         switch event { case .head(let head): …; case .body(let part): …; … }
///     }
///
/// `next()` throws `HTTPError` for the peer's fault, and the same again ever after. The reader
/// holds at most one head and one read of input if its events are pulled after each `append`.
public struct HTTPReader {
    /// Interim responses (1xx) that a client passes over before the final one.
    public static let interimResponsesMax = 16

    private enum State {
        /// Before or inside a head.
        case head
        /// The head has been given out, the body has not begun.
        case bodyDue(BodyFraming, expectsContinue: Bool)
        case length(left: Int)
        case chunks
        case untilClose(taken: Int)
        case endDue
        /// What comes now belongs to another protocol.
        case switched
        /// The last message said that none follows.
        case closed
        case refused(HTTPError)
    }

    private enum Step {
        case event(HTTPEvent)
        case again
        case waits
    }

    /// Which end of the connection this is.
    public let role: HTTPRole
    /// The limits; the body's may be changed between a head and its body.
    public var limits: HTTPLimits
    /// For the client: whether the next response answers a HEAD request and so has no body.
    public var isAnswerToHEAD = false

    private var input = ByteQueue()
    /// Bytes at the front of the input that were lent with the last event.
    private var lentCount = 0
    private var state = State.head
    private var parser = HeadParser()
    private var chunks = ChunkedBody()
    private var keepsConnection = true
    private var interimCount = 0
    private var inputHasEnded = false

    /// A reader at the start of a connection.
    public init(role: HTTPRole, limits: HTTPLimits) {
        self.role = role
        self.limits = limits
    }

    /// Bytes that were appended and not yet read: piped requests, or the rest of one.
    public var waitingBytes: Int { input.count - lentCount }

    /// Whether the reader stands between two messages.
    public var isBetweenMessages: Bool {
        if case .head = state { waitingBytes == 0 } else { false }
    }

    /// Takes a copy of the bytes that came. Ends the lending of the last event's bytes.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        returnLent()
        switch state {
        case .closed, .refused: break
        default: input.append(bytes)
        }
    }

    /// Told that the peer sends nothing more. Ends a response without length; inside any other
    /// message `next()` throws `cutShort`.
    public mutating func inputEnded() { inputHasEnded = true }

    /// The next event, or nil until more bytes come.
    public mutating func next() throws(HTTPError) -> HTTPEvent? {
        returnLent()
        do throws(HTTPError) {
            while true {
                switch try step() {
                case .event(let event): return event
                case .again: continue
                case .waits: return nil
                }
            }
        } catch {
            state = .refused(error)
            input.removeAll()
            throw error
        }
    }

    /// Ends the reading of HTTP and hands over what came behind the last head: the first bytes
    /// of the protocol that the connection was upgraded to.
    public mutating func takeRest() -> ByteQueue {
        returnLent()
        let rest = input
        input = ByteQueue()
        state = .switched
        return rest
    }

    // MARK: Steps

    private mutating func step() throws(HTTPError) -> Step {
        switch state {
        case .head:
            return try readHead()
        case .bodyDue(let framing, let expectsContinue):
            return try beginBody(framing, expectsContinue)
        case .length(let left):
            if input.isEmpty { return try waitOrEnd() }
            let count = min(left, input.count)
            state = count == left ? .endDue : .length(left: left - count)
            return .event(.body(lend(count)))
        case .chunks:
            return try readChunks()
        case .untilClose(let taken):
            return try readUntilClose(taken)
        case .endDue:
            beginNext()
            return .event(.end)
        case .switched, .closed:
            return .waits
        case .refused(let error):
            throw error
        }
    }

    private mutating func readHead() throws(HTTPError) -> Step {
        // Taken out and put back, so that the parser's array is not copied for each read.
        var parser = parser
        self.parser = HeadParser()
        let (role, limits) = (role, limits)
        let found = try input.bytes.withUnsafeBytes { bytes throws(HTTPError) in
            try parser.advance(bytes, role: role, limits: limits)
        }
        guard let (head, byteCount) = found else {
            self.parser = parser
            return input.isEmpty ? .waits : try waitOrEnd()
        }
        input.discard(first: byteCount)
        return role == .server ? try requestBegins(head) : try responseBegins(head)
    }

    private mutating func requestBegins(_ head: HTTPHead) throws(HTTPError) -> Step {
        try RequestRules.checkHost(head)
        let framing = try BodyFraming(ofRequest: head)
        let expectsContinue = try RequestRules.expectsContinue(head)
        keepsConnection = head.keepsConnection
        state = .bodyDue(framing, expectsContinue: expectsContinue)
        return .event(.head(head))
    }

    private mutating func responseBegins(_ head: HTTPHead) throws(HTTPError) -> Step {
        let framing = try BodyFraming(ofResponse: head, toHEAD: isAnswerToHEAD)
        if head.status < 200 && head.status != 101 {
            interimCount += 1
            guard interimCount <= Self.interimResponsesMax else {
                throw .tooManyInterimResponses(limit: Self.interimResponsesMax)
            }
            return .again
        }
        interimCount = 0
        isAnswerToHEAD = false
        keepsConnection = head.keepsConnection
        state =
            head.status == 101 ? .switched : .bodyDue(framing, expectsContinue: false)
        return .event(.head(head))
    }

    private mutating func beginBody(
        _ framing: BodyFraming, _ expectsContinue: Bool
    ) throws(HTTPError) -> Step {
        switch framing {
        case .empty:
            state = .endDue
            return .again
        case .length(let length):
            guard length <= limits.bodyBytesMax else {
                throw .bodyTooLarge(size: length, limit: limits.bodyBytesMax)
            }
            state = .length(left: length)
        case .chunked:
            chunks = ChunkedBody()
            state = .chunks
        case .untilClose:
            state = .untilClose(taken: 0)
        }
        return expectsContinue ? .event(.continueExpected) : .again
    }

    private mutating func readChunks() throws(HTTPError) -> Step {
        let limits = limits
        var chunks = chunks
        let step = try input.bytes.withUnsafeBytes { bytes throws(HTTPError) in
            try chunks.advance(bytes, limits: limits)
        }
        self.chunks = chunks
        switch step {
        case .passed(let count):
            input.discard(first: count)
            return .again
        case .data(let count):
            return .event(.body(lend(count)))
        case .ended(let count):
            input.discard(first: count)
            state = .endDue
            return .again
        case .waits:
            return try waitOrEnd()
        }
    }

    private mutating func readUntilClose(_ taken: Int) throws(HTTPError) -> Step {
        if input.isEmpty {
            guard inputHasEnded else { return .waits }
            keepsConnection = false
            state = .endDue
            return .again
        }
        let count = input.count
        guard count <= limits.bodyBytesMax - taken else {
            throw .bodyTooLarge(size: nil, limit: limits.bodyBytesMax)
        }
        state = .untilClose(taken: taken + count)
        return .event(.body(lend(count)))
    }

    // MARK: Private help

    /// A server must not read on behind a message that said `close` (RFC 9112 §9.6), or a
    /// piped request slips past whoever looked at the first.
    private mutating func beginNext() {
        state = keepsConnection ? .head : .closed
        if !keepsConnection { input.removeAll() }
    }

    private func waitOrEnd() throws(HTTPError) -> Step {
        if inputHasEnded { throw .cutShort }
        return .waits
    }

    /// Lends the first bytes of the input.
    ///
    /// The pointer leaves the closure: an array's storage stays where it is until the array is
    /// changed, and only `append`, `next` and `takeRest` change it, which end the lending.
    private mutating func lend(_ count: Int) -> UnsafeRawBufferPointer {
        lentCount = count
        return input.withBytes { UnsafeRawBufferPointer(rebasing: $0[..<count]) }
    }

    private mutating func returnLent() {
        guard lentCount > 0 else { return }
        input.discard(first: lentCount)
        lentCount = 0
    }
}
