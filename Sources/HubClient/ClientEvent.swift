import Bytes
public import JSON

/// What a client session says: commands to its driver, news for its owner.
public enum ClientEvent {
    /// To the driver: open a connection to the endpoint, then tell `opened` or `closed`.
    case connect
    /// To the driver: send the session's output, then close the connection. Nothing more of it
    /// is to be told.
    case disconnect
    /// The server acknowledged the connection; its payload, if there was one.
    case ready(JSONObject?)
    /// A result: the bytes of a response object, lent until the session is called again.
    case next(OperationHandle, payload: UnsafeRawBufferPointer)
    /// The operation failed and is over.
    case failed(OperationHandle, OperationFailure)
    /// The operation is over.
    case completed(OperationHandle)
    /// The connection, or an attempt at one, ended. The next attempt begins at `retryAt`, or
    /// with the next operation if it is nil.
    case disconnected(ClientError, retryAt: Int64?)
    /// The session has ended, and with it all its operations. `connect` starts anew.
    case gaveUp(ClientError)
}

/// Names an operation of one session. Never used twice.
public struct OperationHandle: Sendable, Hashable, Comparable {
    /// Counts the session's operations from 1; as decimal digits the operation's id on the wire.
    public let number: UInt64

    init(number: UInt64) { self.number = number }

    /// The handle that the bytes of an id name, or nil.
    init?(wire: UnsafeRawBufferPointer) {
        guard !wire.isEmpty, wire.count < 19 else { return nil }
        var number: UInt64 = 0
        for byte in wire {
            guard byte &- UInt8(ascii: "0") < 10 else { return nil }
            number = number * 10 + UInt64(byte &- UInt8(ascii: "0"))
        }
        self.number = number
    }

    /// The id on the wire.
    var id: Text { Text(String(number)) }

    /// Order of the operations' starts.
    public static func < (one: OperationHandle, other: OperationHandle) -> Bool {
        one.number < other.number
    }
}

/// Events that wait to be pulled.
struct EventLine {
    private var events: [ClientEvent] = []
    private var head = 0

    mutating func append(_ event: ClientEvent) { events.append(event) }

    mutating func popFirst() -> ClientEvent? {
        guard head < events.count else { return nil }
        defer {
            head += 1
            if head == events.count {
                events.removeAll(keepingCapacity: events.count <= 64)
                head = 0
            }
        }
        return events[head]
    }
}
