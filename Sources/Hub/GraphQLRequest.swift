import Bytes
import JSON
import Subprotocol

/// Reads the operation out of an HTTP request's body or query (GraphQL over HTTP).
enum GraphQLRequest {
    /// Why there is no operation in it.
    struct Malformed: Error {
        var message: String
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
            throw Malformed(message: "the request's body is not JSON: \(error)")
        }
        guard case .object(let object) = value else {
            let hint = value.items == nil ? "" : " (batches are not taken: send one at a time)"
            throw Malformed(
                message: "the request's body is \(value.kindName), not a JSON object\(hint)")
        }
        return try read(object)
    }

    /// The operation in the members of a URL's query; `variables` and `extensions` are JSON.
    static func read(items: [(name: Text, value: Text)]) throws(Malformed) -> OperationRequest {
        var object = JSONObject()
        for (name, value) in items where !value.isEmpty {
            switch name.string {
            case "query", "operationName": object[name] = .string(value)
            case "variables", "extensions":
                do throws(JSONError) {
                    object[name] = try JSONValue(parsing: value.string)
                } catch {
                    throw Malformed(message: "\(name) in the URL is not JSON: \(error)")
                }
            default: continue
            }
        }
        return try read(object)
    }

    private static func read(_ object: JSONObject) throws(Malformed) -> OperationRequest {
        guard let query = object["query"] else {
            throw Malformed(message: "the request has no 'query'")
        }
        guard case .string(let text) = query else {
            throw Malformed(message: "'query' is \(query.kindName), not a string")
        }
        var operationName: Text?
        switch object["operationName"] {
        case nil, .null: break
        case .string(let name): operationName = name
        case .some(let other):
            throw Malformed(message: "'operationName' is \(other.kindName), not a string")
        }
        return OperationRequest(
            query: text, operationName: operationName,
            variables: try map("variables", of: object),
            extensions: try map("extensions", of: object))
    }

    private static func map(_ name: Text, of object: JSONObject) throws(Malformed) -> JSONObject {
        switch object[name] {
        case nil, .null: return [:]
        case .object(let map): return map
        case .some(let other):
            throw Malformed(message: "'\(name)' is \(other.kindName), not an object")
        }
    }
}
