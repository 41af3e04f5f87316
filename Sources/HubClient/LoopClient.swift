public import Subprotocol

/// One session with its connection, on a loop: the form for callers to which each message's cost
/// matters, such as a load tool.
///
/// Confined to its driver's queue: made by `ClientDriver.add`, used in the driver's callbacks and
/// in work that was posted to its loop. `HubConnection` is the form for everybody else.
public final class LoopClient {
    /// Called with the session's news, on the loop's queue; never with `connect` or
    /// `disconnect`, which the driver sees to. It may call all verbs of the client.
    public typealias EventHandler = (LoopClient, ClientEvent) -> Void

    /// The driver that runs the client; nil once the client was removed.
    public internal(set) weak var driver: ClientDriver?
    /// The conversation itself, for what can be asked of it.
    public internal(set) var session: ClientSession
    /// Names the client among its driver's.
    public let number: Int

    var handler: EventHandler?
    var connection: UInt64?
    var isPulling = false
    /// The earliest time for which the driver has it on its list; `Int64.max` for none.
    var armedAt = Int64.max
    /// Closed by its own handler: it is removed once what it has to say was pulled.
    var isLeaving = false
    /// Whatever the handler's maker keeps with the client.
    var owner: AnyObject?

    init(
        _ session: ClientSession, number: Int, driver: ClientDriver, handler: @escaping EventHandler
    ) {
        self.session = session
        self.number = number
        self.driver = driver
        self.handler = handler
    }

    /// Opens the connection if there is none.
    public func connect() {
        guard let driver else { return }
        session.connect(now: driver.now)
        driver.pull(self)
    }

    /// Starts an operation; see `ClientSession.start`.
    ///
    /// - Throws: what the session throws; `closedHere` for a client that was removed.
    public func start(
        _ request: OperationRequest, kind: OperationKind
    ) throws(ClientError) -> OperationHandle {
        guard let driver else { throw .closedHere }
        let handle = try session.start(request, kind: kind, now: driver.now)
        driver.pull(self)
        return handle
    }

    /// Stops listening to an operation.
    public func stop(_ handle: OperationHandle) {
        guard let driver else { return }
        session.stop(handle, now: driver.now)
        driver.pull(self)
    }

    /// Stops reading what the hub sends, or goes on: for tools that play slow clients. Holds for
    /// the present connection.
    public func setReading(_ isReading: Bool) { driver?.setReading(self, isReading) }

    /// Ends the connection in good order and with it the client.
    public func close() {
        guard let driver else { return }
        session.disconnect(now: driver.now)
        isLeaving = true
        driver.pull(self)
    }
}
