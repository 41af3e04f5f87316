/// One of the 61 published server audits of GraphQL over HTTP (graphql-http), by its name there:
/// a request, and what its answer is to be. They know nothing of a schema.
public struct HTTPAudit: Sendable, CustomStringConvertible {
    /// How much a server owes it. Missing one is an error, a warning or a notice.
    public enum Level: String, Sendable {
        case must = "MUST"
        case should = "SHOULD"
        case may = "MAY"
    }

    /// What is wanted of an answer.
    public enum Wanted: Sendable {
        case status(ClosedRange<Int>, mediaType: String? = nil)
        /// 200, and no errors.
        case success
        /// No member `data`.
        case noData

        static func status(_ exactly: Int, mediaType: String? = nil) -> Wanted {
            .status(exactly...exactly, mediaType: mediaType)
        }

        /// Any refusal that blames the client.
        static var refused: Wanted { .status(400...499) }
    }

    /// The audit's name.
    public var id: String
    /// How much a server owes it.
    public var level: Level
    /// The bytes of the request.
    public var request: String
    /// What its answer is to be.
    public var wanted: Wanted

    /// The name.
    public var description: String { id }

    /// Whether an answer, whole and in UTF-8, is what the audit wants.
    public func isPassed(by answer: String) -> Bool {
        guard let end = answer.firstRange(of: "\r\n\r\n"),
            let status = answer.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return false }
        let head = answer[..<end.lowerBound]
        let body = answer[end.upperBound...]
        switch wanted {
        case .status(let range, let mediaType):
            guard range.contains(status) else { return false }
            guard let mediaType else { return true }
            return head.contains("\r\nContent-Type: \(mediaType); charset=utf-8")
        case .success:
            return status == 200 && body.hasPrefix("{\"data\":{") && !Self.hasErrors(body)
        case .noData: return body.hasPrefix("{\"errors\":[") && !body.contains("\"data\":")
        }
    }

    /// The documents ask for nothing that could have this name.
    private static func hasErrors(_ body: Substring) -> Bool { body.contains("\"errors\":") }

    private static let graphql = "application/graphql-response+json"
    private static let json = "application/json"
    private static let query = #""query":"{ __typename }""#

    private static func post(
        _ body: String, accept: String? = nil, type: String? = "application/json"
    ) -> String {
        "POST /graphql HTTP/1.1\r\nHost: hub\r\n" + field("Accept", accept)
            + field("Content-Type", type) + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func get(_ query: String, accept: String? = nil) -> String {
        "GET /graphql?\(query) HTTP/1.1\r\nHost: hub\r\n\(field("Accept", accept))\r\n"
    }

    private static func field(_ name: String, _ value: String?) -> String {
        value.map { "\(name): \($0)\r\n" } ?? ""
    }

    private static let media: [HTTPAudit] = [
        HTTPAudit(
            id: "22EB", level: .should, request: post("{\(query)}", accept: graphql),
            wanted: .status(200, mediaType: graphql)),
        HTTPAudit(
            id: "4655", level: .must, request: post("{\(query)}", accept: json),
            wanted: .status(200, mediaType: json)),
        HTTPAudit(
            id: "47DE", level: .should, request: post("{\(query)}", accept: "*/*"),
            wanted: .status(200, mediaType: json)),
        HTTPAudit(
            id: "80D8", level: .should, request: post("{\(query)}"),
            wanted: .status(200, mediaType: json)),
        HTTPAudit(id: "82A3", level: .must, request: post("{\(query)}"), wanted: .status(200)),
        HTTPAudit(
            id: "BF61", level: .must,
            request: post(
                #"{"query":"{ __type(name: \"Run🏃Swim🏊\") { name } }"}"#,
                type: "application/json; charset=utf-8"),
            wanted: .success),
        HTTPAudit(id: "78D5", level: .must, request: post("{\(query)}"), wanted: .status(200)),
        HTTPAudit(id: "2C94", level: .must, request: post("{\(query)}"), wanted: .status(200)),
        HTTPAudit(id: "03D4", level: .must, request: post("{\(query)}"), wanted: .status(200)),
        HTTPAudit(
            id: "9ABE", level: .should, request: post("{\(query)}", type: "text/plain"),
            wanted: .refused),
        HTTPAudit(id: "A5BF", level: .may, request: post(""), wanted: .status(400)),
        HTTPAudit(
            id: "5A70", level: .may, request: get("query=%7B__typename%7D"), wanted: .status(200)),
        HTTPAudit(
            id: "9C48", level: .may,
            request: get("query=mutation%7B__typename%7D", accept: graphql),
            wanted: .refused),
    ]

    /// Members of the wrong kind, each with all kinds that it must not have.
    private static var kinds: [HTTPAudit] {
        let table: [(ids: [String], member: String, values: [String])] = [
            (
                ["LKJ0", "LKJ1", "LKJ2", "LKJ3"], "query",
                ["{\"obj\":\"ect\"}", "0", "false", "[]"]
            ),
            (
                ["6C00", "6C01", "6C02", "6C03"], "operationName",
                ["{\"obj\":\"ect\"}", "0", "false", "[\"array\"]"]
            ),
            (
                ["4760", "4761", "4762", "4763"], "variables",
                ["\"string\"", "0", "false", "[\"array\"]"]
            ),
            (
                ["58B0", "58B1", "58B2", "58B3"], "extensions",
                ["\"string\"", "0", "false", "[\"array\"]"]
            ),
        ]
        return table.flatMap { row in
            zip(row.ids, row.values).map { id, value in
                let member = "\"\(row.member)\":\(value)"
                let body = row.member == "query" ? "{\(member)}" : "{\(query),\(member)}"
                return HTTPAudit(
                    id: id, level: .may, request: post(body, accept: graphql), wanted: .status(400))
            }
        }
    }

    private static let members: [HTTPAudit] = [
        HTTPAudit(
            id: "423L", level: .may,
            request: post(#"{"notquery":"{ __typename }"}"#, accept: graphql),
            wanted: .status(400)),
        HTTPAudit(
            id: "34A2", level: .should, request: post("{\(query)}", accept: graphql),
            wanted: .status(200)),
        HTTPAudit(
            id: "13EE", level: .must, request: post("{\(query)}", accept: json), wanted: .success),
        HTTPAudit(
            id: "8764", level: .may, request: post(#"{"qeury":"{ __typename }"}"#),
            wanted: .status(400...599)),
        HTTPAudit(
            id: "3E3A", level: .may, request: post(#"{"qeury":"{ __typename }"}"#),
            wanted: .status(400)),
        HTTPAudit(
            id: "B6DC", level: .may, request: post("{ \"not a JSON", accept: json),
            wanted: .status(200...599)),
        HTTPAudit(
            id: "BCF8", level: .should, request: post("{ \"not a JSON", accept: json),
            wanted: .status(400)),
        HTTPAudit(
            id: "B7N8", level: .should, request: post("{ \"not a JSON", accept: graphql),
            wanted: .status(400)),
    ]

    /// Members that are allowed, in both media types.
    private static var allowed: [HTTPAudit] {
        let named = #""query":"query Query { __typename }","operationName":"Query""#
        let typed =
            #""query":"query Type($name: String!) { __type(name: $name) { name } }","#
            + #""variables":{"name":"sometype"}"#
        let table: [(graphqlID: String, jsonID: String, members: String)] = [
            ("8161", "B8B3", named), ("94B0", "0220", "\(query),\"variables\":null"),
            ("94B1", "0221", "\(query),\"operationName\":null"),
            ("94B2", "0222", "\(query),\"extensions\":null"), ("2EA1", "28B9", typed),
            ("428F", "1B7A", "\(query),\"extensions\":{\"some\":\"value\"}"),
        ]
        let url =
            "query=query%20Type($name:String!)%7B__type(name:$name)%7Bname%7D%7D"
            + "&variables=%7B%22name%22:%22sometype%22%7D"
        return [
            HTTPAudit(
                id: "D6D5", level: .may, request: get(url, accept: graphql), wanted: .success),
            HTTPAudit(id: "6A70", level: .may, request: get(url, accept: json), wanted: .success),
        ]
            + table.flatMap { row in
                [
                    HTTPAudit(
                        id: row.graphqlID, level: .should,
                        request: post("{\(row.members)}", accept: graphql),
                        wanted: .success),
                    HTTPAudit(
                        id: row.jsonID, level: .must,
                        request: post("{\(row.members)}", accept: json),
                        wanted: .success),
                ]
            }
    }

    /// Documents that cannot run.
    private static var documents: [HTTPAudit] {
        let syntax = #"{"query":"{"}"#
        let unknown = #"{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}"#
        let coercion =
            #"{"query":"query CoerceFailure($id: ID!) { __typename }","variables":{"id":null}}"#
        return [
            HTTPAudit(
                id: "572B", level: .should, request: post(syntax, accept: json),
                wanted: .status(200)),
            HTTPAudit(
                id: "FDE2", level: .should, request: post(unknown, accept: json),
                wanted: .status(200)),
            HTTPAudit(
                id: "7B9B", level: .should, request: post(coercion, accept: json),
                wanted: .status(200)),
            HTTPAudit(
                id: "865D", level: .should, request: post(syntax, accept: graphql),
                wanted: .status(400...599)),
            HTTPAudit(
                id: "556A", level: .should, request: post(syntax, accept: graphql),
                wanted: .status(400)),
            HTTPAudit(
                id: "D586", level: .should, request: post(syntax, accept: graphql),
                wanted: .noData),
            HTTPAudit(
                id: "51FE", level: .should, request: post(unknown, accept: graphql),
                wanted: .status(400...599)),
            HTTPAudit(
                id: "74FF", level: .should, request: post(unknown, accept: graphql),
                wanted: .status(400)),
            HTTPAudit(
                id: "5E5B", level: .should, request: post(unknown, accept: graphql), wanted: .noData
            ),
            HTTPAudit(
                id: "86EE", level: .should, request: post(coercion, accept: graphql),
                wanted: .status(400)),
        ]
    }

    /// All of them, each once.
    public static let all = media + kinds + members + allowed + documents
}
