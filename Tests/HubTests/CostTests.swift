import Bytes
import GraphQL
import JSON
import Testing

@testable import Hub

/// What operations cost: told on demand, and refused beyond the limit before the store is asked.
@Suite struct CostTests {
    private static let asked: JSONObject = ["heliograph": ["cost": true]]

    private func request(
        _ query: Text, _ extensions: JSONObject = CostTests.asked, _ variables: JSONObject = [:]
    ) -> JSONValue {
        [
            "query": .string(query), "extensions": .object(extensions),
            "variables": .object(variables),
        ]
    }

    private func post(_ rig: Rig, _ body: JSONValue) -> JSONValue {
        let connection = rig.open()
        rig.receive(connection, Rig.request(body.jsonText))
        rig.settle()
        return Rig.response(rig.takeBytes(connection)).body
    }

    private func cost(_ response: JSONValue) -> JSONValue? {
        response["extensions"]?["heliograph"]?["cost"]
    }

    private func rig(_ adjust: (inout Limits) -> Void = { _ in }) throws -> Rig {
        let rig = try Rig(adjust)
        for name in ["a", "b"] {
            _ = rig.post(
                "mutation { createThread(input: {name: \"\(name)\", location: \"x\"}) { id } }")
        }
        return rig
    }

    @Test func `a response over HTTP tells estimate, limit, nodes and records`() throws {
        let response = post(try rig(), request("{ listThreads(limit: 20) { items { id name } } }"))
        #expect(response["data"]?["listThreads"]?["items"]?.items?.count == 2)
        // 11 for the list, 1 for its items, 20 times 2; in truth 2 items of 2 fields.
        #expect(
            cost(response)
                == ["estimate": 52, "max": 10_000_000, "nodes": 8, "records": 3])
    }

    @Test func `a response over a socket tells it, and events do not`() throws {
        let rig = try rig()
        let socket = rig.readySocket()
        let query = request(
            "query ($n: Int) { listThreads(limit: $n) { items { id } } }", Self.asked, ["n": 5])
        rig.say(socket, ["id": "1", "type": "subscribe", "payload": query])
        rig.settle()
        let next = rig.hear(socket).first?["payload"]
        #expect(cost(next ?? .null)?["estimate"] == 17)
        let events = request("subscription { onCreateThread { id } }")
        rig.say(socket, ["id": "2", "type": "subscribe", "payload": events])
        rig.settle()
        _ = rig.post("mutation { createThread(input: {name: \"c\", location: \"x\"}) { id } }")
        let event = rig.hear(socket).first?["payload"]
        #expect(event?["data"] != nil)
        #expect(event?["extensions"] == nil)
    }

    @Test func `who does not ask is not told`() throws {
        let rig = try rig()
        for extensions: JSONObject in [[:], ["heliograph": ["cost": false]], ["other": 1]] {
            let response = post(rig, request("{ listThreads { nextToken } }", extensions))
            #expect(response["extensions"] == nil)
        }
    }

    @Test func `another value than true or false is refused, over HTTP and sockets`() throws {
        let rig = try rig()
        let wrong = request("{ listThreads { nextToken } }", ["heliograph": ["cost": "yes"]])
        let message = "heliograph.cost takes true or false"
        #expect(post(rig, wrong)["errors"]?.items?[0]["message"]?.text?.string == message)
        let socket = rig.readySocket()
        rig.say(socket, ["id": "1", "type": "subscribe", "payload": wrong])
        #expect(rig.hear(socket).first?.jsonText.contains(message) == true)
    }

    @Test func `lists of models multiply by their limit, without one by their default`() throws {
        let rig = try rig()
        let nested: Text = """
            { listThreads { items { messages(limit: 3) { items { id thread { id } } } } } }
            """
        // 3 messages of 1 + 11 + 1 each, below 100 threads.
        let expected = 11 + 1 + 100 * (11 + 1 + 3 * 13)
        #expect(cost(post(rig, request(nested)))?["estimate"] == .int(Int64(expected)))
    }

    @Test func `an operation over the limit is refused before the store is asked`() throws {
        let rig = try rig { $0.document.costMax = 100 }
        let response = post(rig, request("{ listThreads { items { id } } }"))
        let error = response["errors"]?.items?[0]
        #expect(
            error?["message"]?.text?.string == """
                the operation costs 112 by estimate, over the limit of 100 (cost-max): give lists a \
                smaller limit, or nest fewer in each other
                """)
        #expect(error?["locations"] == [["line": 1, "column": 1]])
        #expect(error?["extensions"]?["heliograph"]?["cost"]?["estimate"] == 112)
        #expect(rig.outlet.reached == [.cost])
        #expect(rig.shard.measures.limitsReached[.cost] == 1)
        #expect(post(rig, request("{ listThreads(limit: 9) { items { id } } }"))["data"] != nil)
    }

    @Test func `a subscription over the limit is refused`() throws {
        let rig = try Rig { $0.document.costMax = 100 }
        let socket = rig.readySocket()
        rig.subscribe(socket, "1", "subscription { onCreateThread { messages { items { id } } } }")
        let answer = rig.hear(socket).first
        #expect(answer?["type"] == "error")
        #expect(answer?.jsonText.contains("(cost-max)") == true)
        #expect(rig.outlet.reached == [.cost])
    }
}
