import Bytes
import Hub
import JSON
import Records
import Testing

/// How much one operation may make the hub do.
@Suite struct ExecutionTests {
    @Test func `a mutation of many root fields runs to its end`() throws {
        let rig = try Rig()
        let fields = (0..<100).map {
            "a\($0): createThread(input: {id: \"\($0)\", name: \"n\", location: \"x\"}) { id }"
        }
        let answer = rig.post("mutation { \(fields.joined(separator: " ")) }")
        #expect(answer.body["errors"] == nil)
        #expect(answer.body["data"]?["a99"]?["id"] == "99")
    }

    /// A thread with messages that each lead back to all of them.
    private func rig(_ adjust: (inout Limits) -> Void) throws -> Rig {
        let rig = try Rig(adjust)
        rig.createThread("t")
        for number in 0..<20 { rig.createMessage("m\(number)", in: "t") }
        return rig
    }

    private let nested =
        "{ listMessages { items { id thread { messages { items { id body } } } } } }"

    @Test func `what one round reads is asked for in slices and put together in order`() throws {
        let whole = try rig { _ in }
        let sliced = try rig { $0.recordsPerAskMax = 3 }
        let expected = whole.post(nested)
        #expect(expected.body["errors"] == nil)
        let answer = sliced.post(nested)
        #expect(answer.body == expected.body)
        #expect(answer.body["data"]?["listMessages"]?["items"]?.items?.count == 20)
    }

    @Test func `no question to the store brings about more records than a slice may`() throws {
        let rig = try rig { $0.recordsPerAskMax = 250 }
        let connection = rig.open()
        let body: JSONValue = ["query": .string(Text(nested))]
        rig.receive(connection, Rig.request(body.jsonText))
        var largest = 0
        while !rig.outlet.asks.isEmpty {
            for request in rig.outlet.asks.flatMap(\.requests) {
                switch request {
                case .get(let keys): largest = max(largest, keys.count)
                case .query(let queries): largest = max(largest, queries.count)
                default: continue
                }
            }
            rig.settleOnce()
        }
        // Pages of a hundred: three of them pass 250.
        #expect(largest == 3)
        #expect(Rig.response(rig.takeBytes(connection)).status == 200)
    }

    @Test func `an operation that reads too many records is ended before it has read them`() throws
    {
        let rig = try rig { limits in
            limits.recordsPerAskMax = 100
            limits.recordsPerOperationMax = 150
        }
        let connection = rig.open()
        let body: JSONValue = ["query": .string(Text(nested))]
        rig.receive(connection, Rig.request(body.jsonText))
        rig.settle()
        let answer = Rig.response(rig.takeBytes(connection))
        let expected: JSONValue = [
            "message": """
            the operation reads more than 150 records (records-per-operation-max): ask for less \
            nested lists at once or for smaller pages
            """
        ]
        #expect(answer.body["errors"]?.items == [expected])
        #expect(rig.shard.openTicketCount == 0)
        // The connection and the others go on.
        #expect(rig.post("{ getThread(id: \"t\") { id } }").body["errors"] == nil)
    }

    @Test func `a result is dropped if its connection ends between two slices`() throws {
        let rig = try rig { $0.recordsPerAskMax = 3 }
        let connection = rig.open()
        let body: JSONValue = ["query": .string(Text(nested))]
        rig.receive(connection, Rig.request(body.jsonText))
        rig.settleOnce()
        rig.shard.closed(connection, at: rig.moment)
        rig.settle()
        #expect(rig.takeBytes(connection) == [])
        #expect(rig.shard.openTicketCount == 0)
    }
}
