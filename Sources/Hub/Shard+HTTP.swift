import Access
public import Bytes
import GraphQL
import HTTP1
import Subprotocol

/// HTTP: one request after the other on each connection, operations by POST and GET, health.
extension Shard {
    func newReader() -> HTTPReader {
        HTTPReader(role: .server, limits: limits.http)
    }

    func receivedHTTP(
        _ connection: Connection, _ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer
    ) {
        if !exchange.isBusy, exchange.head == nil, exchange.reader.isBetweenMessages {
            connection.deadline = min(connection.deadline, later(limits.headSecondsMax))
        }
        exchange.reader.append(bytes)
        if exchange.isBusy, exchange.reader.waitingBytes > limits.pipelinedBytesMax {
            exchange.isPaused = true
            note(.pipelinedBytes)
            outlet.setReading(connection.handle, false)
        }
        readRequests(connection, exchange)
    }

    /// Reads on until a request has to wait for the store or nothing whole is left.
    private func readRequests(_ connection: Connection, _ exchange: HTTPExchange) {
        guard !exchange.isReading else { return }
        exchange.isReading = true
        defer { exchange.isReading = false }
        while !exchange.isBusy, case .http = connection.role {
            let event: HTTPEvent?
            do throws(HTTPError) {
                event = try exchange.reader.next()
            } catch {
                counters.protocolErrors += 1
                if let limit = Self.limit(behind: error) { note(limit) }
                refuseHTTP(connection, status: error.status, told(error), closes: true)
                return
            }
            switch event {
            case nil:
                // The peer has sent its last, and all that was whole has been answered.
                if exchange.isLast { close(connection, flushing: true) }
                return
            case .head(let head):
                exchange.head = head
                if !connection.isGreeted {
                    connection.isGreeted = true
                    outlet.greeted(connection.handle)
                }
                connection.deadline = later(limits.bodySecondsMax)
                if isRefusedAtHead(connection, head) { return }
                if isUpgrade(head) {
                    upgrade(connection, exchange, head)
                    return
                }
            case .continueExpected:
                var bytes = ByteQueue()
                HTTPWriter.appendContinue(to: &bytes)
                send(bytes, to: connection)
            case .body(let part): exchange.body.append(part)
            case .end: requested(connection, exchange)
            }
        }
    }

    private static func limit(behind error: HTTPError) -> ReachedLimit? {
        switch error {
        case .bodyTooLarge: .messageBytes
        case .targetTooLong: .targetBytes
        case .headTooLarge: .headBytes
        case .tooManyFields: .headFields
        default: nil
        }
    }

    /// The fault, and what to do instead if it is a limit that was reached.
    private func told(_ error: HTTPError) -> String {
        switch error {
        case .bodyTooLarge:
            "\(error): send less at a time, or raise the hub's --message-bytes-max"
        case .targetTooLong: "\(error): send the operation by POST"
        case .headTooLarge, .tooManyFields: "\(error): send fewer or shorter header fields"
        default: error.description
        }
    }

    // MARK: Routes

    /// Refuses what need not be read any further, and ends the connection.
    private func isRefusedAtHead(_ connection: Connection, _ head: HTTPHead) -> Bool {
        // Whoever asks for the hub's health may ask by any name: it tells nobody anything.
        if let misdirection = misdirection(of: head), head.path.string != "/healthz" {
            counters.misdirected += 1
            notify(.nameUnknown, misdirection)
            refuseHTTP(connection, status: 421, misdirection, closes: true)
            return true
        }
        let bodyBytes = head.bodyBytes
        if bodyBytes == 0 { return false }
        // RFC 9110 §9.3.1: such a body means nothing, and is how requests are smuggled past
        // whoever does not expect it.
        if head.isMethod("GET") || head.isMethod("HEAD") {
            refuseHTTP(
                connection, status: 400, "a \(head.method) request has no body: send it by POST",
                closes: true)
            return true
        }
        // A short body is read, so that the connection can be kept.
        guard bodyBytes ?? .max > limits.pipelinedBytesMax || head.count(of: "Expect") > 0 else {
            return false
        }
        switch route(head) {
        case .operation: return false
        case .refused(let refusal): refuse(connection, refusal, closes: true)
        case .health, .metrics, .methods:
            refuseHTTP(
                connection, status: 413, "nobody reads the body of such a request: leave it out",
                closes: true)
        }
        return true
    }

    /// Why the request is for somebody else. Most requests are for the same host as the one
    /// before, which has been taken apart once.
    private func misdirection(of head: HTTPHead) -> String? {
        let host = head.host
        if host == knownHost { return nil }
        let misdirection = site.misdirection(of: head)
        if misdirection == nil { knownHost = host }
        return misdirection
    }

    private func requested(_ connection: Connection, _ exchange: HTTPExchange) {
        guard let head = exchange.head else { preconditionFailure("a request without a head") }
        counters.requests += 1
        connection.deadline = .max
        exchange.isBusy = true
        switch route(head) {
        case .operation(let format, let permit):
            do throws(GraphQLRequest.Malformed) {
                let request = try operationRequest(in: exchange, head)
                execute(request, connection, isPOST: head.isMethod("POST"), format: format, permit)
            } catch {
                let status = rules.statuses.status(error.outcome, format)
                answerHTTP(
                    connection, status: status, format: format,
                    GraphQLError(error.message).response)
            }
        case .health:
            var body = ByteQueue()
            body.append(isDraining ? "draining\n" as StaticString : "ok\n")
            respond(
                connection, status: isDraining ? 503 : 200, "text/plain; charset=utf-8", body)
        case .metrics: outlet.measure(for: connection.handle)
        case .methods(let allowed): answerOptions(connection, head, allowed)
        case .refused(let refusal): refuse(connection, refusal)
        }
    }

    /// The page of numbers that a connection asked for is written.
    public func measured(_ handle: UInt64, _ page: ByteQueue, at moment: Moment) {
        self.moment = moment
        guard let connection = connection(handle) else { return }
        respond(connection, status: 200, "text/plain; version=0.0.4; charset=utf-8", page)
    }

    private func answerOptions(_ connection: Connection, _ head: HTTPHead, _ allowed: Text) {
        var fields = [HTTPField("Allow", allowed)]
        if site.isPreflight(head) {
            if let refusal = site.refusal(of: head) {
                counters.originsRefused += 1
                notify(.originRefused, refusal)
                refuseHTTP(connection, status: 403, refusal)
                return
            }
            fields += site.preflightFields(for: head, methods: allowed)
        }
        respond(connection, status: 204, nil, ByteQueue(), fields: fields)
    }

    private func operationRequest(
        in exchange: HTTPExchange, _ head: HTTPHead
    ) throws(GraphQLRequest.Malformed) -> OperationRequest {
        if head.isMethod("POST") {
            return try GraphQLRequest.read(body: exchange.body, tape: &tape)
        }
        guard let items = head.queryItems() else {
            throw GraphQLRequest.Malformed(
                "the URL's query is not percent-encoded UTF-8", outcome: .unreadable)
        }
        return try GraphQLRequest.read(items: items.map { ($0.name, $0.value) })
    }

    func credentials(of head: HTTPHead) -> Credentials {
        var credentials = Credentials()
        for value in head.values(of: "x-api-key") {
            credentials.gather(name: "x-api-key", value: value)
        }
        for value in head.values(of: "Authorization") {
            credentials.gather(name: "authorization", value: value)
        }
        return credentials
    }

    // MARK: Operations

    private func execute(
        _ request: OperationRequest, _ connection: Connection, isPOST: Bool, format: AnswerFormat,
        _ permit: Permit
    ) {
        counters.operations += 1
        let document: WantedDocument
        switch self.document(of: request) {
        case .failure(let refusal):
            let status = rules.statuses.status(refusal.isMalformed ? .malformed : .unfit, format)
            answerHTTP(connection, status: status, format: format, refusal.error.response)
            return
        case .success(let found): document = found
        }
        let operation: PreparedOperation
        switch prepare(document, named: request.operationName) {
        case .failure(let errors):
            let status = rules.statuses.status(errors.outcome(isPOST: isPOST), format)
            answerHTTP(connection, status: status, format: format, errors.response)
            return
        case .success(let found): operation = found
        }
        if !isPOST, operation.kind == .mutation {
            refuse(connection, .method(allowed: "POST"))
            return
        }
        if format == .eventStream || operation.kind == .subscription && takesStream(connection) {
            stream(operation, request, of: document, connection, permit)
            return
        }
        if operation.kind == .subscription {
            let error = GraphQLError(
                "subscriptions are served over WebSocket, with the subprotocol "
                    + "graphql-transport-ws or graphql-ws, and as a stream: send the header "
                    + "Accept: text/event-stream")
            answerHTTP(connection, status: 400, format: format, error.response)
            return
        }
        let options: ClientOptions
        do throws(ClientOptions.Fault) {
            options = try ClientOptions(request.extensions)
        } catch {
            let error = GraphQLError(error.message)
            answerHTTP(connection, status: 400, format: format, error.response)
            return
        }
        switch coerce(request, for: operation) {
        case .failure(let errors):
            let status = rules.statuses.status(errors.outcome(isPOST: isPOST), format)
            answerHTTP(connection, status: status, format: format, errors.response)
        case .success(let variables):
            start(
                Running(
                    target: .http(connection, format),
                    execution: Execution(operation, variables: variables),
                    costToTell: options.tellsCost ? variables.cost : nil))
        }
    }

    // MARK: Answers

    func answerHTTP(
        _ connection: Connection, status: Int, format: AnswerFormat, _ body: ByteQueue
    ) {
        if format == .eventStream {
            answerStream(connection, body)
            return
        }
        respond(connection, status: status, format.mediaType, body)
    }

    private func refuse(_ connection: Connection, _ refusal: HTTPRefusal, closes: Bool = false) {
        if refusal.status == 401 { counters.unauthorized += 1 }
        respond(
            connection, status: refusal.status, refusal.format.mediaType, refusal.error.response,
            fields: refusal.fields, closes: closes)
    }

    func refuseHTTP(
        _ connection: Connection, status: Int, _ message: String, closes: Bool = false,
        fields: [HTTPField] = []
    ) {
        respond(
            connection, status: status, AnswerFormat.json.mediaType,
            GraphQLError(message).response, fields: fields, closes: closes)
    }

    /// Sends the answer to the present request and goes on to the next, or closes.
    private func respond(
        _ connection: Connection, status: Int, _ contentType: StaticString?, _ body: ByteQueue,
        fields: [HTTPField] = [], closes: Bool = false
    ) {
        guard self.connection(connection.handle) === connection,
            case .http(let exchange) = connection.role
        else { return }
        let closes =
            closes || isDraining || exchange.head?.keepsConnection != true
            || exchange.isLast && exchange.reader.waitingBytes == 0
        let toHEAD = exchange.head?.isMethod("HEAD") ?? false
        let fields = fields + ownFields(for: exchange.head, closes: closes)
        var bytes = ByteQueue()
        bytes.reserve(body.count + 256)
        body.withBytes {
            HTTPWriter.appendResponse(
                status: status, contentType: contentType, fields: fields, body: $0, closes: closes,
                toHEAD: toHEAD, to: &bytes)
        }
        send(bytes, to: connection)
        if closes {
            close(connection, flushing: true)
            return
        }
        goOn(connection, exchange)
    }

    /// The present request has been answered: on to the next.
    func goOn(_ connection: Connection, _ exchange: HTTPExchange) {
        exchange.head = nil
        exchange.body.removeAll(keepingCapacity: exchange.body.count <= 4_096)
        exchange.isBusy = false
        connection.deadline = later(
            exchange.reader.isBetweenMessages ? limits.restSecondsMax : limits.headSecondsMax)
        if exchange.isPaused {
            exchange.isPaused = false
            outlet.setReading(connection.handle, true)
        }
        readRequests(connection, exchange)
    }

    /// What stands in every answer, whatever it is about.
    func ownFields(for head: HTTPHead?, closes: Bool) -> [HTTPField] {
        var fields = [HTTPField("Date", date.text(unixMilliseconds: moment.wallMilliseconds))]
        guard let head else { return fields }
        fields += site.fields(for: head)
        // A client of HTTP/1.0 waits for the end of the connection unless it is told
        // (RFC 9112 §9.3).
        if head.minorVersion == 0, !closes { fields.append(HTTPField("Connection", "keep-alive")) }
        return fields
    }

    func timedOutHTTP(_ connection: Connection, _ exchange: HTTPExchange) {
        // Between two requests there is nobody to be told.
        guard !exchange.reader.isBetweenMessages || exchange.head != nil else {
            note(connection.isGreeted ? .restSeconds : .headSeconds)
            close(connection, flushing: true)
            return
        }
        note(exchange.head == nil ? .headSeconds : .bodySeconds)
        refuseHTTP(
            connection, status: 408,
            "the request took longer than \(limits.headSecondsMax) s for its head or "
                + "\(limits.bodySecondsMax) s for its body", closes: true)
    }
}

extension OperationErrors {
    /// A response that consists of these errors.
    var response: ByteQueue {
        var bytes = ByteQueue()
        bytes.append("{\"errors\":[")
        for (index, error) in errors.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            error.append(json: &bytes)
        }
        bytes.append("]}")
        return bytes
    }
}
