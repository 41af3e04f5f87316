import Bytes
import GraphQL
import JSON
import Models
import Records
import Testing

/// Queries, from their text to the requests to the store and from its answers to the response.
@Suite struct ReadPlanTests {
    var run: Run

    init() throws { run = Run(try Example.isolationNation.models()) }

    func user(_ id: Text) throws -> Record {
        try run.record("User", ["id": .string(id), "username": .string(Text("name of \(id)"))])
    }

    func message(_ id: Text, author: JSONValue = "u1", thread: JSONValue = nil) throws -> Record {
        try run.record(
            "Message",
            [
                "id": .string(id), "body": "hello", "messageAuthorId": author,
                "messageThreadId": thread, "createdAt": Run.now, "updatedAt": Run.now,
            ])
    }

    @Test mutating func `get reads by key`() throws {
        let id = try run.id("Thread")
        let text: Text = "query G($id: ID!) { getThread(id: $id) { id name __typename } }"
        let thread = try run.record("Thread", ["id": "t1", "name": "Garden"])
        let response = try run.response(text, variables: ["id": "t1"]) { requests in
            #expect(requests == [.get([RecordKey(model: id, id: "t1")])])
            return [.records([thread])]
        }
        #expect(
            response == [
                "data": ["getThread": ["id": "t1", "name": "Garden", "__typename": "Thread"]]
            ])
    }

    @Test mutating func `a record that is not there is null without an error`() throws {
        let response = try run.response("{ getThread(id: \"t1\") { id } }") { _ in
            [.records([nil])]
        }
        #expect(response == ["data": ["getThread": nil]])
    }

    @Test mutating func `the authors of all messages are read at once, each once`() throws {
        let page = RecordPage(
            records: [
                try message("m1", author: "u1"), try message("m2", author: "u2"),
                try message("m3", author: "u1"),
            ], next: nil)
        let users = try run.id("User")
        let messages = try run.id("Message")
        var rounds: [[StoreRequest]] = []
        let answers: [StoreAnswer] = [
            .pages([page]), .records([try user("u1"), try user("u2")]),
        ]
        let response = try run.response(
            "{ listMessages { items { id author { username } } nextToken } }"
        ) { requests in
            rounds.append(requests)
            return [answers[rounds.count - 1]]
        }
        #expect(
            rounds == [
                [.query([RecordQuery(model: messages)])],
                [.get([RecordKey(model: users, id: "u1"), RecordKey(model: users, id: "u2")])],
            ])
        let names: [JSONValue] = ["u1", "u2", "u1"]
        let items = zip(["m1", "m2", "m3"] as [JSONValue], names).map { id, name -> JSONValue in
            ["id": id, "author": ["username": .string(Text("name of \(name.text ?? "")"))]]
        }
        #expect(
            response == ["data": ["listMessages": ["items": .array(items), "nextToken": nil]]])
    }

    @Test mutating func `a foreign key that is null asks nothing`() throws {
        let message = try message("m1", thread: nil)
        var rounds = 0
        let response = try run.response("{ getMessage(id: \"m1\") { thread { id } } }") { _ in
            rounds += 1
            return [.records([message])]
        }
        #expect(rounds == 1)
        #expect(response == ["data": ["getMessage": ["thread": nil]]])
    }

    @Test
    mutating func `a foreign key that leads nowhere is null, and an error where null is none`()
        throws
    {
        let message = try message("m1", author: "nobody", thread: "nowhere")
        let answers: (([StoreRequest]) -> [StoreAnswer]) = { requests in
            guard case .get(let keys)? = requests.first else { return [] }
            return [.records(keys.map { $0.values == ["m1"] ? message : nil })]
        }
        let thread = try run.response(
            "{ getMessage(id: \"m1\") { thread { id } } }", answer: answers)
        #expect(thread == ["data": ["getMessage": ["thread": nil]]])
        let author = try run.response(
            "{ getMessage(id: \"m1\") { author { id } } }", answer: answers)
        #expect(author["data"] == ["getMessage": nil])
        #expect(author["errors"]?.items?.count == 1)
    }

    @Test mutating func `a relation's list reads its index for all parents at once`() throws {
        let messages = try run.id("Message")
        let created = RecordQuery.SortCondition(test: .greater("2026"))
        let body = Filter.FieldPath(slot: try run.slot("Message", "body"))
        let threads = try ["t1", "t2"].map { id -> Record in
            try run.record("Thread", ["id": .string(Text(id))])
        }
        let m = try message("m1")
        var rounds: [[StoreRequest]] = []
        let response = try run.response(
            """
            { listThreads(limit: 2) { items { messages(
                createdAt: {gt: "2026"}, filter: {body: {contains: "x"}},
                sortDirection: DESC, limit: 5
            ) { items { id } nextToken } } } }
            """
        ) { requests in
            rounds.append(requests)
            if rounds.count == 1 { return [.pages([RecordPage(records: threads, next: nil)])] }
            return [
                .pages([
                    RecordPage(records: [m], next: .init(sort: ["2026-05"], sequence: 9)),
                    RecordPage(records: [], next: nil),
                ])
            ]
        }
        let queries = (["t1", "t2"] as [JSONValue]).map {
            RecordQuery(
                model: messages, source: .index(1, hash: [$0]), sort: created, isDescending: true,
                filter: .test(body, .contains("x")), limit: 5)
        }
        #expect(rounds.last == [.query(queries)])
        let items = response["data"]?["listThreads"]?["items"]?.items
        #expect(items?.last == ["messages": ["items": [], "nextToken": nil]])
        #expect(items?.first?["messages"]?["items"] == [["id": "m1"]])
        #expect(items?.first?["messages"]?["nextToken"]?.text != nil)
    }

    @Test mutating func `a key's query reads its index`() throws {
        let threads = try run.id("Thread")
        let text: Text = """
            query Q($at: String, $way: ModelSortDirection) {
              ThreadByLocation(location: $at, sortDirection: $way, limit: 1000) { items { id } }
            }
            """
        let query = RecordQuery(
            model: threads, source: .index(0, hash: ["Rome"]), isDescending: true, limit: 1000)
        #expect(
            try run.requests(text, variables: ["at": "Rome", "way": "DESC"]) == [.query([query])])
        #expect(try run.message(text) == "ThreadByLocation needs the argument location")
    }

    @Test mutating func `a named key gives the hash and further fields of a relation`() throws {
        let user = try user("u1")
        let links = try run.id("UserThread")
        var seen: [StoreRequest] = []
        _ = try run.response(
            "{ getUser(id: \"u1\") { threads(userThreadThreadId: {eq: \"t\"}) { nextToken } } }"
        ) { requests in
            seen = requests
            if case .get = requests[0] { return [.records([user])] }
            return [.pages([RecordPage(records: [], next: nil)])]
        }
        let query = RecordQuery(
            model: links, source: .index(0, hash: ["u1"]), sort: .init(test: .equal("t")))
        #expect(seen == [.query([query])])
    }

    @Test mutating func `a page's token continues its query and no other`() throws {
        let cursor = RecordQuery.Cursor(sort: [], sequence: 7)
        let text: Text = """
            query Q($limit: Int, $token: String, $body: String) {
              listMessages(limit: $limit, nextToken: $token, filter: {body: {eq: $body}}) {
                nextToken
              }
            }
            """
        let response = try run.response(text, variables: ["limit": 1, "body": "a"]) { _ in
            [.pages([RecordPage(records: [], next: cursor)])]
        }
        let token = try #require(response["data"]?["listMessages"]?["nextToken"])
        // Another page size is the same query.
        let requests = try run.requests(
            text, variables: ["limit": 2, "token": token, "body": "a"])
        guard case .query(let queries)? = requests.first else {
            Issue.record("no query")
            return
        }
        #expect(queries.first?.after == cursor)
        let other = try run.message(text, variables: ["token": token, "body": "b"])
        #expect(
            other?.string == "nextToken belongs to a query with other arguments; "
                + "use it with the arguments that it came from")
        let madeUp = try run.message(text, variables: ["token": "x", "body": "a"])
        #expect(
            madeUp == "nextToken is not a token of this API; leave it out to read from the start")
        // Without a store, a bad token has not been an accident of its data.
        #expect(try run.requests(text, variables: ["token": "x"]).isEmpty)
    }

    @Test(arguments: [0, -1, 1001, 2_147_483_647])
    func `a limit outside of its range is refused`(limit: Int64) throws {
        var run = run
        let message = try run.message(Text("{ listUsers(limit: \(limit)) { nextToken } }"))
        let wanted = "limit of \(limit) is outside of 1 to 1000; read further pages with nextToken"
        #expect(message == Text(wanted))
    }

    @Test mutating func `a failing store is an error of each field that asked`() throws {
        let response = try run.response(
            "{ a: getUser(id: \"1\") { id } b: listUsers { nextToken } }"
        ) { requests in
            requests.map { _ in
                .failed(
                    StoreFailure(
                        message: "the disk is full", operatorMessage: "the disk of /srv is full"))
            }
        }
        #expect(response["data"] == ["a": nil, "b": nil])
        let errors = response["errors"]?.items ?? []
        #expect(errors.map { $0["errorType"] } == ["InternalFailure", "InternalFailure"])
        #expect(errors.map { $0["message"] } == ["the disk is full", "the disk is full"])
    }

    @Test func `has-one by references reads the other side's index`() throws {
        var run = Run(
            try ModelSchema(
                sdl: """
                    type P @model { id: ID! team: T @hasOne(references: ["pId"]) }
                    type T @model { id: ID! pId: ID }
                    """))
        let p = try run.record("P", ["id": "p1"])
        let t = try run.record("T", ["id": "t1"])
        var seen: [StoreRequest] = []
        let response = try run.response("{ getP(id: \"p1\") { team { id } } }") { requests in
            seen = requests
            if case .get = requests[0] { return [.records([p])] }
            return [.pages([RecordPage(records: [t], next: nil)])]
        }
        let query = RecordQuery(
            model: try run.id("T"), source: .index(0, hash: ["p1"]), limit: 1)
        #expect(seen == [.query([query])])
        #expect(response == ["data": ["getP": ["team": ["id": "t1"]]]])
    }

    @Test func `a list whose filter asks for equality reads the index that has it`() throws {
        var run = Run(
            try ModelSchema(
                sdl: """
                    type A @model @key(name: "byX", fields: ["x", "n"])
                      @key(name: "byY", fields: ["y"]) { id: ID! x: ID y: String n: Int }
                    """))
        let x = Filter.test(.init(slot: try run.slot("A", "x")), .equal("a"))
        let y = Filter.test(.init(slot: try run.slot("A", "y")), .equal("b"))
        let n = Filter.test(.init(slot: try run.slot("A", "n")), .greater(1))
        let id = Filter.test(.init(slot: try run.slot("A", "id")), .equal("c"))
        let none = Filter.test(.init(slot: try run.slot("A", "x")), .equal(.null))
        let byX = RecordQuery.Source.index(0, hash: ["a"])
        let table: [(String, RecordQuery.Source, Filter)] = [
            ("{x: {eq: \"a\"}}", byX, x),
            ("{n: {gt: 1}, x: {eq: \"a\"}}", byX, .and([x, n])),
            ("{and: [{x: {eq: \"a\"}}, {n: {gt: 1}}]}", byX, .and([x, n])),
            ("{y: {eq: \"b\"}}", .index(1, hash: ["b"]), y),
            ("{y: {eq: \"b\"}, id: {eq: \"c\"}}", .key(hash: "c"), .and([id, y])),
            ("{x: {eq: null}}", .all, none),
            ("{or: [{x: {eq: \"a\"}}, {n: {gt: 1}}]}", .all, .or([x, n])),
            ("{not: {x: {eq: \"a\"}}}", .all, .not(x)),
            ("{n: {gt: 1}}", .all, n),
        ]
        for (text, source, filter) in table {
            #expect(
                try run.requests(Text("{ listAs(filter: \(text)) { nextToken } }"))
                    == [.query([RecordQuery(model: 0, source: source, filter: filter)])])
        }
    }

    @Test func `pages of a list that reads an index follow each other`() throws {
        var run = Run(
            try ModelSchema(
                sdl:
                    "type A @model @key(name: \"k\", fields: [\"x\", \"n\"]) { id: ID! x: ID n: Int }"
            ))
        let text: Text = """
            query Q($token: String) {
              listAs(filter: {x: {eq: "a"}}, limit: 1, nextToken: $token) { nextToken } }
            """
        let cursor = RecordQuery.Cursor(sort: [4], sequence: 7)
        let page = RecordPage(records: [], next: cursor)
        let first = try run.response(text) { _ in [.pages([page])] }
        let token = try #require(first["data"]?["listAs"]?["nextToken"])
        let requests = try run.requests(text, variables: ["token": token])
        guard case .query(let queries)? = requests.first else {
            Issue.record("no query")
            return
        }
        #expect(queries.first?.after == cursor)
    }

    @Test func `a list by primary key needs the hash for the sort condition`() throws {
        var run = Run(
            try ModelSchema(
                sdl: "type Item @model @key(fields: [\"x\", \"y\"]) { x: ID! y: Int! }"))
        #expect(
            try run.requests("{ listItems { nextToken } }") == [.query([RecordQuery(model: 0)])])
        let query = RecordQuery(
            model: 0, source: .key(hash: "a"), sort: .init(test: .between(1, 2)))
        #expect(
            try run.requests("{ listItems(x: \"a\", y: {between: [1, 2]}) { nextToken } }")
                == [.query([query])])
        #expect(
            try run.message("{ listItems(y: {eq: 1}) { nextToken } }")
                == "y needs the argument x beside it")
        #expect(
            try run.message("{ listItems(x: \"a\", y: {lt: 1, gt: 2}) { nextToken } }")
                == "y takes one operator, not 2 (lt, gt); use between for a range, or a filter")
        #expect(
            try run.requests("{ getItem(x: \"a\", y: 1) { x } }")
                == [.get([RecordKey(model: 0, values: ["a", 1])])])
    }

    @Test func `a relation by leading fields of a key reads the rest of it`() throws {
        var run = Run(
            try ModelSchema(
                sdl: """
                    type A @model { id: ID! n: Int
                      bs: [B] @connection(fields: ["id"]) cs: [B] @connection(fields: ["id", "n"]) }
                    type B @model @key(fields: ["a", "n", "m"]) { a: ID! n: Int! m: Int! }
                    """))
        let b = try run.id("B")
        func query(_ selection: String, n: JSONValue = 4) throws -> StoreRequest? {
            let a = try run.record("A", ["id": "a1", "n": n])
            var last: StoreRequest?
            _ = try run.response("{ getA(id: \"a1\") { \(selection) { nextToken } } }".text) {
                last = $0.first
                if case .get = $0[0] { return [.records([a])] }
                return [.pages([RecordPage(records: [], next: nil)])]
            }
            return last
        }
        let key = RecordQuery.Source.key(hash: "a1")
        #expect(try query("bs") == .query([RecordQuery(model: b, source: key)]))
        #expect(
            try query("cs")
                == .query([RecordQuery(model: b, source: key, sort: .init(test: .equal(4)))]))
        #expect(
            try query("cs(m: {le: 5})")
                == .query([
                    RecordQuery(
                        model: b, source: key, sort: .init(equal: [4], test: .lessOrEqual(5)))
                ]))
        #expect(
            try query("bs(nM: {beginsWith: {n: 1, m: 2}})")
                == .query([
                    RecordQuery(model: b, source: key, sort: .init(equal: [1], test: .equal(2)))
                ]))
        // A null in an own field finds nothing, and asks nothing.
        let request = try query("cs", n: nil)
        if case .query? = request { Issue.record("a query for a null") }
    }
}

extension String {
    var text: Text { Text(self) }
}
