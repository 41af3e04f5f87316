import Bytes
import Hub
import JSON
import Records
import Testing

/// N+1 reads are a failing test: what one level of an operation reads is one question to the
/// store, with one request for each field, however many objects the level has. Seen at the
/// outlet, behind the HTTP reader, the engine and the plans.
@Suite struct BatchingTests {
    /// Threads with messages with replies: 4 × 5 × 3.
    private func rig() throws -> Rig {
        let rig = try Rig()
        for thread in 0..<4 {
            rig.createThread("t\(thread)")
            for message in 0..<5 {
                let id = "m\(thread)\(message)"
                rig.createMessage(id, in: "t\(thread)")
                for reply in 0..<3 { rig.createReply("r\(id)\(reply)", to: id) }
            }
        }
        return rig
    }

    /// The requests of each question that an operation puts to the store, in order: `query*4` is
    /// one request for four pages, `get*2` one for two records.
    private func questions(_ rig: Rig, _ query: String) -> (asked: [String], answer: JSONValue) {
        let connection = rig.open()
        let body: JSONValue = ["query": .string(Text(query))]
        rig.receive(connection, Rig.request(body.jsonText))
        var asked: [String] = []
        while !rig.outlet.asks.isEmpty {
            asked += rig.outlet.asks.map { $0.requests.map(describe).joined(separator: " ") }
            rig.settleOnce()
        }
        return (asked, Rig.response(rig.takeBytes(connection)).body)
    }

    private func describe(_ request: StoreRequest) -> String {
        switch request {
        case .get(let keys): "get*\(keys.count)"
        case .query(let queries): "query*\(queries.count)"
        case .write: "write"
        default: "other"
        }
    }

    @Test func `each level of nested lists is one request`() throws {
        let (asked, answer) = try questions(
            rig(),
            """
            { listThreads { items { id messages { items { id replies { items { body } } } } } } }
            """)
        #expect(asked == ["query*1", "query*4", "query*20"])
        #expect(answer["errors"] == nil)
        let threads = answer["data"]?["listThreads"]?["items"]?.items ?? []
        #expect(threads.count == 4)
        let messages = threads.flatMap { $0["messages"]?["items"]?.items ?? [] }
        #expect(messages.count == 20)
        #expect(messages.allSatisfy { $0["replies"]?["items"]?.items?.count == 3 })
    }

    @Test func `a relation of many records to few is one request for the few`() throws {
        let (asked, answer) = try questions(
            rig(), "{ listReplys { items { id message { id thread { name } } } } }")
        #expect(answer["errors"] == nil)
        #expect(answer["data"]?["listReplys"]?["items"]?.items?.count == 60)
        #expect(asked == ["query*1", "get*20", "get*4"])
    }

    @Test func `aliases and fragments of one level are asked together`() throws {
        let (asked, answer) = try questions(
            rig(),
            """
            { a: getThread(id: "t0") { ...T } b: getThread(id: "t1") { ...T } listThreads { nextToken } }
            fragment T on Thread { few: messages(limit: 2) { items { id } } messages { items { id } } }
            """)
        #expect(answer["errors"] == nil)
        #expect(answer["data"]?["a"]?["few"]?["items"]?.items?.count == 2)
        #expect(answer["data"]?["b"]?["messages"]?["items"]?.items?.count == 5)
        // Two questions for two levels; in each one request for a field of the document.
        #expect(asked.count == 2)
        #expect(asked.last?.split(separator: " ").count == 4)
    }

    @Test func `root fields of a mutation write one after the other`() throws {
        let (asked, answer) = try questions(
            rig(),
            """
            mutation {
              a: createMessage(input: {id: "x", body: "b", messageThreadId: "t0"}) { thread { id } }
              b: updateMessage(input: {id: "x", body: "c"}) { body thread { name } }
            }
            """)
        #expect(answer["errors"] == nil, "\(answer)")
        #expect(answer["data"]?["b"]?["body"] == "c")
        #expect(asked == ["write", "get*1", "write", "get*1"])
    }
}
