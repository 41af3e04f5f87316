public import Bytes
public import HTTP1
public import Loop

/// One HTTP request on a connection of its own: for tools that post an operation or read metrics.
///
///     let answer = try await HTTPRequest(.get, "http://localhost:4000/metrics").send()
///
/// No keep-alive, no redirects, no cookies: whoever needs speed uses `HubConnection`.
public struct HTTPRequest: Sendable {
    /// The methods that the hub knows.
    public enum Method: Sendable, Hashable {
        /// Reads.
        case get
        /// Sends a body.
        case post
    }

    /// What the server answered.
    public struct Answer: Sendable {
        /// Status and fields.
        public var head: HTTPHead
        /// The body, whole.
        public var body: [UInt8]
    }

    /// The method.
    public var method: Method
    /// An `http` or `https` URL.
    public var url: Text
    /// Further fields.
    public var fields: [HTTPField]
    /// The body of a `post`.
    public var body: [UInt8]
    /// Whom to believe to be the server, if the URL is `https`.
    public var trust = TLSClientTrust.system
    /// The longest body that is taken from the server.
    public var answerBytesMax = 64 * 1024 * 1024
    /// The time for all of it.
    public var timeoutNanoseconds: Int64 = 30_000_000_000

    /// A request.
    public init(_ method: Method, _ url: Text, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// A POST of JSON that accepts GraphQL's media type and plain JSON in return.
    public static func json(
        _ url: Text, _ body: [UInt8], fields: [HTTPField] = []
    ) -> HTTPRequest {
        let own = [
            HTTPField("Content-Type", "application/json"),
            HTTPField("Accept", "application/graphql-response+json, application/json;q=0.9"),
        ]
        return HTTPRequest(.post, url, fields: own + fields, body: body)
    }

    /// Sends the request and waits for the whole answer, whatever its status.
    ///
    /// - Throws: `HubError` if there is no answer.
    public func send() async throws -> Answer {
        let endpoint: Endpoint
        do throws(EndpointError) {
            endpoint = try Endpoint(url)
        } catch {
            throw HubError(.badURL, error.description, underlying: error)
        }
        return try await withCheckedThrowingContinuation { continuation in
            do throws(LoopError) {
                _ = try EventLoop.start(name: "http request") { loop in
                    HTTPExchange(loop, self, endpoint, continuation)
                }
            } catch {
                continuation.resume(
                    throwing: HubError(.notConnected, error.description, underlying: error))
            }
        }
    }

    /// The request's bytes.
    func write(to endpoint: Endpoint, into output: inout ByteQueue) {
        let closing = fields + [HTTPField("Connection", "close")]
        switch method {
        case .get:
            HTTPWriter.appendRequest(
                method: "GET", target: endpoint.target, host: endpoint.authority, fields: closing,
                to: &output)
        case .post:
            body.withUnsafeBytes { body in
                HTTPWriter.appendRequest(
                    method: "POST", target: endpoint.target, host: endpoint.authority,
                    fields: closing, body: body, to: &output)
            }
        }
    }
}

/// The loop's side of one request; stops its loop when it is over.
private final class HTTPExchange: LoopHandler {
    private let loop: EventLoop
    private let request: HTTPRequest
    private let endpoint: Endpoint
    private var continuation: CheckedContinuation<HTTPRequest.Answer, any Error>?
    private var reader: HTTPReader
    private var head: HTTPHead?
    private var body: [UInt8] = []

    init(
        _ loop: EventLoop, _ request: HTTPRequest, _ endpoint: Endpoint,
        _ continuation: CheckedContinuation<HTTPRequest.Answer, any Error>
    ) {
        self.loop = loop
        self.request = request
        self.endpoint = endpoint
        self.continuation = continuation
        reader = HTTPReader(
            role: .client, limits: HTTPLimits(bodyBytesMax: request.answerBytesMax))
        loop.wake(at: loop.now + request.timeoutNanoseconds)
        _ = loop.connect(
            host: endpoint.host.string, port: endpoint.port,
            tls: endpoint.isSecure ? request.trust : nil)
    }

    func accepted(_ connection: UInt64, peer: PeerAddress) { loop.close(connection, .atOnce) }

    func connected(_ connection: UInt64) {
        var output = ByteQueue()
        request.write(to: endpoint, into: &output)
        loop.write(connection, output)
    }

    func failed(_ connection: UInt64, _ error: LoopError) { fail(error.description) }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        reader.append(UnsafeRawBufferPointer(bytes))
        read()
    }

    func peerFinished(_ connection: UInt64) -> Bool {
        reader.inputEnded()
        read()
        return false
    }

    func closed(_ connection: UInt64, _ reason: CloseReason) {
        // A body that ends with the connection may not be whole if that was cut off.
        if reason != .cutOff {
            reader.inputEnded()
            read()
        }
        fail("the server ended the connection before its answer was whole")
    }

    func woke() { fail("no whole answer within the time limit") }

    private func read() {
        do throws(HTTPError) {
            while continuation != nil, let event = try reader.next() {
                switch event {
                case .head(let head): self.head = head
                case .body(let part): body.append(contentsOf: part)
                case .continueExpected: break
                case .end: end()
                }
            }
        } catch {
            fail("the server's answer is not valid: \(error)")
        }
    }

    private func end() {
        guard let head else { return }
        continuation?.resume(returning: HTTPRequest.Answer(head: head, body: body))
        continuation = nil
        loop.stop()
    }

    private func fail(_ message: String) {
        continuation?.resume(throwing: HubError(.notConnected, message))
        continuation = nil
        loop.stop()
    }
}
