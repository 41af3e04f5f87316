import Access
import Bytes
import HTTP1
import Subprotocol
import WebSocket

/// One open connection of a shard.
final class Connection {
    /// The loop's name for it: generation and index.
    let handle: UInt64
    /// What is spoken on it now.
    var role: Role
    /// When bytes last came, in nanoseconds.
    var lastHeard: Int64
    /// Whether its first request has come.
    var isGreeted = false
    /// Queries and mutations that are being executed for its socket.
    var runningCount = 0
    /// Operations that were ended before the store had answered what they had asked.
    var unansweredCount = 0
    /// When it is ended if nothing changes before; `Int64.max` for never.
    var deadline: Int64

    /// What is spoken on a connection.
    enum Role {
        /// HTTP, until an upgrade.
        case http(HTTPExchange)
        /// A WebSocket with a GraphQL subprotocol.
        case socket(Socket)
        /// Nothing more: its last bytes are on their way.
        case closing
    }

    init(handle: UInt64, role: Role, lastHeard: Int64, deadline: Int64) {
        self.handle = handle
        self.role = role
        self.lastHeard = lastHeard
        self.deadline = deadline
    }
}

/// The HTTP side of a connection: one request at a time, answers in order.
final class HTTPExchange {
    var reader: HTTPReader
    /// The request that is being read or answered.
    var head: HTTPHead?
    var body = ByteQueue()
    /// Whether an operation of this connection is being executed. Later requests wait unread.
    var isBusy = false
    /// Whether the peer sends nothing more: what it has sent is answered, and then it is closed.
    var isLast = false
    /// Whether reading from the connection is paused because too much waits unread.
    var isPaused = false
    /// Whether `Shard.readRequests` is at work on this connection.
    var isReading = false

    init(reader: HTTPReader) { self.reader = reader }
}

/// The side of a connection on which operations are open: a WebSocket, or an event stream.
final class Socket {
    var session: WebSocketSession
    /// The window to compress within, 9 to 15 bits; nil to send everything as it is.
    let windowBits: Int?
    /// May become AppSync's once its first `start` has come (`Dialect.following`).
    var dialect: Dialect
    var stage: Stage
    /// What is done about its subscriptions that do not choose for themselves.
    var slowConsumerPolicy: SlowConsumerPolicy
    /// What the upgrade request showed of the client; `connection_init` may add to it.
    var credentials: Credentials
    /// What the connection's credentials allow; nil until they are known and accepted.
    var permit: Permit?
    /// Whether its turn to be closed by a stopping hub has come: nothing new is begun on it.
    var isLeaving = false
    /// Open operations by the client's id.
    var operations: [Text: OpenOperation] = [:]
    /// Events that wait here because the peer reads too slowly.
    var parking: Parking?
    /// The response that takes the place of WebSocket frames; nil on a WebSocket.
    var stream: EventStream?
    /// When the last keep-alive message was sent, in nanoseconds.
    var lastPrompt: Int64
    /// When the last WebSocket ping was sent, in nanoseconds.
    var lastPing: Int64

    /// How far the subprotocol's opening has come.
    enum Stage {
        /// `connection_init` has not come.
        case opened
        /// Acknowledged.
        case ready
    }

    /// One operation under a client's id.
    enum OpenOperation {
        /// A query or mutation that is being executed.
        case running(Running)
        /// A subscription that waits for the store to watch its relations.
        case starting(GroupContext, SlowConsumerPolicy)
        /// A subscription that gets events: its place in the shard's slab.
        case live(UInt32)
    }

    init(
        session: WebSocketSession, windowBits: Int?, dialect: Dialect, credentials: Credentials,
        _ slowConsumerPolicy: SlowConsumerPolicy, now: Int64
    ) {
        self.session = session
        self.windowBits = windowBits
        self.dialect = dialect
        self.credentials = credentials
        self.slowConsumerPolicy = slowConsumerPolicy
        stage = .opened
        lastPrompt = now
        lastPing = now
    }
}
