import Access
import Bytes
import Hub
import JSON
import Testing

/// The rules of graphql-transport-ws, as a client sees them.
@Suite struct TransportProtocolTests {
    private func close(_ messages: [JSONValue]) -> Int64? { messages.last?["close"]?.integer }

    private static let query: JSONValue = ["query": "{ __typename }"]

    @Test func `a ping is answered with its payload before and after the acknowledgement`() throws {
        let rig = try Rig()
        let socket = rig.socket()
        rig.say(socket, ["type": "ping", "payload": ["a": 1]])
        #expect(rig.hear(socket) == [["type": "pong", "payload": ["a": 1]]])
        rig.say(socket, ["type": "connection_init"])
        rig.say(socket, ["type": "ping"])
        rig.say(socket, ["type": "pong"])
        #expect(rig.hear(socket) == [["type": "connection_ack"], ["type": "pong"]])
    }

    @Test func `a query over the socket is answered by next and complete`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.say(socket, ["id": "1", "type": "subscribe", "payload": Self.query])
        rig.settle()
        #expect(
            rig.hear(socket) == [
                ["id": "1", "type": "next", "payload": ["data": ["__typename": "Query"]]],
                ["id": "1", "type": "complete"],
            ])
    }

    @Test func `subscribe before the acknowledgement closes with 4401`() throws {
        let rig = try Rig()
        let socket = rig.socket()
        rig.say(socket, ["id": "1", "type": "subscribe", "payload": Self.query])
        #expect(close(rig.hear(socket)) == 4401)
        #expect(rig.outlet.closed[socket] == true)
    }

    @Test func `a second init closes with 4429`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.say(socket, ["type": "connection_init"])
        #expect(close(rig.hear(socket)) == 4429)
    }

    @Test func `a second subscribe under an active id closes with 4409`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        let text = "subscription { onCreateThread { id } }"
        rig.subscribe(socket, "1", text)
        rig.subscribe(socket, "1", text)
        let last = rig.hear(socket).last
        #expect(last?["close"] == 4409)
        #expect(last?["reason"] == "Subscriber for 1 already exists")
    }

    @Test func `no init in time closes with 4408`() throws {
        let rig = try Rig()
        let socket = rig.socket()
        rig.nanoseconds += 11_000_000_000
        rig.shard.woke(at: rig.moment)
        #expect(close(rig.hear(socket)) == 4408)
    }

    @Test(arguments: [
        "", "[]", "7", "null", "{}", "{\"type\":7}", "{\"type\":\"nonsense\"}",
        "{\"type\":\"next\"}",
        "{\"type\":\"connection_ack\"}", "{\"type\":\"ping\",\"payload\":[]}",
        "{\"type\":\"connection_init\",\"payload\":7}", "{\"type\":\"subscribe\"}",
        "{\"type\":\"subscribe\",\"id\":\"\",\"payload\":{\"query\":\"{a}\"}}",
        "{\"type\":\"subscribe\",\"id\":1,\"payload\":{\"query\":\"{a}\"}}",
        "{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":{\"query\":1}}",
        "{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":{\"query\":\"{a}\",\"variables\":[]}}",
        "{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":{\"query\":\"{a}\",\"operationName\":1}}",
        "{\"type\":\"complete\"}", "{broken",
    ])
    func `a malformed message closes with 4400`(text: String) throws {
        let rig = try Rig()
        let other = rig.readySocket()
        let socket = rig.readySocket()
        rig.sayText(socket, text)
        #expect(close(rig.hear(socket)) == 4400)
        rig.say(other, ["type": "ping"])
        #expect(rig.hear(other) == [["type": "pong"]])
    }

    @Test(arguments: [
        "{ nothing }", "{ getThread", "subscription { onCreateThread { id } onCreateReply { id } }",
        "query($a: Nothing) { __typename }", "query A { __typename } query B { __typename }",
        "query($a: ID!) { getThread(id: $a) { id } }",
    ])
    func `a bad operation is answered by one error and its id is free again`(text: String) throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        for _ in 0..<2 {
            rig.subscribe(socket, "1", text)
            let heard = rig.hear(socket)
            #expect(heard.count == 1)
            #expect(heard.first?["type"] == "error")
            #expect(heard.first?["payload"]?.items?.isEmpty == false)
        }
    }

    @Test func `complete for an unknown id is ignored`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.say(socket, ["id": "ghost", "type": "complete"])
        rig.say(socket, ["id": "ghost", "type": "complete"])
        rig.say(socket, ["type": "ping"])
        #expect(rig.hear(socket) == [["type": "pong"]])
    }

    @Test func `complete before the result keeps the result back`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        rig.say(
            socket,
            ["id": "1", "type": "subscribe", "payload": ["query": "{ listThreads { nextToken } }"]])
        rig.say(socket, ["id": "1", "type": "complete"])
        rig.say(socket, ["id": "1", "type": "subscribe", "payload": Self.query])
        rig.settle()
        #expect(
            rig.hear(socket).map { $0["payload"]?["data"] } == [["__typename": "Query"], nil])
    }

    @Test func `ids that differ only in composition are two ids`() throws {
        let rig = try Rig()
        let socket = rig.readySocket()
        let text = "subscription { onCreateMessage { id } }"
        rig.subscribe(socket, "caf\u{e9}", text)
        rig.subscribe(socket, "cafe\u{301}", text)
        rig.say(socket, ["id": "caf\u{e9}", "type": "complete"])
        rig.createMessage("m", in: nil)
        let heard = rig.hear(socket)
        #expect(heard.count == 1)
        #expect(heard.first?["id"] == "cafe\u{301}")
    }

    @Test func `an unknown subprotocol is answered by 4406 after the handshake`() throws {
        let rig = try Rig()
        let socket = rig.socket("mqtt")
        #expect(close(rig.hear(socket)) == 4406)
    }

    @Test func `frames in one piece with the upgrade request are handled`() throws {
        let rig = try Rig()
        let socket = rig.socket(headers: "X-Nothing: 1\r\n")
        rig.say(socket, ["type": "connection_init"])
        #expect(rig.hear(socket) == [["type": "connection_ack"]])
    }

    @Test(arguments: ["", "da2-abcdefghijklmnopqrstuvwxy", "DA2-ABCDEFGHIJKLMNOPQRSTUVWXYZ"])
    func `init without the right key closes with 4403`(key: String) throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let socket = rig.socket()
        rig.say(socket, ["type": "connection_init", "payload": ["x-api-key": .string(Text(key))]])
        #expect(close(rig.hear(socket)) == 4403)
    }

    @Test(arguments: ["x-api-key", "X-API-Key", "X-Api-Key"])
    func `the key is taken from init in any letter case`(name: String) throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let socket = rig.socket()
        rig.say(
            socket,
            ["type": "connection_init", "payload": .object([Text(name): .string(Text(Rig.key))])])
        #expect(rig.hear(socket) == [["type": "connection_ack"]])
    }

    @Test func `the key is taken from the upgrade request`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        let socket = rig.socket(headers: "x-api-key: \(Rig.key)\r\n")
        rig.say(socket, ["type": "connection_init"])
        #expect(rig.hear(socket) == [["type": "connection_ack"]])
    }
}
