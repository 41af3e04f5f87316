import Access
import Bytes
import GraphQL
import HTTP1

/// Where a request leads, as its head alone decides.
enum HTTPRoute {
    /// To the API, with what the client's credentials allow, and the answer's media type.
    case operation(AnswerFormat, Permit)
    /// To the question whether the hub serves.
    case health
    /// To the hub's numbers.
    case metrics
    /// To the methods that are served.
    case methods(Text)
    /// Nowhere.
    case refused(HTTPRefusal)
}

/// Why a request leads nowhere: always the client's fault.
struct HTTPRefusal {
    var status: Int
    var error: GraphQLError
    var format = AnswerFormat.json
    var fields: [HTTPField] = []

    init(_ status: Int, _ message: String, fields: [HTTPField] = []) {
        self.status = status
        error = GraphQLError(message)
        self.fields = fields
    }

    init(_ refusal: AccessRefusal, _ format: AnswerFormat) {
        status = 401
        error = GraphQLError(refusal.message, errorType: Text(refusal.errorType))
        self.format = format.ofRefusal
    }

    /// Whoever answers 405 says which methods there are (RFC 9110 §15.5.6).
    static func method(allowed: Text) -> HTTPRefusal {
        HTTPRefusal(
            405, "this method is not allowed here; allowed: \(allowed)",
            fields: [HTTPField("Allow", allowed)])
    }
}

extension Shard {
    private static let methodsOfAPI: Text = "GET, HEAD, POST, OPTIONS"
    private static let methodsOfHealth: Text = "GET, HEAD, OPTIONS"

    func route(_ head: HTTPHead) -> HTTPRoute {
        switch head.path.string {
        case "/graphql", "/graphql/realtime": routeToAPI(head)
        case "/healthz":
            if head.isMethod("GET") || head.isMethod("HEAD") {
                .health
            } else if head.isMethod("OPTIONS") {
                .methods(Self.methodsOfHealth)
            } else {
                .refused(.method(allowed: Self.methodsOfHealth))
            }
        case "/metrics": routeToMetrics(head)
        // The server as a whole (RFC 9110 §9.3.7); no other method has this target.
        case "*": .methods(Self.methodsOfAPI)
        default: .refused(HTTPRefusal(404, "nothing is here; the API is at /graphql"))
        }
    }

    /// The numbers tell what goes on in the API, so whoever may use that may see them.
    private func routeToMetrics(_ head: HTTPHead) -> HTTPRoute {
        if head.isMethod("OPTIONS") { return .methods(Self.methodsOfHealth) }
        guard head.isMethod("GET") || head.isMethod("HEAD") else {
            return .refused(.method(allowed: Self.methodsOfHealth))
        }
        do throws(AccessRefusal) {
            _ = try policy.permit(for: credentials(of: head))
            return .metrics
        } catch {
            return .refused(HTTPRefusal(error, .json))
        }
    }

    private func routeToAPI(_ head: HTTPHead) -> HTTPRoute {
        if head.isMethod("OPTIONS") { return .methods(Self.methodsOfAPI) }
        guard head.isMethod("POST") || head.isMethod("GET") || head.isMethod("HEAD") else {
            return .refused(.method(allowed: Self.methodsOfAPI))
        }
        guard let format = AnswerFormat.accepted(by: head) else {
            return .refused(
                HTTPRefusal(
                    406,
                    "Accept names no type that is served: application/json, "
                        + "application/graphql-response+json, text/event-stream"))
        }
        let permit: Permit
        do throws(AccessRefusal) {
            permit = try policy.permit(for: credentials(of: head))
        } catch {
            return .refused(HTTPRefusal(error, format))
        }
        if head.isMethod("POST"), let refusal = refusalOfContent(head) { return .refused(refusal) }
        return .operation(format, permit)
    }

    /// Only types that a browser never sends to another origin without asking first, and nothing
    /// that would have to be unpacked.
    private func refusalOfContent(_ head: HTTPHead) -> HTTPRefusal? {
        let isTaken = head.withValue(of: "Content-Type") { value in
            let type = MediaRange(value)
            return type.isType("application/json") || type.isType("application/graphql")
                || type.isType("application/graphql+json")
        }
        guard isTaken == true, head.count(of: "Content-Type") == 1 else {
            return HTTPRefusal(
                415, "send the operation as JSON: Content-Type: application/json")
        }
        var isPacked = false
        head.forEachMember(of: "Content-Encoding") { _ in isPacked = true }
        guard !isPacked || head.contains("identity", in: "Content-Encoding") else {
            // RFC 9110 §15.5.16: so that the client knows which of the two it is.
            return HTTPRefusal(
                415, "send the operation as it is, without Content-Encoding",
                fields: [HTTPField("Accept-Encoding", "identity")])
        }
        return nil
    }
}
