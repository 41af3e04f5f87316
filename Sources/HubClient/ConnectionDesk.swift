import Bytes
import JSON
import Subprotocol
import Synchronization

/// Names an operation of a `HubConnection` before its handle is known, and carries a
/// cancellation that overtakes the start on its way to the loop.
final class Ticket: Sendable {
    private let flag = Atomic<Bool>(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func cancel() { flag.store(true, ordering: .releasing) }
}

/// The loop's side of a `HubConnection`: who waits for which operation. Confined to the loop.
final class ConnectionDesk {
    /// Who waits for an operation's results.
    private enum Waiter {
        case once(CheckedContinuation<JSONValue, any Error>)
        case stream(AsyncThrowingStream<JSONValue, any Error>.Continuation)
        case calls(
            each: @Sendable (UnsafeRawBufferPointer) -> Void, ended: @Sendable (HubError?) -> Void)
    }

    private struct Entry {
        var ticket: Ticket
        var waiter: Waiter
    }

    private var entries: [OperationHandle: Entry] = [:]
    private var handles: [ObjectIdentifier: OperationHandle] = [:]
    private var opening: CheckedContinuation<Int, any Error>?
    private let waitsForServer: Bool
    private let news: (@Sendable (HubConnection.News) -> Void)?
    private unowned let client: LoopClient

    private init(
        _ client: LoopClient, waitsForServer: Bool,
        _ news: (@Sendable (HubConnection.News) -> Void)?,
        _ opening: CheckedContinuation<Int, any Error>
    ) {
        self.client = client
        self.waitsForServer = waitsForServer
        self.news = news
        self.opening = opening
    }

    /// Makes a client on the driver and connects it. The continuation gets the client's number.
    static func open(
        _ configuration: ClientConfiguration, on driver: ClientDriver, waitsForServer: Bool,
        _ news: (@Sendable (HubConnection.News) -> Void)?,
        _ opening: CheckedContinuation<Int, any Error>
    ) {
        let client = driver.add(configuration) { client, event in
            (client.owner as? ConnectionDesk)?.take(event)
        }
        client.owner = ConnectionDesk(client, waitsForServer: waitsForServer, news, opening)
        client.connect()
    }

    static func find(_ number: Int, on driver: ClientDriver) -> ConnectionDesk? {
        driver.client(number)?.owner as? ConnectionDesk
    }

    // MARK: Starting and cancelling

    func execute(
        _ request: OperationRequest, _ kind: OperationKind, _ ticket: Ticket,
        _ continuation: CheckedContinuation<JSONValue, any Error>
    ) {
        guard !ticket.isCancelled else {
            return continuation.resume(throwing: CancellationError())
        }
        start(request, kind, ticket, .once(continuation))
    }

    func subscribe(
        _ request: OperationRequest, _ ticket: Ticket,
        _ stream: AsyncThrowingStream<JSONValue, any Error>.Continuation
    ) {
        // A stream that nobody reads any more is finished; nothing is to be told.
        guard !ticket.isCancelled else { return }
        start(request, .subscription, ticket, .stream(stream))
    }

    func subscribe(
        _ request: OperationRequest, _ ticket: Ticket,
        _ each: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
        _ ended: @escaping @Sendable (HubError?) -> Void
    ) {
        guard !ticket.isCancelled else { return ended(HubError(ClientError.closedHere)) }
        start(request, .subscription, ticket, .calls(each: each, ended: ended))
    }

    private func start(
        _ request: OperationRequest, _ kind: OperationKind, _ ticket: Ticket, _ waiter: Waiter
    ) {
        do throws(ClientError) {
            let handle = try client.start(request, kind: kind)
            entries[handle] = Entry(ticket: ticket, waiter: waiter)
            handles[ObjectIdentifier(ticket)] = handle
        } catch {
            finish(waiter, HubError(error))
        }
    }

    /// Ends the operation because its owner no longer wants it.
    func cancel(_ ticket: Ticket) {
        guard let handle = handles[ObjectIdentifier(ticket)] else { return }
        let waiter = remove(handle)
        client.stop(handle)
        switch waiter {
        case .once(let continuation)?: continuation.resume(throwing: CancellationError())
        case .stream(let stream)?: stream.finish()
        case .calls(_, let ended)?: ended(HubError(ClientError.closedHere))
        case nil: break
        }
    }

    // MARK: The session's news

    private func take(_ event: ClientEvent) {
        switch event {
        case .next(let handle, let payload): deliver(payload, to: handle)
        case .completed(let handle): remove(handle).map { finish($0, nil) }
        case .failed(let handle, let failure):
            remove(handle).map { finish($0, HubError(failure)) }
        case .ready:
            opening?.resume(returning: client.number)
            opening = nil
            news?(.ready)
        case .disconnected(let error, let retryAt):
            if opening != nil, !waitsForServer { return refuse(error) }
            let wait = retryAt.map { max(0, $0 - (client.driver?.now ?? $0)) / 1_000_000 } ?? 0
            news?(.lost(reason: error.description, retryMilliseconds: wait))
        case .gaveUp(let error):
            if opening != nil { return refuse(error) }
            news?(.ended(reason: error.description))
        case .connect, .disconnect: break
        }
    }

    /// The first connection did not come about.
    private func refuse(_ error: ClientError) {
        opening?.resume(throwing: HubError(error))
        opening = nil
        client.close()
    }

    private func deliver(_ payload: UnsafeRawBufferPointer, to handle: OperationHandle) {
        guard let entry = entries[handle] else { return }
        if case .calls(let each, _) = entry.waiter { return each(payload) }
        // Cannot fail: the session has checked the whole message.
        guard let value = try? JSONValue(parsing: payload.bytes) else {
            return fail(handle, HubError(.badResult, "the result is not JSON"))
        }
        switch entry.waiter {
        case .once(let continuation):
            // There is at most one; the operation's end is of no further interest.
            _ = remove(handle)
            continuation.resume(returning: value)
        case .stream(let stream):
            if case .dropped = stream.yield(value) {
                let limit = HubConnection.streamResultsMax
                fail(
                    handle,
                    HubError(
                        .tooSlow, "\(limit) results waited in the subscription's stream",
                        recovery: "read the stream faster, or take the callback form"))
            }
        case .calls: break
        }
    }

    private func fail(_ handle: OperationHandle, _ error: HubError) {
        guard let waiter = remove(handle) else { return }
        client.stop(handle)
        finish(waiter, error)
    }

    private func finish(_ waiter: Waiter, _ error: HubError?) {
        switch waiter {
        case .once(let continuation):
            continuation.resume(
                throwing: error ?? HubError(.badResult, "the operation ended without a result"))
        case .stream(let stream): stream.finish(throwing: error)
        case .calls(_, let ended): ended(error)
        }
    }

    private func remove(_ handle: OperationHandle) -> Waiter? {
        guard let entry = entries.removeValue(forKey: handle) else { return nil }
        handles[ObjectIdentifier(entry.ticket)] = nil
        return entry.waiter
    }
}
