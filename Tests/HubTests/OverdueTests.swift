import Bytes
import GraphQL
import JSON
import Models
import Records
import Store
import Testing

@testable import Hub

/// Operations that take longer than they may: a store that does not answer, or too much asked.
@Suite struct OverdueTests {
    private static let query: JSONValue = ["query": "{ listThreads { items { id } } }"]

    private static func mutation(_ names: String...) -> JSONValue {
        let fields = names.map {
            "\($0): createThread(input: {name: \"\($0)\", location: \"x\"}) "
                + "{ name messages { items { id } } }"
        }
        return ["query": .string(Text("mutation { \(fields.joined(separator: " ")) }"))]
    }

    private func say(_ rig: Rig, _ socket: UInt64, _ id: JSONValue, _ payload: JSONValue) {
        rig.say(socket, ["id": id, "type": "subscribe", "payload": payload])
    }

    /// Lets time pass, with nobody silent for it.
    private func pass(_ rig: Rig, _ socket: UInt64, seconds: Int) {
        for _ in 0..<seconds {
            rig.nanoseconds += 1_000_000_000
            rig.say(socket, ["type": "ping"])
            rig.shard.woke(at: rig.moment)
        }
    }

    private func heard(_ rig: Rig, _ socket: UInt64) -> [JSONValue] {
        rig.hear(socket).filter { $0["type"] != "pong" && $0["type"] != "ping" }
    }

    @Test func `a query is answered by an error, and its late answer is dropped`() throws {
        let rig = try Rig { $0.executionSecondsMax = 5 }
        let socket = rig.readySocket()
        say(rig, socket, "1", Self.query)
        pass(rig, socket, seconds: 4)
        #expect(heard(rig, socket) == [])
        pass(rig, socket, seconds: 1)
        let messages = heard(rig, socket)
        #expect(messages.map { $0["type"] } == ["next", "complete"])
        let text = messages.first?["payload"]?["errors"]?.items?[0]["message"]?.text?.string
        #expect(
            text?.hasPrefix("the operation took longer than 5 s (execution-seconds-max)") == true)
        #expect(messages.first?["payload"]?["data"] == nil)
        #expect(rig.outlet.reached == [.executionSeconds])
        // The id is free, the store's late answer is nobody's.
        say(rig, socket, "1", Self.query)
        rig.settle()
        #expect(heard(rig, socket).map { $0["type"] } == ["next", "complete"])
        #expect(rig.shard.openTicketCount == 0)
    }

    @Test func `a request over HTTP is answered, and the connection serves the next`() throws {
        let rig = try Rig { $0.executionSecondsMax = 5 }
        let connection = rig.open()
        rig.receive(connection, Rig.request(Self.query.jsonText))
        rig.pass(seconds: 7)
        let answer = Rig.response(rig.takeBytes(connection))
        #expect(answer.body.jsonText.contains("(execution-seconds-max)"))
        rig.receive(connection, Rig.request(Self.query.jsonText))
        rig.settle()
        #expect(Rig.response(rig.takeBytes(connection)).body["data"] != nil)
    }

    @Test func `what was given up counts for its connection until the store answers`() throws {
        let rig = try Rig {
            $0.executionSecondsMax = 5
            $0.operationsPerConnectionMax = 1
        }
        let socket = rig.readySocket()
        say(rig, socket, "1", Self.query)
        pass(rig, socket, seconds: 6)
        _ = heard(rig, socket)
        say(rig, socket, "2", Self.query)
        #expect(rig.outlet.reached.last == .operationsPerConnection)
        rig.settle()
        _ = heard(rig, socket)
        say(rig, socket, "3", Self.query)
        rig.settle()
        #expect(heard(rig, socket).map { $0["id"] } == ["3", "3"])
    }

    @Test func `a write is waited for, told, and nothing behind it begins`() throws {
        let rig = try Rig { $0.executionSecondsMax = 5 }
        let socket = rig.readySocket()
        say(rig, socket, "1", Self.mutation("a", "b"))
        pass(rig, socket, seconds: 20)
        #expect(heard(rig, socket) == [])
        rig.settle()
        let payload = heard(rig, socket).first?["payload"]
        #expect(payload?["data"]?["a"]?["name"] == "a")
        #expect(payload?["data"]?["a"]?["messages"] == .null)
        #expect(payload?["data"]?["b"] == .null)
        let errors = payload?["errors"]?.items ?? []
        #expect(errors.map { $0["path"] } == [["a", "messages"], ["b"]])
        #expect(
            errors.first?["message"]?.text?.string == """
                the mutation took longer than 5 s (execution-seconds-max): what it has changed \
                stands, the rest was not done; send that again
                """)
        #expect(rig.outlet.reached == [.executionSeconds])
        let names = rig.post("{ listThreads { items { name } } }").body
        #expect(names["data"]?["listThreads"]?["items"]?.items?.count == 1)
    }

    @Test func `a mutation that waits for reading is ended at once, with what it has done`() throws
    {
        let rig = try Rig { $0.executionSecondsMax = 5 }
        let socket = rig.readySocket()
        say(rig, socket, "1", Self.mutation("a", "b"))
        rig.settleOnce()
        pass(rig, socket, seconds: 6)
        let payload = heard(rig, socket).first?["payload"]
        #expect(payload?["data"]?["a"]?["name"] == "a")
        #expect(payload?["data"]?["b"] == .null)
        rig.settle()
        #expect(heard(rig, socket) == [])
        #expect(rig.shard.openTicketCount == 0)
    }

    @Test func `a mutation that reads too much, or too deep, tells what it has done`() throws {
        for adjust: (inout Limits) -> Void in [
            { $0.recordsPerOperationMax = 1 }, { $0.executionRoundsMax = 1 },
        ] {
            let rig = try Rig(adjust)
            let socket = rig.readySocket()
            say(rig, socket, "1", Self.mutation("a", "b"))
            rig.settle()
            let payload = heard(rig, socket).first?["payload"]
            #expect(payload?["data"]?["a"]?["name"] == "a")
            #expect(payload?["data"]?["a"]?["messages"] == .null)
            #expect(payload?["data"]?["b"] == .null)
        }
    }

    @Test func `an event is told as an error, and the next one comes`() throws {
        let rig = try Rig { $0.executionSecondsMax = 5 }
        let socket = rig.readySocket()
        rig.subscribe(
            socket, "1", "subscription { onCreateThread { name messages { items { id } } } }")
        rig.shard.changed(rig.commitUntoldThread("t1"), at: rig.moment)
        pass(rig, socket, seconds: 6)
        #expect(heard(rig, socket).first?.jsonText.contains("(execution-seconds-max)") == true)
        rig.shard.changed(rig.commitUntoldThread("t2"), at: rig.moment)
        rig.settle()
        let events = heard(rig, socket)
        #expect(events.map { $0["payload"]?["data"]?["onCreateThread"]?["name"] } == ["t2"])
        #expect(rig.shard.openTicketCount == 0)
    }
}

extension Rig {
    /// Commits a thread of which the shard is not told yet.
    fileprivate func commitUntoldThread(_ id: Text) -> [Change] {
        guard let model = schema.layout.modelID(named: "Thread") else { return [] }
        let values: [JSONValue] = schema.layout.models[model].fields.map { field in
            switch field.name {
            case "id", "name": .string(id)
            case "location": "x"
            case "createdAt", "updatedAt": "2026-01-01T00:00:00.000Z"
            default: .null
            }
        }
        let write = RecordWrite(key: RecordKey(model: model, id: id), action: .create(values))
        return store.perform([.write(write)]).changes
    }
}
