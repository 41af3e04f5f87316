import Access
import Bytes
import Hub
import JSON
import Testing

/// The legacy protocol and AppSync's variant, as their clients see them.
@Suite struct OtherDialectTests {
    private static let text = "subscription { onCreateMessage { id body } }"

    private func start(_ id: JSONValue, _ text: String = text) -> JSONValue {
        ["id": id, "type": "start", "payload": ["query": .string(Text(text))]]
    }

    private func appSyncStart(_ id: JSONValue, key: String? = nil) -> JSONValue {
        let data: JSONValue = ["query": .string(Text(Self.text)), "variables": [:]]
        let authorization: JSONValue =
            key.map { ["host": "hub", "x-api-key": .string(Text($0))] } ?? ["host": "hub"]
        return [
            "id": id, "type": "start",
            "payload": [
                "data": .string(Text(data.jsonText)),
                "extensions": ["authorization": authorization],
            ],
        ]
    }

    private static func header(_ key: String) -> String {
        let object: JSONValue = ["host": "hub", "x-api-key": .string(Text(key))]
        return String(decoding: Base64.encode(object.jsonBytes), as: UTF8.self)
    }

    @Test func `legacy: ack then ka, events as data, stop ends`() throws {
        let rig = try Rig()
        let socket = rig.socket("graphql-ws")
        rig.say(socket, ["type": "connection_init", "payload": [:]])
        #expect(rig.hear(socket).map { $0["type"] } == ["connection_ack", "ka"])
        rig.say(socket, start("1"))
        rig.say(socket, start("2"))
        rig.createMessage("m1", in: nil)
        #expect(rig.hear(socket).map { $0["type"] } == ["data", "data"])
        rig.say(socket, ["id": "1", "type": "stop"])
        #expect(rig.hear(socket) == [["id": "1", "type": "complete"]])
        rig.createMessage("m2", in: nil)
        #expect(rig.hear(socket).map { $0["id"] } == ["2"])
    }

    @Test func `legacy: an operation before init runs nothing and ends the socket`() throws {
        for text in [Self.text, "mutation { deleteThread(input: {id: \"x\"}) { id } }"] {
            let rig = try Rig()
            let socket = rig.socket("graphql-ws")
            rig.say(socket, start("1", text))
            #expect(rig.outlet.asks.isEmpty)
            #expect(
                rig.hear(socket).map { $0["type"] ?? $0["close"] } == ["connection_error", 4401])
            #expect(rig.shard.groupCount == 0)
        }
    }

    @Test func `legacy: credentials that do not fit are told, then the end`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let socket = rig.socket("graphql-ws")
        rig.say(socket, ["type": "connection_init"])
        #expect(rig.hear(socket).map { $0["type"] ?? $0["close"] } == ["connection_error", 1011])
    }

    @Test func `legacy: the same id replaces the first subscription`() throws {
        let rig = try Rig()
        let socket = rig.socket("graphql-ws")
        rig.say(socket, ["type": "connection_init"])
        rig.say(socket, start("1"))
        rig.say(socket, start("1"))
        _ = rig.hear(socket)
        rig.createMessage("m1", in: nil)
        #expect(rig.hear(socket).count == 1)
    }

    @Test func `legacy: an unreadable message leaves the socket open`() throws {
        let rig = try Rig()
        let socket = rig.socket("graphql-ws")
        rig.sayText(socket, "{broken")
        #expect(rig.hear(socket).map { $0["type"] } == ["connection_error"])
        rig.say(socket, ["type": "connection_init"])
        #expect(rig.hear(socket).first?["type"] == "connection_ack")
        rig.say(socket, ["type": "connection_terminate"])
        #expect(rig.outlet.closed[socket] == true)
    }

    @Test func `keep-alives go on while subscriptions come and go`() throws {
        let rig = try Rig()
        let socket = rig.socket("graphql-ws")
        rig.say(socket, ["type": "connection_init"])
        rig.say(socket, start("1"))
        rig.say(socket, ["id": "1", "type": "stop"])
        _ = rig.hear(socket)
        rig.nanoseconds += 26_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(rig.hear(socket).contains(["type": "ka"]))
    }

    @Test func `AppSync by the query's header: ack, ka, start_ack, data, complete`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let socket = rig.socket(
            "graphql-ws", target: "/graphql?header=\(Self.header(Rig.key))&payload=e30=")
        rig.say(socket, ["type": "connection_init"])
        #expect(
            rig.hear(socket) == [
                ["type": "connection_ack", "payload": ["connectionTimeoutMs": 300_000]],
                ["type": "ka"],
            ])
        rig.say(socket, appSyncStart("1", key: Rig.key))
        #expect(rig.hear(socket) == [["id": "1", "type": "start_ack"]])
        rig.createMessageWithKey("m1")
        #expect(
            rig.hear(socket) == [
                [
                    "id": "1", "type": "data",
                    "payload": ["data": ["onCreateMessage": ["id": "m1", "body": "hi"]]],
                ]
            ])
        rig.say(socket, ["id": "1", "type": "stop"])
        #expect(rig.hear(socket) == [["id": "1", "type": "complete"]])
    }

    @Test func `AppSync by subprotocol and by header fields`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let object: JSONValue = ["host": "hub", "x-api-key": .string(Text(Rig.key))]
        let encoded = String(decoding: Base64.encode(object.jsonBytes, as: .urlSafe), as: UTF8.self)
        let byProtocol = rig.socket("graphql-ws, header-\(encoded)", target: "/graphql/realtime")
        let byFields = rig.socket(
            "graphql-ws", target: "/graphql/realtime", headers: "x-api-key: \(Rig.key)\r\n")
        for socket in [byProtocol, byFields] {
            rig.say(socket, ["type": "connection_init"])
            #expect(rig.hear(socket).first?["type"] == "connection_ack")
            rig.say(socket, appSyncStart("1", key: Rig.key))
            #expect(rig.hear(socket).last?["type"] == "start_ack")
        }
    }

    @Test func `AppSync with a wrong key: connection_error with 401, then the end`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let wrong = Self.header("da2-zzzzzzzzzzzzzzzzzzzzzzzzzz")
        let socket = rig.socket("graphql-ws", target: "/graphql?header=\(wrong)&payload=e30=")
        rig.say(socket, ["type": "connection_init"])
        let heard = rig.hear(socket)
        #expect(heard.first?["type"] == "connection_error")
        let error = heard.first?["payload"]?["errors"]?.items?.first
        #expect(error?["errorType"] == "UnauthorizedException")
        #expect(error?["errorCode"] == 401)
        #expect(rig.outlet.closed[socket] == true)
    }

    @Test func `AppSync takes no queries on the realtime channel`() throws {
        let rig = try Rig()
        let socket = rig.socket("graphql-ws", target: "/graphql/realtime")
        rig.say(socket, ["type": "connection_init"])
        _ = rig.hear(socket)
        rig.say(socket, start("1", "{ __typename }"))
        let heard = rig.hear(socket)
        #expect(heard.first?["type"] == "error")
        #expect(
            heard.first?["payload"]?["errors"]?.items?.first?["errorType"]
                == "UnsupportedOperation")
    }

    @Test func `AppSync: a wrong key in start is refused for that subscription alone`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let socket = rig.socket(
            "graphql-ws", target: "/graphql/realtime", headers: "x-api-key: \(Rig.key)\r\n")
        rig.say(socket, ["type": "connection_init"])
        _ = rig.hear(socket)
        rig.say(socket, appSyncStart("1", key: "da2-zzzzzzzzzzzzzzzzzzzzzzzzzz"))
        rig.say(socket, appSyncStart("2", key: Rig.key))
        let heard = rig.hear(socket)
        #expect(heard.map { $0["type"] } == ["error", "start_ack"])
        #expect(heard.first?["id"] == "1")
    }
}

extension Rig {
    func createMessageWithKey(_ id: String) {
        _ = post(
            "mutation($i: CreateMessageInput!) { createMessage(input: $i) { id } }",
            ["i": ["id": .string(Text(id)), "body": "hi"]], headers: "x-api-key: \(Rig.key)\r\n")
    }
}
