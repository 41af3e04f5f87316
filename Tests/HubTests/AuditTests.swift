import Bytes
import HTTP1
import Hub
import JSON
import Testing

/// The published server audits of GraphQL over HTTP (graphql-http, 61 of them), by their names
/// there. All are to pass, those that are only recommended too.
@Suite struct AuditTests {
    /// What is wanted of an answer.
    enum Wanted {
        case status(ClosedRange<Int>, mediaType: String? = nil)
        /// 200, and no errors.
        case success
        /// No member `data`.
        case noData

        static func status(_ exactly: Int, mediaType: String? = nil) -> Wanted {
            .status(exactly...exactly, mediaType: mediaType)
        }
    }

    struct Audit: Sendable, CustomTestStringConvertible {
        var id: String
        var request: String
        var wanted: Wanted
        var testDescription: String { id }
    }

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

    private static let media: [Audit] = [
        Audit(
            id: "22EB", request: post("{\(query)}", accept: graphql),
            wanted: .status(200, mediaType: graphql)),
        Audit(
            id: "4655", request: post("{\(query)}", accept: json),
            wanted: .status(200, mediaType: json)),
        Audit(
            id: "47DE", request: post("{\(query)}", accept: "*/*"),
            wanted: .status(200, mediaType: json)),
        Audit(id: "80D8", request: post("{\(query)}"), wanted: .status(200, mediaType: json)),
        Audit(id: "82A3", request: post("{\(query)}"), wanted: .status(200)),
        Audit(
            id: "BF61",
            request: post(
                #"{"query":"{ __type(name: \"Run🏃Swim🏊\") { name } }"}"#,
                type: "application/json; charset=utf-8"),
            wanted: .success),
        Audit(id: "78D5", request: post("{\(query)}"), wanted: .status(200)),
        Audit(id: "2C94", request: post("{\(query)}"), wanted: .status(200)),
        Audit(id: "03D4", request: post("{\(query)}"), wanted: .status(200)),
        Audit(id: "9ABE", request: post("{\(query)}", type: "text/plain"), wanted: .refused),
        Audit(id: "A5BF", request: post(""), wanted: .status(400)),
        Audit(id: "5A70", request: get("query=%7B__typename%7D"), wanted: .status(200)),
        Audit(
            id: "9C48", request: get("query=mutation%7B__typename%7D", accept: graphql),
            wanted: .refused),
    ]

    /// Members of the wrong kind, each with all kinds that it must not have.
    private static var kinds: [Audit] {
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
                return Audit(id: id, request: post(body, accept: graphql), wanted: .status(400))
            }
        }
    }

    private static let members: [Audit] = [
        Audit(
            id: "423L", request: post(#"{"notquery":"{ __typename }"}"#, accept: graphql),
            wanted: .status(400)),
        Audit(id: "34A2", request: post("{\(query)}", accept: graphql), wanted: .status(200)),
        Audit(id: "13EE", request: post("{\(query)}", accept: json), wanted: .success),
        Audit(
            id: "8764", request: post(#"{"qeury":"{ __typename }"}"#), wanted: .status(400...599)),
        Audit(id: "3E3A", request: post(#"{"qeury":"{ __typename }"}"#), wanted: .status(400)),
        Audit(
            id: "B6DC", request: post("{ \"not a JSON", accept: json), wanted: .status(200...599)),
        Audit(id: "BCF8", request: post("{ \"not a JSON", accept: json), wanted: .status(400)),
        Audit(id: "B7N8", request: post("{ \"not a JSON", accept: graphql), wanted: .status(400)),
    ]

    /// Members that are allowed, in both media types.
    private static var allowed: [Audit] {
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
            Audit(id: "D6D5", request: get(url, accept: graphql), wanted: .success),
            Audit(id: "6A70", request: get(url, accept: json), wanted: .success),
        ]
            + table.flatMap { row in
                [
                    Audit(
                        id: row.graphqlID, request: post("{\(row.members)}", accept: graphql),
                        wanted: .success),
                    Audit(
                        id: row.jsonID, request: post("{\(row.members)}", accept: json),
                        wanted: .success),
                ]
            }
    }

    /// Documents that cannot run.
    private static var documents: [Audit] {
        let syntax = #"{"query":"{"}"#
        let unknown = #"{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}"#
        let coercion =
            #"{"query":"query CoerceFailure($id: ID!) { __typename }","variables":{"id":null}}"#
        return [
            Audit(id: "572B", request: post(syntax, accept: json), wanted: .status(200)),
            Audit(id: "FDE2", request: post(unknown, accept: json), wanted: .status(200)),
            Audit(id: "7B9B", request: post(coercion, accept: json), wanted: .status(200)),
            Audit(id: "865D", request: post(syntax, accept: graphql), wanted: .status(400...599)),
            Audit(id: "556A", request: post(syntax, accept: graphql), wanted: .status(400)),
            Audit(id: "D586", request: post(syntax, accept: graphql), wanted: .noData),
            Audit(id: "51FE", request: post(unknown, accept: graphql), wanted: .status(400...599)),
            Audit(id: "74FF", request: post(unknown, accept: graphql), wanted: .status(400)),
            Audit(id: "5E5B", request: post(unknown, accept: graphql), wanted: .noData),
            Audit(id: "86EE", request: post(coercion, accept: graphql), wanted: .status(400)),
        ]
    }

    static let all = media + kinds + members + allowed + documents

    @Test func `there are 61 audits, each once`() {
        #expect(Self.all.count == 61)
        #expect(Set(Self.all.map(\.id)).count == 61)
    }

    @Test(arguments: all)
    func `an audit passes`(audit: Audit) throws {
        let rig = try Rig()
        let connection = rig.open()
        rig.receive(connection, audit.request)
        rig.settle()
        let bytes = rig.takeBytes(connection)
        let text = try #require(String(validating: bytes, as: UTF8.self))
        let answer = Rig.response(bytes)
        switch audit.wanted {
        case .status(let range, let mediaType):
            #expect(range.contains(answer.status), "\(text)")
            if let mediaType {
                #expect(text.contains("Content-Type: \(mediaType); charset=utf-8\r\n"), "\(text)")
            }
        case .success:
            #expect(answer.status == 200)
            #expect(answer.body["errors"] == nil, "\(text)")
            #expect(answer.body["data"] != nil)
        case .noData: #expect(answer.body["data"] == nil && answer.body["errors"] != nil, "\(text)")
        }
    }
}

extension AuditTests.Wanted {
    /// Any refusal that blames the client.
    static var refused: AuditTests.Wanted { .status(400...499) }
}
