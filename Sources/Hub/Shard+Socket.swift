import Access
import Bytes
import GraphQL
import JSON
import Subprotocol
import WebSocket

/// A WebSocket's messages: frames in, the subprotocol's rules, operations out.
extension Shard {
    func receivedFrames(
        _ connection: Connection, _ socket: Socket, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        socket.session.lend(bytes)
        var replies = ByteQueue()
        reading: while case .socket = connection.role {
            let event: WebSocketEvent?
            do throws(WebSocketError) {
                event = try socket.session.next(&replies)
            } catch {
                counters.protocolErrors += 1
                if let limit = Self.limit(behind: error) { note(limit) }
                socket.session.appendClose(
                    error.closeCode, reason: Text(Self.told(error)), to: &replies)
                send(replies, to: connection)
                close(connection, flushing: true)
                return
            }
            // Pongs go out before whatever the next message is answered with.
            if !replies.isEmpty {
                send(replies, to: connection)
                replies.removeAll(keepingCapacity: true)
            }
            switch event {
            case nil: break reading
            case .text(let payload): receivedMessage(connection, socket, payload)
            case .binary: violated(.binaryMessage, connection, socket)
            case .ping, .pong: break
            case .close:
                // The session has written the answering close frame.
                close(connection, flushing: true)
                return
            }
        }
        socket.session.settle()
    }

    private func receivedMessage(
        _ connection: Connection, _ socket: Socket, _ payload: UnsafeRawBufferPointer
    ) {
        let message: ClientMessage
        do throws(MessageError) {
            message = try socket.dialect.decode(payload, tape: &tape)
        } catch {
            violated(.badMessage(error), connection, socket)
            return
        }
        socket.dialect = socket.dialect.following(message)
        switch message {
        case .connectionInit(let payload): initialise(connection, socket, payload)
        case .ping(let payload): send(.pong(payload: payload), to: connection, socket)
        case .pong: break
        case .subscribe(let id, let request):
            received(connection, socket, id: id, request, byteCount: payload.count)
        case .complete(let id): completed(connection, socket, id: id)
        case .terminate: closeSocket(connection, code: 1000, reason: "")
        }
    }

    // MARK: Opening

    private func initialise(
        _ connection: Connection, _ socket: Socket, _ object: JSONObject?
    ) {
        guard socket.stage == .opened else {
            violated(.secondInit, connection, socket)
            return
        }
        let options: ClientOptions
        do throws(ClientOptions.Fault) {
            options = try ClientOptions(object)
        } catch {
            violated(.initOption(Text(error.message)), connection, socket)
            return
        }
        let shown = object.map { Credentials($0) } ?? Credentials()
        do throws(AccessRefusal) {
            socket.permit = try policy.permit(for: socket.credentials.overridden(by: shown))
        } catch {
            counters.unauthorized += 1
            react(to: .initUnauthorized, connection, socket)
            return
        }
        socket.stage = .ready
        socket.slowConsumerPolicy = options.slowConsumer ?? slowConsumerPolicy
        connection.deadline = .max
        socket.lastPrompt = moment.nanoseconds
        let payload: JSONObject? =
            socket.dialect.announcesTimeout ? ["connectionTimeoutMs": 300_000] : nil
        send(.connectionAck(payload: payload), to: connection, socket)
        if socket.dialect.sendsKeepAlive { send(.keepAlive, to: connection, socket) }
    }

    private static func limit(behind error: WebSocketError) -> ReachedLimit? {
        switch error {
        case .messageTooLong, .inflatedTooLong: .messageBytes
        case .tooManyFragments: .messageFragments
        default: nil
        }
    }

    /// The fault, and which option sets the limit that was reached.
    private static func told(_ error: WebSocketError) -> String {
        switch error {
        case .messageTooLong, .inflatedTooLong: "\(error.reason) (--message-bytes-max)"
        case .tooManyFragments: "\(error.reason) (--limit message-fragments-max)"
        default: error.reason
        }
    }

    // MARK: Operations

    private func received(
        _ connection: Connection, _ socket: Socket, id: Text, _ request: OperationRequest,
        byteCount: Int
    ) {
        guard id.byteCount <= limits.operationIDBytesMax else {
            note(.operationIDBytes)
            let kind = MessageError.Kind.idTooLong(
                bytes: id.byteCount, limit: limits.operationIDBytesMax)
            violated(.badMessage(MessageError(kind)), connection, socket)
            return
        }
        guard socket.stage == .ready || socket.dialect.runsEarlyOperations else {
            violated(.operationBeforeAck(id: id), connection, socket)
            return
        }
        // Its turn to be closed has come: what is in flight is answered, nothing new is begun. A
        // client that comes again sends it again, or knows that it went unanswered.
        guard !socket.isLeaving else { return }
        begin(connection, socket, id: id, request, byteCount: byteCount)
    }

    private func begin(
        _ connection: Connection, _ socket: Socket, id: Text, _ request: OperationRequest,
        byteCount: Int
    ) {
        if let active = socket.operations[id] {
            guard socket.dialect.duplicateReplaces else {
                violated(.duplicateID(id), connection, socket)
                return
            }
            socket.operations[id] = nil
            end(active, id: id, of: connection)
        }
        guard let permit = permit(of: socket, for: request) else {
            counters.unauthorized += 1
            react(to: .operationUnauthorized(id: id), connection, socket)
            return
        }
        // AppSync lets clients leave out connection_init: the first operation stands for it.
        connection.deadline = .max
        counters.operations += 1
        let document: WantedDocument
        switch self.document(of: request) {
        case .failure(let refusal):
            refuse(connection, socket, id: id, [refusal.error])
            return
        case .success(let found): document = found
        }
        // What is kept as long as a subscription lives, the operator's documents apart.
        let keptBytes = document.isListed ? byteCount : max(byteCount, document.text.byteCount)
        switch prepare(document, named: request.operationName) {
        case .failure(let errors): refuse(connection, socket, id: id, errors.errors)
        case .success(let operation)
        where operation.kind == .subscription && keptBytes > limits.subscriptionBytesMax:
            note(.subscriptionBytes)
            let error = GraphQLError(
                "a subscription of \(keptBytes) bytes is over the limit of "
                    + "\(limits.subscriptionBytesMax)")
            refuse(connection, socket, id: id, [error])
        case .success(let operation):
            run(operation, request, connection, socket, id: id, permit)
        }
    }

    func run(
        _ operation: PreparedOperation, _ request: OperationRequest, _ connection: Connection,
        _ socket: Socket, id: Text, _ permit: Permit
    ) {
        guard operation.kind == .subscription || socket.dialect.allowsQueries else {
            react(
                to: .operationUnsupported(id: id, kind: Text(operation.kind.rawValue)), connection,
                socket)
            return
        }
        switch coerce(request, for: operation) {
        case .failure(let errors): refuse(connection, socket, id: id, errors.errors)
        case .success(let variables):
            let options: ClientOptions
            do throws(ClientOptions.Fault) {
                options = try ClientOptions(request.extensions)
            } catch {
                refuse(connection, socket, id: id, [GraphQLError(error.message)])
                return
            }
            if operation.kind == .subscription {
                subscribe(
                    connection, socket, id: id, to: operation, variables, under: permit,
                    options.slowConsumer ?? socket.slowConsumerPolicy)
                return
            }
            let flying = connection.runningCount + connection.unansweredCount
            guard flying < limits.operationsPerConnectionMax else {
                note(.operationsPerConnection)
                react(
                    to: .tooManyOperations(id: id, limit: limits.operationsPerConnectionMax),
                    connection, socket)
                return
            }
            let running = Running(
                target: .socket(connection, id: id),
                execution: Execution(operation, variables: variables),
                costToTell: options.tellsCost ? variables.cost : nil)
            socket.operations[id] = .running(running)
            connection.runningCount += 1
            start(running)
        }
    }

    /// What an operation may do: by its own credentials if it showed any (AppSync), else by the
    /// connection's.
    private func permit(of socket: Socket, for request: OperationRequest) -> Permit? {
        let own = request.authorization.map { Credentials($0) } ?? Credentials()
        if own.isEmpty, let permit = socket.permit { return permit }
        do throws(AccessRefusal) {
            return try policy.permit(for: socket.credentials.overridden(by: own))
        } catch {
            return nil
        }
    }

    private func completed(_ connection: Connection, _ socket: Socket, id: Text) {
        guard let operation = socket.operations.removeValue(forKey: id) else { return }
        end(operation, id: id, of: connection)
        if socket.dialect.answersCompleteToStop { send(.complete(id: id), to: connection, socket) }
    }

    /// Tells the result of a query or mutation.
    func answer(_ connection: Connection, id: Text, _ running: Running, _ result: ByteQueue) {
        guard case .socket(let socket) = connection.role,
            case .running(let current) = socket.operations[id], current === running
        else { return }
        socket.operations[id] = nil
        connection.runningCount -= 1
        send(.next(id: id, payload: result), to: connection, socket)
        send(.complete(id: id), to: connection, socket)
    }

    /// Tells that the operation failed before it began; its id is free again.
    func refuse(_ connection: Connection, _ socket: Socket, id: Text, _ errors: [GraphQLError]) {
        var list = ByteQueue()
        list.append(UInt8(ascii: "["))
        for (index, error) in errors.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            error.append(json: &list)
        }
        list.append(UInt8(ascii: "]"))
        send(.error(id: id, errors: list), to: connection, socket)
    }

    // MARK: Saying

    /// Sends one message of the subprotocol in a frame of its own.
    func send(_ message: ServerMessage, to connection: Connection, _ socket: Socket) {
        if let stream = socket.stream { return send(message, to: connection, stream) }
        scratch.removeAll(keepingCapacity: scratch.count < 65_536)
        socket.dialect.encode(message, into: &scratch)
        let waiting = scratch.withBytes { message in
            let compressed = compressed(message, for: socket)
            let payload = compressed ?? message
            return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { head in
                // The allocation has room for the longest frame head.
                let count = WebSocketSession.writeHead(
                    .text, payloadCount: payload.count, isCompressed: compressed != nil,
                    to: head.baseAddress!)
                return outlet.send(
                    connection.handle, UnsafeRawBufferPointer(rebasing: head[..<count]), payload,
                    .empty)
            }
        }
        keepWithinOutbox(connection, waiting)
    }

    private func compressed(
        _ message: UnsafeRawBufferPointer, for socket: Socket
    ) -> UnsafeRawBufferPointer? {
        guard message.count >= limits.compressedPayloadBytesMin, let windowBits = socket.windowBits
        else { return nil }
        sharedDeflate.begin()
        defer { counters.compressions = sharedDeflate.compressionCount }
        return sharedDeflate.body(of: message, windowBits: windowBits)
    }

    /// A peer broke a rule: counted, and answered as its dialect does.
    func violated(_ violation: Violation, _ connection: Connection, _ socket: Socket) {
        counters.protocolErrors += 1
        react(to: violation, connection, socket)
    }

    func react(to violation: Violation, _ connection: Connection, _ socket: Socket) {
        if let stream = socket.stream { return react(to: violation, connection, stream) }
        let reaction = socket.dialect.reaction(to: violation)
        for message in reaction.messages { send(message, to: connection, socket) }
        if let close = reaction.close {
            closeSocket(connection, code: close.code, reason: close.reason)
        }
    }

    /// Sends a close frame behind all that was to come before it, and ends the connection when
    /// it has gone out.
    func closeSocket(_ connection: Connection, code: UInt16, reason: Text) {
        guard case .socket(let socket) = connection.role else { return }
        if let stream = socket.stream { return closeStream(connection, stream, reason) }
        sendAllParked(of: socket)
        var bytes = ByteQueue()
        socket.session.appendClose(code, reason: reason, to: &bytes)
        _ = bytes.withBytes { outlet.send(connection.handle, $0, .empty, .empty) }
        close(connection, flushing: true)
    }

    /// What was handed to the network is bounded for everybody, whatever the policy.
    func keepWithinOutbox(_ connection: Connection, _ waiting: Int) {
        let limit = limits.outboxBytesMax
        guard waiting > limit else { return }
        closeSlow(
            connection, SlowPeer(connection: connection.handle, waiting: waiting, limit: limit))
    }

    /// The peer reads too slowly: it alone is closed, with a code after which it comes again.
    func closeSlow(_ connection: Connection, _ peer: SlowPeer) {
        guard self.connection(connection.handle) === connection else { return }
        counters.slowConsumers += 1
        note(peer.reached)
        guard case .socket(let socket) = connection.role,
            let code = socket.dialect.reaction(to: .slowConsumer).close?.code
        else {
            close(connection, flushing: false)
            return
        }
        freeParked(of: socket)
        closeSocket(
            connection, code: code,
            reason: Text("\(peer.waiting) bytes wait unread, over the limit of \(peer.limit)"))
    }

    /// Too much waits for all peers of the hub together, and this one reads slower than others.
    /// It is closed at once, for a word behind what it does not read would only be more.
    public func tooMuchQueued(_ handle: UInt64, at moment: Moment) {
        self.moment = moment
        guard let connection = connection(handle) else { return }
        counters.slowConsumers += 1
        note(.queuedBytes)
        close(connection, flushing: false)
    }

    /// A sign of life is asked for; any WebSocket peer answers it (RFC 6455 §5.5.2).
    func ping(_ connection: Connection, _ socket: Socket) {
        var bytes = ByteQueue()
        socket.session.appendFrame(.ping, .empty, to: &bytes)
        send(bytes, to: connection)
    }
}
