import Access
import Bytes
import Hub
import JSON
import Testing

/// Requests over HTTP, as a client sees the answers.
@Suite struct HTTPTests {
    private func status(_ rig: Rig, _ request: String) -> Int {
        let connection = rig.open()
        rig.receive(connection, request)
        rig.settle()
        return Rig.response(rig.takeBytes(connection)).status
    }

    @Test func `a mutation is stored and a query reads it`() throws {
        let rig = try Rig()
        let created = rig.post(
            "mutation { createThread(input: {id: \"t\", name: \"n\", location: \"x\"}) { id name } }"
        )
        #expect(created.status == 200)
        #expect(created.body == ["data": ["createThread": ["id": "t", "name": "n"]]])
        let read = rig.post(
            "{ getThread(id: \"t\") { name } nobody: getThread(id: \"u\") { name } }")
        #expect(read.body == ["data": ["getThread": ["name": "n"], "nobody": nil]])
    }

    @Test func `a mutation may have more root fields than one of them may take rounds`() throws {
        let rig = try Rig()
        let count = Limits().executionRoundsMax + 6
        let fields = (0..<count).map {
            "m\($0): createThread(input: {id: \"t\($0)\", name: \"n\", location: \"x\"}) "
                + "{ id messages { items { id } } }"
        }
        let answer = rig.post("mutation { \(fields.joined(separator: " ")) }")
        #expect(answer.body["errors"] == nil)
        #expect(answer.body["data"]?.object?.count == count)
        let last = answer.body["data"]?[Text("m\(count - 1)")]
        #expect(last == ["id": .string(Text("t\(count - 1)")), "messages": ["items": []]])
    }

    @Test func `health is told without a key`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        #expect(status(rig, "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n") == 200)
        #expect(
            status(rig, "POST /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n") == 405)
        #expect(status(rig, "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n") == 404)
    }

    @Test func `without the key the answer is 401 and nothing runs`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        for headers in ["", "x-api-key: \r\n", "x-api-key: \(Rig.key)x\r\n"] {
            let answer = rig.post("{ __typename }", headers: headers)
            #expect(answer.status == 401)
            let error = answer.body["errors"]?.items?.first
            #expect(error?["errorType"] == "UnauthorizedException")
        }
        #expect(rig.post("{ __typename }", headers: "X-API-KEY: \(Rig.key)\r\n").status == 200)
    }

    @Test func `three requests in one piece are answered in order`() throws {
        let rig = try Rig()
        rig.createThread("t")
        let connection = rig.open()
        let slow = Rig.request("{\"query\":\"{ getThread(id: \\\"t\\\") { id } }\"}")
        let quick = Rig.request("{\"query\":\"{ __typename }\"}")
        rig.receive(connection, slow + quick + slow)
        rig.settle()
        let lines = rig.takeText(connection).split(separator: "\r\n")
        let bodies = lines.filter { $0.hasPrefix("{") }.map { $0.contains("__typename") }
        #expect(bodies == [false, true, false])
        #expect(rig.outlet.closed[connection] == nil)
    }

    @Test(arguments: [
        ("text/plain", 415), ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data", 415),
        ("application/json; charset=utf-8", 200), ("APPLICATION/JSON", 200),
        ("application/graphql", 200),
    ])
    func `only types that browsers ask for first are taken`(type: String, expected: Int) throws {
        let rig = try Rig()
        let body = "{\"query\":\"{ __typename }\"}"
        let request =
            "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        #expect(status(rig, request) == expected)
    }

    @Test(arguments: [
        ("not json", 400, 400), ("[]", 400, 400), ("{}", 400, 400), ("{\"query\":7}", 400, 400),
        ("{\"query\":\"{ __typename }\",\"variables\":7}", 400, 400),
        ("{\"query\":\"{ __typename }\",\"operationName\":[]}", 400, 400),
        ("{\"query\":\"{ __typename }\",\"extensions\":\"x\"}", 400, 400),
        ("{\"query\":\"{\"}", 200, 400), ("{\"query\":\"{ nothing }\"}", 200, 400),
        ("{\"query\":\"query A { __typename }\",\"operationName\":\"B\"}", 200, 400),
        ("{\"query\":\"query($a: ID!) { __typename }\",\"variables\":{\"a\":null}}", 200, 400),
        ("{\"query\":\"{ __typename }\",\"variables\":null,\"operationName\":null}", 200, 200),
    ])
    func `each fault has its status in both media types`(
        body: String, json: Int, graphql: Int
    ) throws {
        let rig = try Rig()
        #expect(status(rig, Rig.request(body, headers: "Accept: application/json\r\n")) == json)
        let accept = "Accept: application/graphql-response+json\r\n"
        #expect(status(rig, Rig.request(body, headers: accept)) == graphql)
    }

    @Test(arguments: [
        ("*/*", "application/json"), ("APPLICATION/JSON", "application/json"),
        ("text/html, application/*", "application/json"),
        (
            "application/graphql-response+json, application/json",
            "application/graphql-response+json"
        ),
        (
            "application/json;q=0.9,application/graphql-response+json",
            "application/graphql-response+json"
        ),
        (
            "application/graphql-response+json; charset=utf-8 ; q=0.2, */*; Q=0.3",
            "application/json"
        ),
        ("application/graphql-response+json;q=0, application/json", "application/json"),
    ])
    func `the best of the media types that are taken is served`(
        accept: String, type: String
    ) throws {
        let rig = try Rig()
        let connection = rig.open()
        let body = "{\"query\":\"{ __typename }\"}"
        rig.receive(connection, Rig.request(body, headers: "Accept: \(accept)\r\n"))
        #expect(rig.takeText(connection).contains("\r\nContent-Type: \(type);"))
    }

    @Test(arguments: ["text/html", "application/jsonx", "application/json;q=0", "*/*;q=none"])
    func `without a media type that is served the answer is 406`(accept: String) throws {
        let request = Rig.request("{\"query\":\"{ a }\"}", headers: "Accept: \(accept)\r\n")
        #expect(status(try Rig(), request) == 406)
    }

    @Test func `queries run over GET and mutations do not`() throws {
        let rig = try Rig()
        func get(_ query: String) -> Int {
            status(rig, "GET /graphql?query=\(query) HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        #expect(get("%7B__typename%7D") == 200)
        #expect(get("mutation%7B__typename%7D") == 405)
        #expect(get("subscription%7BonCreateThread%7Bid%7D%7D") == 400)
        #expect(status(rig, "PUT /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n") == 405)
    }

    @Test func `a GET that does not say which operation it means is refused by its status`() throws
    {
        let rig = try Rig()
        let both = "query%20Q%7B__typename%7D%20mutation%20M%7B__typename%7D"
        for query in [both, "\(both)&operationName=N"] {
            #expect(status(rig, "GET /graphql?query=\(query) HTTP/1.1\r\nHost: h\r\n\r\n") == 400)
        }
        let named = "GET /graphql?query=\(both)&operationName=M HTTP/1.1\r\nHost: h\r\n\r\n"
        #expect(status(rig, named) == 405)
    }

    @Test func `a body over the limit is refused by its size`() throws {
        let rig = try Rig { $0.messageBytesMax = 2_000 }
        let long = Rig.request(
            "{\"query\":\"\(String(repeating: " ", count: 3_000)){ __typename }\"}")
        #expect(status(rig, long) == 413)
    }

    @Test func `a slow head and a resting connection are ended in time`() throws {
        let rig = try Rig()
        let slow = rig.open()
        rig.receive(slow, "POST /gra")
        let silent = rig.open()
        let resting = rig.open()
        rig.receive(resting, Rig.request("{\"query\":\"{ __typename }\"}"))
        rig.nanoseconds += 11_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.takeText(slow).hasPrefix("HTTP/1.1 408"))
        #expect(rig.outlet.closed[slow] != nil)
        #expect(rig.outlet.closed[silent] != nil)
        #expect(rig.outlet.closed[resting] == nil)
        rig.nanoseconds += 76_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.outlet.closed[resting] != nil)
    }

    @Test func `the head of a later request has no more time than that of the first`() throws {
        let rig = try Rig()
        let quick = Rig.request("{\"query\":\"{ __typename }\"}")
        let dripping = rig.open()
        rig.receive(dripping, quick)
        let piped = rig.open()
        rig.receive(piped, quick + "POST /gra")
        rig.nanoseconds += 5_000_000_000
        for letter in ["P", "O", "S", "T"] {
            rig.receive(dripping, letter)
            rig.nanoseconds += 3_000_000_000
            rig.shard.woke(at: rig.moment)
        }
        #expect(rig.takeText(dripping).contains("HTTP/1.1 408"))
        #expect(rig.takeText(piped).contains("HTTP/1.1 408"))
        #expect(rig.outlet.closed[dripping] == true)
    }

    @Test func `all requests of a client that has ended its side are answered`() throws {
        let rig = try Rig()
        let slow = Rig.request("{\"query\":\"{ listThreads { nextToken } }\"}")
        for rest in ["", "POST /gra"] {
            let connection = rig.open()
            rig.receive(connection, slow + slow + slow + rest)
            #expect(rig.shard.peerFinished(connection, at: rig.moment))
            rig.settle()
            let text = rig.takeText(connection)
            #expect(text.components(of: "HTTP/1.1 200") == 3)
            #expect(rig.outlet.closed[connection] == true)
        }
    }

    @Test func `a client that has ended its side still gets the answer`() throws {
        let rig = try Rig()
        let connection = rig.open()
        rig.receive(connection, Rig.request("{\"query\":\"{ listThreads { nextToken } }\"}"))
        #expect(rig.shard.peerFinished(connection, at: rig.moment))
        rig.settle()
        #expect(Rig.response(rig.takeBytes(connection)).status == 200)
        #expect(rig.outlet.closed[connection] == true)
    }

    @Test(arguments: ["", "POST /gra"])
    func `a client that has ended its side gets the answers to all it sent`(rest: String) throws {
        let rig = try Rig()
        let connection = rig.open()
        let request = Rig.request("{\"query\":\"{ listThreads { nextToken } }\"}")
        rig.receive(connection, request + request + request + rest)
        #expect(rig.shard.peerFinished(connection, at: rig.moment))
        rig.settle()
        #expect(rig.takeText(connection).split(separator: "HTTP/1.1 200").count == 3)
        #expect(rig.outlet.closed[connection] == true)
    }
}

extension String {
    /// How often the other text stands in this one.
    fileprivate func components(of other: String) -> Int {
        var rest = self[...]
        var count = 0
        while let place = rest.firstRange(of: other) {
            count += 1
            rest = rest[place.upperBound...]
        }
        return count
    }
}
