import Bytes
import Crypto
import Hub
import JSON
import Testing

/// Operations that clients name instead of sending them.
@Suite struct PersistedOperationTests {
    private static let query = "{ __typename }"

    private static func hash(_ text: String) -> Text {
        Text(text).withBytes { bytes in SHA256.digest(bytes) { Text(Hex.encode($0)) } }
    }

    private static func persisted(_ hash: Text) -> JSONObject {
        ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]
    }

    private static func named(_ text: String) -> JSONValue {
        ["extensions": .object(persisted(hash(text)))]
    }

    private static func given(_ text: String) -> JSONValue {
        ["query": .string(Text(text)), "extensions": .object(persisted(hash(text)))]
    }

    private static func trusting(
        _ documents: [(Text, String)], only: Bool = false, remembers: Bool = true
    ) throws -> OperationRules {
        var rules = OperationRules()
        rules.trusted = try TrustedDocuments(
            documents.map { TrustedDocuments.Entry(id: $0.0, text: Text($0.1)) })
        rules.takesTrustedOnly = only
        rules.remembersDocuments = remembers
        return rules
    }

    private func post(_ rig: Rig, _ body: JSONValue) -> JSONValue {
        let connection = rig.open()
        rig.receive(connection, Rig.request(body.jsonText))
        rig.settle()
        return Rig.response(rig.takeBytes(connection)).body
    }

    private func get(_ rig: Rig, _ query: String) -> (status: Int, body: JSONValue) {
        let connection = rig.open()
        rig.receive(connection, "GET /graphql?\(query) HTTP/1.1\r\nHost: h\r\n\r\n")
        rig.settle()
        return Rig.response(rig.takeBytes(connection))
    }

    private func code(_ answer: JSONValue) -> Text? {
        answer["errors"]?.items?.first?["extensions"]?["code"]?.text
    }

    private static let success: JSONValue = ["data": ["__typename": "Query"]]

    // MARK: Automatic

    @Test func `a hash is not known, then sent with its query, then known`() throws {
        let rig = try Rig()
        let missed = post(rig, Self.named(Self.query))
        #expect(
            missed == [
                "errors": [
                    [
                        "message": "PersistedQueryNotFound",
                        "extensions": ["code": "PERSISTED_QUERY_NOT_FOUND"],
                    ]
                ]
            ])
        #expect(post(rig, Self.given(Self.query)) == Self.success)
        #expect(post(rig, Self.named(Self.query)) == Self.success)
        #expect(
            post(rig, ["documentId": .string("sha256:" + Self.hash(Self.query))]) == Self.success)
        let counters = rig.shard.counters
        #expect(counters.documentsMissed == 1 && counters.documentsFound == 2)
        #expect(counters.documentsRemembered == 1 && counters.documentsRefused == 0)
    }

    @Test func `the same by GET, and never for a mutation`() throws {
        let rig = try Rig()
        let mutation = "mutation{__typename}"
        let steps: [(query: String, status: Int)] = [(Self.query, 200), (mutation, 405)]
        for step in steps {
            let extensions = JSONValue.object(Self.persisted(Self.hash(step.query))).jsonText
                .addingPercents
            let missed = get(rig, "extensions=\(extensions)")
            #expect(missed.status == 200 && code(missed.body) == "PERSISTED_QUERY_NOT_FOUND")
            let sent = get(rig, "query=\(step.query.addingPercents)&extensions=\(extensions)")
            #expect(sent.status == step.status)
            #expect(get(rig, "extensions=\(extensions)").status == step.status)
        }
    }

    @Test(arguments: ["graphql-transport-ws", "graphql-ws", "appsync"])
    func `the same over each protocol of WebSocket`(name: String) throws {
        let rig = try Rig()
        let socket = rig.readySocket(name == "appsync" ? "graphql-ws" : name)
        func ask(_ id: Text, _ payload: JSONValue) -> JSONValue? {
            let body: JSONValue =
                name == "appsync" ? ["data": .string(Text(payload.jsonText))] : payload
            let type: JSONValue = name == "graphql-transport-ws" ? "subscribe" : "start"
            rig.say(socket, ["id": .string(id), "type": type, "payload": body])
            rig.settle()
            return rig.hear(socket).first
        }
        let subscription = "subscription { onCreateThread { id } }"
        let missed = ask("1", Self.named(subscription))
        #expect(missed?["type"] == "error")
        #expect(missed?.jsonText.contains("PERSISTED_QUERY_NOT_FOUND") == true)
        for (id, body) in [("2", Self.given(subscription)), ("3", Self.named(subscription))] {
            #expect(ask(Text(id), body)?["type"] != "error")
        }
        #expect(rig.shard.counters.subscriptionsLive == 2)
        rig.createThread("t")
        #expect(rig.hear(socket).count == 2)
    }

    @Test func `a hash that is not the query's is refused and nothing remembered`() throws {
        let rig = try Rig()
        let wrong: JSONValue = [
            "query": .string(Text(Self.query)),
            "extensions": .object(Self.persisted(Self.hash("{a}"))),
        ]
        let answer = post(rig, wrong)
        #expect(code(answer) == "PERSISTED_QUERY_MISMATCH")
        #expect(answer.jsonText.contains("provided sha does not match query"))
        #expect(code(post(rig, Self.named("{a}"))) == "PERSISTED_QUERY_NOT_FOUND")
        #expect(rig.shard.counters.documentsRemembered == 0)
    }

    @Test(arguments: ["{ nope }", "{"]) func `a document that is no good is not remembered`(
        text: String
    ) throws {
        let rig = try Rig()
        #expect(post(rig, Self.given(text))["errors"] != nil)
        #expect(code(post(rig, Self.named(text))) == "PERSISTED_QUERY_NOT_FOUND")
    }

    @Test(arguments: [
        #""x""#, "[]", #"{"sha256Hash":"00"}"#, #"{"version":2,"sha256Hash":"00"}"#,
        #"{"version":1}"#, #"{"version":1,"sha256Hash":7}"#, #"{"version":1,"sha256Hash":""}"#,
    ])
    func `an extension that is not Apollo's is refused`(value: String) throws {
        let rig = try Rig()
        let connection = rig.open()
        let body = #"{"query":"{ __typename }","extensions":{"persistedQuery":\#(value)}}"#
        rig.receive(connection, Rig.request(body))
        let answer = Rig.response(rig.takeBytes(connection))
        #expect(answer.status == 400 && code(answer.body) == "BAD_REQUEST")
    }

    @Test func `switched off, clients are told to stop asking`() throws {
        var rules = OperationRules()
        rules.remembersDocuments = false
        let rig = try Rig(rules: rules)
        #expect(post(rig, Self.given(Self.query)) == Self.success)
        let answer = post(rig, Self.named(Self.query))
        #expect(code(answer) == "PERSISTED_QUERY_NOT_SUPPORTED")
        #expect(answer["errors"]?.items?.first?["message"] == "PersistedQueryNotSupported")
    }

    @Test func `what is remembered is bounded, and what is asked for stays`() throws {
        let rig = try Rig { $0.rememberedDocumentsMax = 3 }
        func document(_ number: Int) -> String { "{ a\(number): __typename }" }
        for number in 0..<3 { _ = post(rig, Self.given(document(number))) }
        for number in 3..<20 {
            #expect(post(rig, Self.named(document(0)))["errors"] == nil)
            _ = post(rig, Self.given(document(number)))
        }
        let known = (0..<20).filter { post(rig, Self.named(document($0)))["errors"] == nil }
        #expect(known.count == 3 && known.contains(0) && known.contains(19))
    }

    @Test func `so are its bytes`() throws {
        let rig = try Rig { $0.rememberedBytesMax = 8_000 }
        func document(_ number: Int) -> String {
            "{ a\(number): __typename }" + String(repeating: " ", count: 900)
        }
        for number in 0..<20 { _ = post(rig, Self.given(document(number))) }
        let known = (0..<20).filter { post(rig, Self.named(document($0)))["errors"] == nil }
        #expect(known == Array(12..<20))
        let large = "{ __typename }" + String(repeating: " ", count: 1_100)
        _ = post(rig, Self.given(large))
        #expect(code(post(rig, Self.named(large))) == "PERSISTED_QUERY_NOT_FOUND")
    }

    @Test func `a subscription to a large document counts what it keeps`() throws {
        let rig = try Rig { $0.subscriptionBytesMax = 500 }
        let long = "subscription { onCreateThread { id } }" + String(repeating: " ", count: 600)
        #expect(post(rig, Self.given(long))["errors"] != nil)
        let socket = rig.readySocket()
        rig.say(socket, ["id": "1", "type": "subscribe", "payload": Self.named(long)])
        let answer = rig.hear(socket).first
        #expect(answer?["type"] == "error" && answer?.jsonText.contains("limit of 500") == true)
    }

    // MARK: Trusted

    @Test func `a trusted document runs by its id and by its hash`() throws {
        let documents = [
            ("threads", "query T { __typename }"), ("other", "{ listThreads { nextToken } }"),
        ]
        let rig = try Rig(rules: Self.trusting(documents.map { (Text($0), $1) }))
        let hash = Self.hash(documents[0].1)
        for body: JSONValue in [
            ["documentId": "threads"], ["documentId": "threads", "operationName": "T"],
            ["documentId": .string("sha256:" + hash)], ["documentId": .string(hash)],
            ["extensions": .object(Self.persisted(hash))],
            ["extensions": .object(Self.persisted("sha256:" + hash))],
            ["extensions": .object(Self.persisted("threads"))],
        ] {
            #expect(post(rig, body) == Self.success, "\(body.jsonText)")
        }
        #expect(get(rig, "documentId=threads").body == Self.success)
        let unknown = post(rig, ["documentId": "nothing"])
        #expect(code(unknown) == "PERSISTED_QUERY_NOT_FOUND")
        #expect(unknown.jsonText.contains("send the document as 'query'"))
        // Any other still runs, and is remembered.
        #expect(post(rig, Self.given(Self.query)) == Self.success)
        #expect(post(rig, Self.named(Self.query)) == Self.success)
    }

    @Test func `only trusted documents run where that is wanted`() throws {
        let trusted = "query T { __typename }"
        let rig = try Rig(rules: Self.trusting([("t", trusted)], only: true))
        #expect(post(rig, ["documentId": "t"]) == Self.success)
        #expect(post(rig, ["query": .string(Text(trusted))]) == Self.success)
        #expect(post(rig, Self.given(trusted)) == Self.success)
        for body in [["query": .string(Text(Self.query))], Self.given(Self.query)] {
            let refused = post(rig, body)
            #expect(code(refused) == "QUERY_NOT_IN_SAFELIST")
            #expect(refused.jsonText.contains("--trusted-documents"))
        }
        #expect(code(post(rig, Self.named(Self.query))) == "PERSISTED_QUERY_NOT_IN_LIST")
        #expect(code(post(rig, ["documentId": "x"])) == "PERSISTED_QUERY_NOT_IN_LIST")
        #expect(get(rig, "query=%7B__typename%7D").body["data"] == nil)
        #expect(rig.shard.counters.documentsRefused == 3)
        #expect(rig.shard.counters.documentsRemembered == 0)
    }

    @Test(arguments: ["graphql-transport-ws", "graphql-ws", "appsync"])
    func `and no others over any protocol of WebSocket`(name: String) throws {
        let trusted = "subscription { onCreateThread { id } }"
        let rig = try Rig(rules: Self.trusting([("t", trusted)], only: true))
        let socket = rig.readySocket(name == "appsync" ? "graphql-ws" : name)
        let type: JSONValue = name == "graphql-transport-ws" ? "subscribe" : "start"
        func ask(_ id: Text, _ payload: JSONValue) -> JSONValue? {
            let body: JSONValue =
                name == "appsync" ? ["data": .string(Text(payload.jsonText))] : payload
            rig.say(socket, ["id": .string(id), "type": type, "payload": body])
            rig.settle()
            return rig.hear(socket).first
        }
        let other = ask("1", ["query": "subscription { onCreateThread { name } }"])
        #expect(other?["type"] == "error")
        #expect(other?.jsonText.contains("QUERY_NOT_IN_SAFELIST") == true)
        let unknown = ask("2", ["documentId": "u"])
        #expect(unknown?.jsonText.contains("PERSISTED_QUERY_NOT_IN_LIST") == true)
        #expect(ask("3", ["documentId": "t"])?["type"] != "error")
        #expect(ask("4", ["query": .string(Text(trusted))])?["type"] != "error")
        #expect(rig.shard.counters.subscriptionsLive == 2)
    }

    @Test func `a new list takes the place of the old one`() throws {
        let rig = try Rig(rules: Self.trusting([("a", Self.query)], only: true))
        rig.shard.trust(
            try TrustedDocuments([TrustedDocuments.Entry(id: "b", text: "{ __typename }")]))
        #expect(code(post(rig, ["documentId": "a"])) == "PERSISTED_QUERY_NOT_IN_LIST")
        #expect(post(rig, ["documentId": "b"]) == Self.success)
    }
}

extension Text {
    fileprivate static func + (one: Text, other: Text) -> Text { Text(one.string + other.string) }
}

extension String {
    /// The text as part of a URL's query.
    fileprivate var addingPercents: String {
        utf8.map { "%" + Hex.encode([$0]) }.joined()
    }
}
