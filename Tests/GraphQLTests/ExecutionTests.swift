import Bytes
import GraphQL
import JSON
import Testing

/// Documents with the responses that the specification demands (GraphQL 6).
struct ExecutionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var document: Text
        var data: String
        var testDescription: String { document.string }

        init(_ document: Text, _ data: String) {
            self.document = document
            self.data = data
        }
    }

    static let cases: [Case] = [
        Case("{ hello }", #"{"hello":"hello you"}"#),
        Case(#"{ hello(name: "é\n") }"#, #"{"hello":"hello é\n"}"#),
        Case("{ a: hello b: hello }", #"{"a":"hello you","b":"hello you"}"#),
        Case("{ __typename hello }", #"{"__typename":"Query","hello":"hello you"}"#),
        Case("{ t: __typename }", #"{"t":"Query"}"#),
        Case(
            "{ message(id: 1) { id body __typename } }",
            #"{"message":{"id":"m1","body":"hi","__typename":"Message"}}"#),
        Case(
            "{ message(id: 1) { id } message(id: 1) { body } hello message(id: 1) { id } }",
            #"{"message":{"id":"m1","body":"hi"},"hello":"hello you"}"#),
        Case(
            "{ ...F hello } fragment F on Query { message(id: 1) { ...G } } fragment G on Message { id }",
            #"{"message":{"id":"m1"},"hello":"hello you"}"#),
        Case(
            "{ ... { hello } ... @skip(if: false) { a: hello } }",
            #"{"hello":"hello you","a":"hello you"}"#),
        Case(
            "{ hello @skip(if: true) a: hello @include(if: false) b: hello @include(if: true) }",
            #"{"b":"hello you"}"#),
        Case("{ hello @skip(if: true) @include(if: true) }", "{}"),
        Case(
            "{ node { id __typename ... on User { name } ... on Message { body } } }",
            #"{"node":{"id":"u1","__typename":"User","name":"user 1"}}"#),
        Case("{ node { ... on Node { id } } }", #"{"node":{"id":"u1"}}"#),
        Case(
            "{ found { __typename ... on Node { id } ... on Message { body } } }",
            #"{"found":[{"__typename":"Message","id":"m1","body":"hi"},"#
                + #"{"__typename":"User","id":"u2"}]}"#),
        Case("{ messages { id } }", #"{"messages":[{"id":"m1"},{"id":"m2"},{"id":"m3"}]}"#),
        Case(
            "{ page { items { id likes } nextToken } }",
            #"{"page":{"items":[{"id":"m1","likes":1},null],"nextToken":"next"}}"#),
        Case(
            "{ messages { author { name friend { id } } id } }",
            #"{"messages":[{"author":{"name":"user 1","friend":{"id":"u1"}},"id":"m1"},"#
                + #"{"author":{"name":"user 1","friend":{"id":"u1"}},"id":"m2"},"#
                + #"{"author":{"name":"user 1","friend":{"id":"u1"}},"id":"m3"}]}"#),
        Case(
            "{ found { ... on Message { author { id } } ... on User { friend { id } messages { id } } } }",
            #"{"found":[{"author":{"id":"u1"}},"#
                + #"{"friend":{"id":"u1"},"messages":[{"id":"m4"},{"id":"m5"}]}]}"#),
        Case(
            "{ page { items { replies { text author { id } } } } }",
            #"{"page":{"items":[{"replies":[{"text":"one","author":{"id":"u1"}},"#
                + #"{"text":"two","author":{"id":"u1"}}]},null]}}"#),
        Case("\"says\" query \"x\" { hello }", ""),
        Case("\"described\" query Q { hello }", #"{"hello":"hello you"}"#),
    ]

    @Test(arguments: cases)
    func `a document is answered as the specification says`(_ example: Case) throws {
        var chat = try Chat()
        let response = chat.run(example.document)
        if example.data.isEmpty {
            #expect(response.hasPrefix("syntax:"))
        } else {
            #expect(response == "{\"data\":\(example.data)}")
        }
    }

    @Test func `siblings of a list are asked in one batch at each level`() throws {
        var chat = try Chat()
        _ = chat.run(
            "{ messages { author { friend { id } } replies { author { id } } } a: hello }")
        #expect(
            chat.log == [
                "Query.messages*1", "Query.hello*1", "Message.author*3", "Message.replies*3",
                "User.friend*3", "Reply.author*6",
            ])
    }

    @Test func `a batch names the fields selected of its result`() throws {
        let chat = try Chat()
        let operation = try chat.prepare("{ page { items { id } t: nextToken __typename } }").get()
        let variables = try operation.coerce(variables: [:]).get()
        var execution = Execution(operation, variables: variables)
        guard case .pending(let batches) = execution.start() else {
            Issue.record("nothing was asked")
            return
        }
        #expect(batches[0].selection == ["items", "nextToken", "__typename"])
        if batches[0].asks[0].parent != nil { Issue.record("the root has no parent") }
    }

    @Test func `root fields of a mutation run one after the other`() throws {
        var chat = try Chat()
        let response = chat.run(
            """
            mutation { a: add(body: "1") { author { id } body } __typename b: add(body: "2") { id } }
            """)
        #expect(
            response
                == #"{"data":{"a":{"author":{"id":"u1"},"body":"1"},"__typename":"Mutation","b":{"id":"m9"}}}"#
        )
        #expect(chat.log == ["Mutation.add*1", "Message.author*1", "Mutation.add*1"])
    }

    @Test func `a null that reaches the root ends a mutation`() throws {
        var chat = try Chat()
        chat.given["Mutation.addStrict"] = { _ in .failure(GraphQLError("no")) }
        let response = chat.run(
            """
            mutation { add(body: "1") { id } addStrict(body: "2") { id } b: add(body: "3") { id } }
            """)
        #expect(response.hasPrefix(#"{"data":null,"errors":[{"message":"no""#))
        #expect(chat.log == ["Mutation.add*1", "Mutation.addStrict*1"])
    }

    @Test func `a thousand root fields of a mutation need no deep stack`() throws {
        var chat = try Chat()
        let fields = (0..<5_000).map { "a\($0): __typename" }.joined(separator: " ")
        let response = chat.run(Text("mutation { \(fields) }"), limits: .lifted)
        #expect(response.hasSuffix(#""a4999":"Mutation"}}"#))
    }

    @Test func `the operation is picked by its name`() throws {
        var chat = try Chat()
        let two: Text = "query A { a: hello } query B { b: hello }"
        #expect(chat.run(two, name: "B") == #"{"data":{"b":"hello you"}}"#)
        #expect(
            chat.run(two)
                == "operation: Must provide operation name if query contains multiple operations.")
        #expect(
            chat.run("query Ada { a: hello } query Bob { b: hello }", name: "Adax")
                == #"operation: Unknown operation named "Adax". Did you mean "Ada"?"#)
        #expect(chat.run("{ hello }", name: "") == #"operation: Unknown operation named ""."#)
    }

    @Test func `conditions on variables choose the plan of a request`() throws {
        var chat = try Chat()
        let document: Text = """
            query Q($x: Boolean!, $y: Boolean = false) {
              a: hello @include(if: $x) b: hello @skip(if: $x) ...F @include(if: $y)
            }
            fragment F on Query { c: hello @skip(if: $y) d: hello }
            """
        #expect(chat.run(document, ["x": true]) == #"{"data":{"a":"hello you"}}"#)
        #expect(
            chat.run(document, ["x": false, "y": true])
                == #"{"data":{"b":"hello you","d":"hello you"}}"#)
    }

    @Test func `embedded objects are read by their members`() throws {
        var chat = try Chat()
        chat.given["Query.embedded"] = { _ in
            .value([
                "title": "a", "inner": ["title": "b", "inner": nil],
                "list": [["title": "c"], ["title": "d"]],
                "node": ["__typename": "User", "id": 7],
            ])
        }
        let response = chat.run(
            "{ embedded { inner { title inner { title } } list { title } node { __typename } title } }"
        )
        #expect(
            response
                == #"{"data":{"embedded":{"inner":{"title":"b","inner":null},"list":[{"title":"c"},"#
                + #"{"title":"d"}],"node":{"__typename":"User"},"title":"a"}}}"#)
    }

    @Test func `a parent is handed to the asks on it`() throws {
        var chat = try Chat()
        let user = chat.type("User")
        chat.given["Message.author"] = { ask in
            guard case .record(_, let slots) = ask.parent, let id = slots[0].text else {
                return .null
            }
            return .object(
                type: user, slots: [.value(.string(id)), .value(.string(Text("of \(id)")))])
        }
        #expect(
            chat.run("{ messages { author { name } } }")
                == #"{"data":{"messages":[{"author":{"name":"of m1"}},{"author":{"name":"of m2"}},"#
                + #"{"author":{"name":"of m3"}}]}}"#)
    }
}
