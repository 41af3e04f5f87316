import Bytes
import GraphQL
import Hub
import JSON
import Testing

/// Statuses of answers over HTTP, in both profiles and both media types: each row of the table in
/// the how-to on statuses.
@Suite struct HTTPStatusTests {
    /// A request, and its statuses in four combinations.
    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var request: Request
        /// Of the audits under graphql-response+json and json, then of the draft under both.
        var statuses: [Int]
        var hasData = false
        var hasErrors = true
        var description: String { name }

        enum Request: Sendable {
            case post(String)
            /// What stands behind `GET /graphql?`.
            case get(String)
            /// The first line and fields of a request without body.
            case other(String, fields: String = "")
        }
    }

    private static let known = "query A { __typename } query B { __typename }"

    static let rows: [Row] = [
        Row(name: "not JSON", request: .post("{ nope"), statuses: [400, 400, 400, 400]),
        Row(name: "no body", request: .post(""), statuses: [400, 400, 400, 400]),
        Row(name: "no query", request: .post("{}"), statuses: [400, 400, 422, 422]),
        Row(
            name: "null query", request: .post(#"{"query":null}"#), statuses: [400, 400, 422, 422]),
        Row(
            name: "query of the wrong kind", request: .post(#"{"query":7}"#),
            statuses: [400, 400, 422, 422]),
        Row(
            name: "variables of the wrong kind",
            request: .post(#"{"query":"{ __typename }","variables":[]}"#),
            statuses: [400, 400, 422, 422]),
        Row(
            name: "a batch", request: .post(#"[{"query":"{ __typename }"}]"#),
            statuses: [400, 400, 422, 422]),
        Row(
            name: "a document that does not parse", request: .post(#"{"query":"{"}"#),
            statuses: [400, 200, 400, 400]),
        Row(
            name: "a document that does not validate", request: .post(#"{"query":"{ nope }"}"#),
            statuses: [400, 200, 422, 422]),
        Row(
            name: "no operation of that name",
            request: .post(#"{"query":"\#(known)","operationName":"C"}"#),
            statuses: [400, 200, 422, 422]),
        Row(
            name: "one of several operations, but which",
            request: .post(#"{"query":"\#(known)"}"#), statuses: [400, 200, 422, 422]),
        Row(
            name: "variables that do not coerce",
            request: .post(
                #"{"query":"query($id: ID!) { getThread(id: $id) { id } }","#
                    + #""variables":{"id":null}}"#),
            statuses: [400, 200, 422, 422]),
        Row(
            name: "executed", request: .post(#"{"query":"{ __typename }"}"#),
            statuses: [200, 200, 200, 200], hasData: true, hasErrors: false),
        Row(
            name: "executed, with an error beside the data",
            request: .post(#"{"query":"{ __typename listThreads(limit: -1) { nextToken } }"}"#),
            statuses: [200, 200, 294, 294], hasData: true),
        Row(
            name: "a query by GET", request: .get("query=%7B__typename%7D"),
            statuses: [200, 200, 200, 200], hasData: true, hasErrors: false),
        Row(
            name: "a GET that does not say which operation",
            request: .get("query=query%20A%7B__typename%7D%20mutation%20B%7B__typename%7D"),
            statuses: [400, 400, 422, 422]),
        Row(
            name: "a GET without query", request: .get("x=y"), statuses: [400, 400, 422, 422]),
        Row(
            name: "a GET whose variables are not JSON",
            request: .get("query=%7B__typename%7D&variables=%7B"), statuses: [400, 400, 422, 422]),
        Row(
            name: "a GET that is not UTF-8", request: .get("query=%ff"),
            statuses: [400, 400, 400, 400]),
        Row(
            name: "a mutation by GET", request: .get("query=mutation%7B__typename%7D"),
            statuses: [405, 405, 405, 405]),
        Row(
            name: "a method that is not served", request: .other("DELETE /graphql"),
            statuses: [405, 405, 405, 405]),
        Row(
            name: "a media type that is not read",
            request: .other("POST /graphql", fields: "Content-Type: text/plain\r\n"),
            statuses: [415, 415, 415, 415]),
        Row(
            name: "a hash that nobody has sent",
            request: .post(
                #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}"#),
            statuses: [400, 200, 422, 422]),
        Row(
            name: "a hash that is not the query's",
            request: .post(
                #"{"query":"{ __typename }","#
                    + #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}"#),
            statuses: [400, 400, 422, 422]),
    ]

    private static let medias = ["application/graphql-response+json", "application/json"]

    private static func text(_ request: Row.Request, accept: String) -> String {
        let accept = "Accept: \(accept)\r\n"
        return switch request {
        case .post(let body): Rig.request(body, headers: accept)
        case .get(let query): "GET /graphql?\(query) HTTP/1.1\r\nHost: h\r\n\(accept)\r\n"
        case .other(let line, let fields):
            "\(line) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\(accept)\(fields)\r\n"
        }
    }

    @Test(arguments: rows) func `each row of the table has its status`(row: Row) throws {
        var statuses: [Int] = []
        for profile in [HTTPStatusProfile.audits, .draft] {
            var rules = OperationRules()
            rules.statuses = profile
            let rig = try Rig(rules: rules)
            for media in Self.medias {
                let connection = rig.open()
                rig.receive(connection, Self.text(row.request, accept: media))
                rig.settle()
                let answer = rig.takeText(connection)
                let (status, body) = Rig.response(Array(answer.utf8))
                statuses.append(status)
                #expect((body["data"] != nil) == row.hasData, "\(answer)")
                #expect((body["errors"] != nil) == row.hasErrors, "\(answer)")
                if status == 405 { #expect(answer.contains("\r\nAllow: "), "\(answer)") }
            }
        }
        #expect(statuses == row.statuses)
    }

    @Test func `what was given up has no data and is no success`() throws {
        for (profile, wanted) in [(HTTPStatusProfile.audits, [400, 200]), (.draft, [422, 422])] {
            var rules = OperationRules()
            rules.statuses = profile
            let rig = try Rig(rules: rules) { $0.recordsPerOperationMax = 1 }
            for id in ["a", "b", "c"] { rig.createThread(id) }
            let statuses = Self.medias.map { media in
                rig.post("{ listThreads { items { id } } }", headers: "Accept: \(media)\r\n").status
            }
            #expect(statuses == wanted)
        }
    }

    @Test func `data that is null is a part of an answer`() throws {
        for (profile, wanted) in [(HTTPStatusProfile.audits, 200), (.draft, 294)] {
            var rules = OperationRules()
            rules.statuses = profile
            let rig = try Rig(rules: rules) { $0.document.resultNodesMax = 1 }
            let answer = rig.post("{ listThreads { nextToken } a: listThreads { nextToken } }")
            #expect(answer.body["data"] == .some(nil) && answer.body["errors"] != nil)
            #expect(answer.status == wanted)
        }
    }

    @Test func `HEAD has the status and length of GET, and no body`() throws {
        let rig = try Rig()
        for query in ["query=%7B__typename%7D", "query=%7B", "query=mutation%7B__typename%7D"] {
            let answers = ["GET", "HEAD"].map { method in
                let connection = rig.open()
                rig.receive(connection, "\(method) /graphql?\(query) HTTP/1.1\r\nHost: h\r\n\r\n")
                rig.settle()
                return rig.takeText(connection).components(at: "\r\n\r\n")
            }
            #expect(answers[0][0] == answers[1][0])
            #expect(!answers[0][1].isEmpty && answers[1][1].isEmpty)
        }
    }

    @Test func `a GET's parameters are read by the letter`() throws {
        let rig = try Rig()
        func get(_ query: String) -> (status: Int, body: JSONValue) {
            let connection = rig.open()
            rig.receive(connection, "GET /graphql?\(query) HTTP/1.1\r\nHost: h\r\n\r\n")
            rig.settle()
            return Rig.response(rig.takeBytes(connection))
        }
        rig.createThread("t+1")
        let read = "query=query($id:ID!)%7BgetThread(id:$id)%7Bid%7D%7D"
        let found: JSONValue = ["data": ["getThread": ["id": "t+1"]]]
        #expect(get("\(read)&variables=%7B%22id%22:%22t%2B1%22%7D").body == found)
        // Whoever wrote the form put a plus for a blank.
        #expect(
            get("\(read.replacing("query(", with: "query+("))&variables=%7B%22id%22:%22t%2B1%22%7D")
                .body == found)
        // Empty is absent, for each of them.
        let plain = "query=%7B__typename%7D"
        #expect(get("\(plain)&variables=&operationName=&extensions=&documentId=").status == 200)
        #expect(get("query=&variables=").status == 400)
        // `null` is null for JSON, and a name for a name.
        #expect(get("\(plain)&variables=null&extensions=null").status == 200)
        let wrong = get("\(plain)&operationName=null").body["errors"]?.items?.first
        #expect(wrong?["message"]?.text?.string.contains("\"null\"") == true)
        #expect(get("query=query%20null%7B__typename%7D&operationName=null").status == 200)
        #expect(get("\(plain)&extensions=%5B%5D").status == 400)
        #expect(get("\(plain)&something=else").status == 200)
    }

    @Test func `who cannot be served is told what to do instead`() throws {
        let rig = try Rig()
        func message(_ request: String) -> String {
            let connection = rig.open()
            rig.receive(connection, request)
            rig.settle()
            let body = Rig.response(rig.takeBytes(connection)).body
            return body["errors"]?.items?.first?["message"]?.text?.string ?? ""
        }
        #expect(message(Rig.request("[]")).contains("each operation as a request of its own"))
        #expect(message(Rig.request("{}")) == "the request has no 'query' and no 'documentId'")
        #expect(
            message(Rig.request(#"{"query":"subscription { onCreateThread { id } }"}"#))
                .contains("graphql-transport-ws"))
    }
}

extension String {
    /// The two parts before and behind the first place of the mark.
    fileprivate func components(at mark: String) -> [String] {
        guard let place = firstRange(of: mark) else { return [self, ""] }
        return [String(self[..<place.lowerBound]), String(self[place.upperBound...])]
    }
}
