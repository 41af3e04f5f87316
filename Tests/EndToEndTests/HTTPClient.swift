import Bytes
import Foundation
import JSON
import Testing

/// An answer of a hub to one HTTP request.
struct HTTPAnswer {
    var status: Int
    var body: String

    /// The body as JSON.
    func json() throws -> JSONValue { try JSONValue(parsing: body) }

    /// The message of the first error, empty if there is none.
    func firstError() throws -> String {
        try json()["errors"]?.items?.first?["message"]?.text?.string ?? ""
    }
}

extension RunningHub {
    /// Sends a request on a connection of its own and reads the answer to its end.
    func request(
        _ line: String, fields: [String] = [], body: String = ""
    ) throws -> HTTPAnswer {
        let connection = try RawConnection(port: port)
        let own = ["Host: 127.0.0.1:\(port)", "Connection: close", "Accept: application/json"]
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let head = (["\(line) HTTP/1.1"] + own + length + fields).joined(separator: "\r\n")
        try connection.send("\(head)\r\n\r\n\(body)")
        let answer = try connection.takeAll()
        let parts = answer.components(separatedBy: "\r\n\r\n")
        let status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return HTTPAnswer(
            status: status ?? 0, body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    /// Posts a body as an operation, with the key of the test's hub.
    func post(_ body: String, key: String? = testKey) throws -> HTTPAnswer {
        let credentials = key.map { ["x-api-key: \($0)"] } ?? []
        return try request(
            "POST /graphql", fields: ["Content-Type: application/json"] + credentials, body: body)
    }

    /// Runs an operation.
    func run(
        _ query: String, _ variables: JSONObject = [:], key: String? = testKey
    ) throws -> HTTPAnswer {
        let body: JSONValue = ["query": .string(Text(query)), "variables": .object(variables)]
        return try post(body.written, key: key)
    }

    /// Creates a user and expects it to work.
    func createUser(_ id: String, name: String = "ada") throws {
        let answer = try createUserAnswer(id, name: name)
        #expect(answer.body == "{\"data\":{\"createUser\":{\"id\":\"\(id)\"}}}")
    }

    func createUserAnswer(_ id: String, name: String) throws -> HTTPAnswer {
        try run(
            "mutation($i: CreateUserInput!) { createUser(input: $i) { id } }",
            ["i": ["id": .string(Text(id)), "username": .string(Text(name))]])
    }

    /// The ids of all users, in alphabetical order.
    func userIDs(key: String? = testKey) throws -> [String] {
        let answer = try run("{ listUsers(limit: 1000) { items { id } } }", key: key).json()
        let items = try #require(answer["data"]?["listUsers"]?["items"]?.items)
        return items.compactMap { $0["id"]?.text?.string }.sorted()
    }
}

extension JSONValue {
    /// The value as JSON text.
    var written: String {
        var bytes = ByteQueue()
        bytes.append(json: self)
        return bytes.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// The key of hubs that are started with one.
let testKey = "da2-abcdefghijklmnopqrstuvwxyz"
