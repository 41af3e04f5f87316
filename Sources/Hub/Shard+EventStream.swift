import Access
import Bytes
import GraphQL
import HTTP1
import Subprotocol
import WebSocket

/// GraphQL over server-sent events, distinct connections mode: a request whose response is a
/// stream of its one operation's results.
extension Shard {
    /// Answers the connection's present request with the operation's results as they come.
    func stream(
        _ operation: PreparedOperation, _ request: OperationRequest, of document: WantedDocument,
        _ connection: Connection, _ permit: Permit
    ) {
        guard let socket = openStream(connection), let stream = socket.stream else { return }
        let byteCount = max(stream.exchange.body.count, document.text.byteCount)
        socket.permit = permit
        let id = EventStream.onlyID
        if operation.kind == .subscription, byteCount > limits.subscriptionBytesMax {
            note(.subscriptionBytes)
            let error = GraphQLError(
                "a subscription of \(byteCount) bytes is over the limit of "
                    + "\(limits.subscriptionBytesMax)")
            refuse(connection, socket, id: id, [error])
            return
        }
        run(operation, request, connection, socket, id: id, permit)
    }

    /// Answers with a stream of one result: what a browser's EventSource can read where it
    /// could not read another status.
    func answerStream(_ connection: Connection, _ result: ByteQueue) {
        guard let socket = openStream(connection) else { return }
        send(.next(id: EventStream.onlyID, payload: result), to: connection, socket)
        send(.complete(id: EventStream.onlyID), to: connection, socket)
    }

    /// Sends the head of a response that goes on, and a first comment: some browsers do not
    /// report a response as open before a byte of it has come.
    private func openStream(_ connection: Connection) -> Socket? {
        guard self.connection(connection.handle) === connection,
            case .http(let exchange) = connection.role
        else { return nil }
        let isChunked = exchange.head.map { $0.minorVersion > 0 } ?? true
        let keeps = isChunked && !isDraining && exchange.head?.keepsConnection == true
        let stream = EventStream(
            exchange: exchange, framing: isChunked ? [.stream, .chunked] : .stream,
            keepsConnection: keeps)
        let socket = Socket(
            session: WebSocketSession(
                role: .server, limits: limits.webSocket),
            windowBits: nil, dialect: .transportWS, credentials: Credentials(),
            slowConsumerPolicy, now: moment.nanoseconds)
        socket.stage = .ready
        socket.stream = stream
        connection.role = .socket(socket)
        connection.deadline = .max
        sendHead(of: stream, to: connection)
        return connection.role.isSocket ? socket : nil
    }

    private func sendHead(of stream: EventStream, to connection: Connection) {
        var bytes = ByteQueue()
        HTTPWriter.appendStatusLine(200, to: &bytes)
        HTTPWriter.appendField(
            "Content-Type", literal: AnswerFormat.eventStream.mediaType, to: &bytes)
        for field in ownFields(for: stream.exchange.head, closes: true) {
            HTTPWriter.appendField(field, to: &bytes)
        }
        HTTPWriter.appendField("Cache-Control", literal: "no-cache", to: &bytes)
        // Proxies that gather answers would hold every event back.
        HTTPWriter.appendField("X-Accel-Buffering", literal: "no", to: &bytes)
        if stream.framing.contains(.chunked) {
            HTTPWriter.appendField("Transfer-Encoding", literal: "chunked", to: &bytes)
        }
        HTTPWriter.appendField(
            "Connection", literal: stream.keepsConnection ? "keep-alive" : "close", to: &bytes)
        HTTPWriter.appendHeadEnd(to: &bytes)
        var comment = ByteQueue()
        EventStream.appendComment("", into: &comment)
        append(comment, of: stream, to: &bytes)
        send(bytes, to: connection)
    }

    /// Whether the client of the present request takes a stream, though not before others.
    func takesStream(_ connection: Connection) -> Bool {
        guard case .http(let exchange) = connection.role, let head = exchange.head else {
            return false
        }
        return AnswerFormat.acceptsEventStream(head)
    }

    // MARK: Saying

    /// Sends what a socket would get as a message of its subprotocol.
    func send(_ message: ServerMessage, to connection: Connection, _ stream: EventStream) {
        var event = ByteQueue()
        var isLast = false
        switch message {
        case .next(_, let payload): stream.appendNext(payload, into: &event)
        case .error(_, let errors):
            var result = ByteQueue()
            result.append("{\"errors\":")
            result.append(errors)
            result.append(UInt8(ascii: "}"))
            stream.appendNext(result, into: &event)
            stream.appendComplete(into: &event)
            isLast = true
        case .complete:
            stream.appendComplete(into: &event)
            isLast = true
        default: return
        }
        send(event, of: stream, to: connection)
        if isLast { endResponse(connection, stream) }
    }

    /// Sends a comment, so that nothing between the hub and its client takes the connection for
    /// dead, and the hub hears of a client that is gone.
    func sendComment(_ text: Text = "", to connection: Connection, _ stream: EventStream) {
        var event = ByteQueue()
        EventStream.appendComment(text, into: &event)
        send(event, of: stream, to: connection)
    }

    private func send(_ event: ByteQueue, of stream: EventStream, to connection: Connection) {
        var bytes = ByteQueue()
        append(event, of: stream, to: &bytes)
        send(bytes, to: connection)
    }

    private func append(
        _ event: ByteQueue, of stream: EventStream, to bytes: inout ByteQueue
    ) {
        guard stream.framing.contains(.chunked) else {
            bytes.append(event)
            return
        }
        event.withBytes { HTTPWriter.appendChunk($0, to: &bytes) }
    }

    // MARK: Ending

    /// Ends the response; the connection serves another request, or is closed.
    private func endResponse(_ connection: Connection, _ stream: EventStream) {
        guard self.connection(connection.handle) === connection, connection.role.isSocket else {
            return
        }
        if stream.framing.contains(.chunked) {
            var bytes = ByteQueue()
            HTTPWriter.appendLastChunk(to: &bytes)
            send(bytes, to: connection)
        }
        guard self.connection(connection.handle) === connection else { return }
        guard stream.keepsConnection, !isDraining else {
            close(connection, flushing: true)
            return
        }
        connection.role = .http(stream.exchange)
        goOn(connection, stream.exchange)
    }

    /// What a socket answers by its subprotocol's rules.
    func react(to violation: Violation, _ connection: Connection, _ stream: EventStream) {
        switch violation {
        case .draining(let retryMilliseconds):
            if case .socket(let socket) = connection.role { sendAllParked(of: socket) }
            // The operation is not over, so there is no `complete`: the client comes again.
            var event = ByteQueue()
            event.append("retry: ")
            event.append(decimal: Int(retryMilliseconds))
            event.append("\n\n")
            send(event, of: stream, to: connection)
            endResponse(connection, stream)
        case .tooManySubscriptions(let id, let limit), .tooManyOperations(let id, let limit):
            let message = "more than \(limit) operations at once on one connection"
            var errors = ByteQueue()
            errors.append("[")
            GraphQLError(message).append(json: &errors)
            errors.append("]")
            send(.error(id: id, errors: errors), to: connection, stream)
        case .slowConsumer:
            closeStream(connection, stream, "events arose faster than they could be made")
        default: closeStream(connection, stream, "the hub gave the stream up")
        }
    }

    /// Breaks the response off, with a comment that says why: a client sees that it is not whole,
    /// and comes again.
    func closeStream(_ connection: Connection, _ stream: EventStream, _ reason: Text) {
        var event = ByteQueue()
        EventStream.appendComment(reason, into: &event)
        var bytes = ByteQueue()
        append(event, of: stream, to: &bytes)
        _ = bytes.withBytes { outlet.send(connection.handle, $0, .empty, .empty) }
        close(connection, flushing: true)
    }

    /// Requests behind a stream wait for its end, few of them.
    func receivedBehind(
        _ stream: EventStream, _ connection: Connection, _ bytes: UnsafeRawBufferPointer
    ) {
        stream.exchange.reader.append(bytes)
        guard stream.exchange.reader.waitingBytes > limits.pipelinedBytesMax else { return }
        note(.pipelinedBytes)
        closeStream(connection, stream, "too many requests wait for the end of this stream")
    }
}

extension Connection.Role {
    /// Whether operations may be open here.
    var isSocket: Bool {
        if case .socket = self { return true }
        return false
    }
}
