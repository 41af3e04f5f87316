import Bytes
import JSON
import Subprotocol

/// Reads the operation out of an HTTP request's body or query (GraphQL over HTTP).
enum GraphQLRequest {
    /// Why there is no operation in it.
    struct Malformed: Error {
        var message: String
        var outcome: HTTPStatusProfile.Outcome

        init(_ message: String, outcome: HTTPStatusProfile.Outcome = .malformed) {
            self.message = message
            self.outcome = outcome
        }
    }

    /// The operation in a JSON body. The tape's memory serves the next one.
    static func read(
        body: ByteQueue, tape: inout JSONTape
    ) throws(Malformed) -> OperationRequest {
        let value: JSONValue
        do throws(JSONError) {
            try tape.read(body.bytes)
            value = tape.value(at: 0, in: body.bytes)
        } catch {
            throw Malformed("the request's body is not JSON: \(error)", outcome: .unreadable)
        }
        guard case .object(let object) = value else {
            let hint =
                value.items == nil
                ? ""
                : ": batches are not taken; send each operation as a request of its own, several "
                    + "behind one another on one connection, or over a WebSocket"
            throw Malformed("the request's body is \(value.kindName), not a JSON object\(hint)")
        }
        return try read(object)
    }

    /// The operation in the members of a URL's query; `variables` and `extensions` are JSON. An
    /// empty member is as good as none.
    static func read(items: [(name: Text, value: Text)]) throws(Malformed) -> OperationRequest {
        var object = JSONObject()
        for (name, value) in items where !value.isEmpty {
            switch name.string {
            case "query", "documentId", "operationName": object[name] = .string(value)
            case "variables", "extensions":
                do throws(JSONError) {
                    object[name] = try JSONValue(parsing: value.string)
                } catch {
                    throw Malformed("\(name) in the URL is not JSON: \(error)")
                }
            default: continue
            }
        }
        return try read(object)
    }

    private static func read(_ object: JSONObject) throws(Malformed) -> OperationRequest {
        let request = OperationRequest(
            query: try text("query", of: object), documentID: try text("documentId", of: object),
            operationName: try text("operationName", of: object),
            variables: try map("variables", of: object),
            extensions: try map("extensions", of: object))
        guard request.namesDocument else {
            throw Malformed("the request has no 'query' and no 'documentId'")
        }
        return request
    }

    private static func text(_ name: Text, of object: JSONObject) throws(Malformed) -> Text? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case .some(let other):
            throw Malformed("'\(name)' is \(other.kindName), not a string")
        }
    }

    private static func map(_ name: Text, of object: JSONObject) throws(Malformed) -> JSONObject {
        switch object[name] {
        case nil, .null: return [:]
        case .object(let map): return map
        case .some(let other):
            throw Malformed("'\(name)' is \(other.kindName), not an object")
        }
    }
}
