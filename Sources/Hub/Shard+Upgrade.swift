import Access
import Bytes
import HTTP1
import Subprotocol
import WebSocket

/// From HTTP to WebSocket: the handshake, the choice of the dialect, the first credentials.
extension Shard {
    /// Whether the request is for another protocol that is spoken here. What asks for one that is
    /// not, as clients of HTTP/2 do in passing, is answered as if it had not (RFC 9110 §7.8).
    func isUpgrade(_ head: HTTPHead) -> Bool {
        Handshake.isWanted(by: head) && head.contains("upgrade", in: "Connection")
    }

    func upgrade(_ connection: Connection, _ exchange: HTTPExchange, _ head: HTTPHead) {
        exchange.isBusy = true
        let path = head.path.string
        guard path == "/graphql" || path == "/graphql/realtime" else {
            refuseHTTP(
                connection, status: 404, "nothing is here; sockets open at /graphql", closes: true)
            return
        }
        // A browser opens a socket to anywhere for any page, and leaves it to us to ask for whom.
        if let refusal = site.refusal(of: head) {
            counters.originsRefused += 1
            notify(.originRefused, refusal)
            refuseHTTP(connection, status: 403, refusal, closes: true)
            return
        }
        guard !isDraining else { return refuseToServe(connection, exchange) }
        let choice = Dialect.choose(
            offered: head.values(of: "Sec-WebSocket-Protocol").map(\.string), path: path,
            query: head.query.string,
            hasAmazonFields: head.count(of: "x-amz-date") > 0
                || head.count(of: "x-amz-user-agent") > 0)
        let deflate = Handshake.deflate(for: head)
        var response = ByteQueue()
        response.reserve(256)
        do throws(HandshakeRefusal) {
            try Handshake.accept(
                head, subprotocol: choice.subprotocol.map { Text($0.description) },
                deflate: deflate, to: &response)
        } catch {
            counters.protocolErrors += 1
            error.append(
                fields: ownFields(for: head, closes: true), toHEAD: head.isMethod("HEAD"),
                to: &response)
            send(response, to: connection)
            close(connection, flushing: true)
            return
        }
        send(response, to: connection)
        begin(connection, exchange, choice, deflate, credentials(of: head))
    }

    private func begin(
        _ connection: Connection, _ exchange: HTTPExchange, _ choice: SubprotocolChoice,
        _ deflate: DeflateParameters?, _ fromHead: Credentials
    ) {
        var credentials = fromHead
        if case .object(let object) = choice.credentials {
            credentials = fromHead.overridden(by: Credentials(object))
        }
        let socket = Socket(
            session: WebSocketSession(
                role: .server, limits: limits.webSocket,
                inflater: deflate == nil ? nil : inflater),
            windowBits: deflate?.windowBits(of: .server), dialect: choice.dialect,
            credentials: credentials, slowConsumerPolicy, now: moment.nanoseconds)
        connection.role = .socket(socket)
        connection.deadline = later(limits.initSecondsMax)
        if choice.subprotocol == nil {
            violated(.subprotocolNotAcceptable, connection, socket)
            return
        }
        if choice.credentials == .malformed {
            violated(.initMalformed, connection, socket)
            return
        }
        // Frames may have come in one piece with the request (they must not be lost).
        var rest = exchange.reader.takeRest()
        if rest.isEmpty { return }
        rest.withMutableBytes { receivedFrames(connection, socket, $0) }
    }
}
