public import Bytes
public import JSON
public import Loop
import Subprotocol

/// A connection to a hub for async code: operations by `await`, subscriptions as streams.
///
///     let hub = try await HubConnection.connect("ws://localhost:4000/graphql", apiKey: "…")
///     let response = try await hub.execute("mutation { createNote(input: {…}) { id } }")
///     for try await event in hub.subscribe("subscription { onCreateNote { id } }") { … }
///     hub.close()
///
/// It wins a lost connection back by itself and starts its subscriptions again. It ends with
/// `close()` or when nobody holds it any more.
public final class HubConnection: Sendable {
    /// Results that wait in a subscription's stream before it ends with `tooSlow`.
    public static let streamResultsMax = 65_536

    /// What becomes of the connection itself.
    public enum News: Sendable, Hashable {
        /// It is ready, for the first time or again.
        case ready
        /// It was lost, and is tried again after these milliseconds.
        case lost(reason: String, retryMilliseconds: Int64)
        /// It is over for good.
        case ended(reason: String)
    }

    private let loop: LoopPoster<ClientDriver>
    private let ownsLoop: Bool
    private let number: Int

    private init(_ loop: LoopPoster<ClientDriver>, ownsLoop: Bool, number: Int) {
        self.loop = loop
        self.ownsLoop = ownsLoop
        self.number = number
    }

    deinit { close() }

    // MARK: Connecting

    /// Connects with the defaults of `ClientConfiguration`.
    ///
    /// - Parameters:
    ///   - url: `ws://host:port/path` or `wss://…`; `http` and `https` will do as well.
    ///   - apiKey: sent as `x-api-key`.
    ///   - authorization: sent as `Authorization`, in `connection_init` and in the request.
    ///   - trust: whom to believe to be the hub, if the URL is `wss` or `https`.
    /// - Throws: `HubError` if there is no acknowledged connection at the first attempt.
    public static func connect(
        _ url: Text, apiKey: Text? = nil, authorization: Text? = nil,
        trust: TLSClientTrust = .system
    ) async throws -> HubConnection {
        var configuration = ClientConfiguration(endpoint: try endpoint(url))
        configuration.trust = trust
        if let apiKey { configuration.setAPIKey(apiKey) }
        if let authorization { configuration.setCredential("Authorization", authorization) }
        return try await connect(configuration)
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - configuration: where to and how; `retriesWithoutOperations` is set.
    ///   - loop: the loop to run on; nil for one of the connection's own.
    ///   - waitsForServer: whether failed attempts before the first acknowledgement are tried
    ///     again too, as far as they are worth it.
    ///   - news: told what becomes of the connection, on the loop's queue.
    /// - Throws: `HubError` if no acknowledged connection comes about.
    public static func connect(
        _ configuration: ClientConfiguration, on loop: LoopPoster<ClientDriver>? = nil,
        waitsForServer: Bool = false, news: (@Sendable (News) -> Void)? = nil
    ) async throws -> HubConnection {
        var configuration = configuration
        configuration.retriesWithoutOperations = true
        let ownsLoop = loop == nil
        let loop = try loop ?? startLoop()
        let settings = configuration
        let number = try await withCheckedThrowingContinuation { continuation in
            let isPosted = loop.post { driver in
                ConnectionDesk.open(
                    settings, on: driver, waitsForServer: waitsForServer, news, continuation)
            }
            if !isPosted {
                continuation.resume(
                    throwing: HubError(.closedHere, "the event loop was stopped"))
            }
        }
        return HubConnection(loop, ownsLoop: ownsLoop, number: number)
    }

    private static func endpoint(_ url: Text) throws -> Endpoint {
        do throws(EndpointError) {
            return try Endpoint(url)
        } catch {
            throw HubError(.badURL, error.description, underlying: error)
        }
    }

    private static func startLoop() throws -> LoopPoster<ClientDriver> {
        do throws(LoopError) {
            return try EventLoop.start(name: "hub client") { ClientDriver($0) }
        } catch {
            throw HubError(.notConnected, error.description, underlying: error)
        }
    }

    // MARK: Operations

    /// Runs a query or mutation and returns its response object, with `data` and perhaps `errors`.
    ///
    /// - Parameter kind: what it is; nil to read it from the document.
    /// - Throws: `HubError`: `refused` with the hub's errors, `outcomeUnknown` for a mutation
    ///   whose connection was lost. Cancelling the task stops waiting, not a running mutation.
    public func execute(
        _ query: Text, variables: JSONObject = [:], operationName: Text? = nil,
        kind: OperationKind? = nil
    ) async throws -> JSONValue {
        let request = OperationRequest(
            query: query, operationName: operationName, variables: variables)
        let kind = kind ?? OperationKind(of: query, operationName: operationName)
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                onDesk { desk in
                    desk.execute(request, kind, ticket, continuation)
                } orElse: {
                    continuation.resume(throwing: HubError(ClientError.closedHere))
                }
            }
        } onCancel: {
            ticket.cancel()
            onDesk { $0.cancel(ticket) }
        }
    }

    /// Starts a subscription and returns its response objects as they come.
    ///
    /// The stream ends when the hub completes the subscription, and throws `HubError` when it is
    /// refused, the connection ends for good, or `streamResultsMax` results wait to be taken.
    /// Whoever stops reading it ends the subscription.
    public func subscribe(
        _ query: Text, variables: JSONObject = [:], operationName: Text? = nil,
        extensions: JSONObject = [:]
    ) -> AsyncThrowingStream<JSONValue, any Error> {
        let request = OperationRequest(
            query: query, operationName: operationName, variables: variables,
            extensions: extensions)
        let ticket = Ticket()
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(Self.streamResultsMax)) {
            stream in
            stream.onTermination = { [loop, number] _ in
                ticket.cancel()
                loop.post { driver in ConnectionDesk.find(number, on: driver)?.cancel(ticket) }
            }
            onDesk { desk in
                desk.subscribe(request, ticket, stream)
            } orElse: {
                stream.finish(throwing: HubError(ClientError.closedHere))
            }
        }
    }

    /// Starts a subscription and calls back with each response's bytes, on the loop's queue and
    /// lent for the call; then once with how it ended, nil if the hub completed it.
    ///
    /// - Returns: what ends the subscription when called.
    @discardableResult
    public func subscribe(
        _ query: Text, variables: JSONObject = [:], operationName: Text? = nil,
        extensions: JSONObject = [:],
        each: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
        ended: @escaping @Sendable (HubError?) -> Void
    ) -> @Sendable () -> Void {
        let request = OperationRequest(
            query: query, operationName: operationName, variables: variables,
            extensions: extensions)
        let ticket = Ticket()
        onDesk { desk in
            desk.subscribe(request, ticket, each, ended)
        } orElse: {
            ended(HubError(ClientError.closedHere))
        }
        return { [loop, number] in
            ticket.cancel()
            loop.post { driver in ConnectionDesk.find(number, on: driver)?.cancel(ticket) }
        }
    }

    /// Ends the connection. Operations that are not over fail with `closedHere`.
    public func close() {
        let (loop, ownsLoop) = (loop, ownsLoop)
        let number = number
        loop.post { driver in driver.client(number)?.close() }
        if ownsLoop { loop.stop() }
    }

    private func onDesk(
        _ work: @escaping @Sendable (ConnectionDesk) -> Void,
        orElse: @escaping @Sendable () -> Void = {}
    ) {
        let number = number
        let isPosted = loop.post { driver in
            guard let desk = ConnectionDesk.find(number, on: driver) else { return orElse() }
            work(desk)
        }
        if !isPosted { orElse() }
    }
}
