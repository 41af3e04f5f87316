import Bytes
import GraphQL
import JSON
import Testing

/// Errors of fields and how null climbs (GraphQL 6.4.4).
struct ErrorTests {
    @Test func `a failed nullable field is null with path and location`() throws {
        var chat = try Chat()
        chat.given["Message.author"] = { _ in .failure(GraphQLError("gone")) }
        #expect(
            chat.run("{ page { items { id\n  who: author { name } } } }")
                == #"{"data":{"page":{"items":[{"id":"m1","who":null},null]}},"errors":[{"message":"gone","#
                + #""locations":[{"line":2,"column":3}],"path":["page","items",0,"who"]}]}"#)
    }

    @Test func `a failed non-null field takes its parent with it`() throws {
        var chat = try Chat()
        chat.given["Message.must"] = { _ in .null }
        #expect(
            chat.run("{ message(id: 1) { id must { id } } hello }")
                == #"{"data":{"message":null,"hello":"hello you"},"errors":[{"message":"#
                + #""Cannot return null for non-nullable field Message.must.","#
                + #""locations":[{"line":1,"column":23}],"path":["message","must"]}]}"#)
    }

    @Test func `a null item of non-null items takes the list with it`() throws {
        var chat = try Chat()
        let message = chat.message(1)
        chat.given["Query.messages"] = { _ in .list([message, .null]) }
        let response = chat.run("{ hello messages { id } }")
        #expect(response.hasPrefix(#"{"data":{"hello":"hello you","messages":null},"errors""#))
        #expect(response.contains(#""path":["messages",1]"#))
    }

    @Test func `a null that reaches the root leaves no data`() throws {
        var chat = try Chat()
        chat.given["Message.must"] = { _ in .failure(GraphQLError("no")) }
        let response = chat.run("{ hello strict { id must { id } } }")
        #expect(response.hasPrefix(#"{"data":null,"errors":[{"message":"no""#))
        #expect(response.contains(#""path":["strict","must"]"#))
    }

    @Test func `siblings keep their answers when an object between them falls`() throws {
        var chat = try Chat()
        let user = chat.user(7)
        chat.given["Message.must"] = { ask in
            guard case .record(_, let slots) = ask.parent, slots[0] == "m2" else { return user }
            return .null
        }
        let (one, two, three) = (chat.message(1), chat.message(2), chat.message(3))
        let page = chat.type("Page")
        chat.given["Query.page"] = { _ in
            .object(type: page, slots: [.list([one, two, three]), .null])
        }
        let response = chat.run("{ page { items { must { friend { id } id } likes } nextToken } }")
        #expect(
            response.hasPrefix(
                #"{"data":{"page":{"items":[{"must":{"friend":{"id":"u1"},"id":"u7"},"likes":1},null,"#
                    + #"{"must":{"friend":{"id":"u1"},"id":"u7"},"likes":3}],"nextToken":null}},"#
                    + #""errors":["#))
    }

    @Test func `a fallen list does not disturb the asks behind it`() throws {
        var chat = try Chat()
        let (one, two) = (chat.message(1), chat.message(2))
        chat.given["Query.messages"] = { _ in .list([one, .null, two]) }
        let response = chat.run(
            "{ messages { author { friend { id } } } message(id: 1) { author { friend { id } } } }")
        #expect(
            response.hasPrefix(
                #"{"data":{"messages":null,"message":{"author":{"friend":{"id":"u1"}}}},"errors""#))
    }

    @Test func `an error may carry AppSync's members`() throws {
        var chat = try Chat()
        chat.given["Query.hello"] = { _ in
            .failure(
                GraphQLError(
                    "not for you", extensions: ["code": 7], errorType: "Unauthorized",
                    errorInfo: ["a": 1]))
        }
        #expect(
            chat.run("{ hello }")
                == #"{"data":{"hello":null},"errors":[{"message":"not for you","locations":"#
                + #"[{"line":1,"column":3}],"path":["hello"],"errorType":"Unauthorized","#
                + #""errorInfo":{"a":1},"extensions":{"code":7}}]}"#)
    }

    @Test func `values of the wrong shape are errors and not lies`() throws {
        let wrong: [(Resolved, String)] = [
            (.value(5), "expected an object"), (.list([]), "a list was given"),
            (.record(type: 0, slots: []), "another type"),
        ]
        for (value, message) in wrong {
            var chat = try Chat()
            chat.given["Query.message"] = { _ in value }
            let response = chat.run("{ message(id: 1) { id } }")
            #expect(response.hasPrefix(#"{"data":{"message":null},"errors""#))
            #expect(response.contains(message))
        }
        var chat = try Chat()
        chat.given["Query.messages"] = { _ in .value("x") }
        #expect(chat.run("{ messages { id } }").contains("expected a list, found a string"))
    }

    @Test func `arguments that fail at run time are errors of their field`() throws {
        var chat = try Chat()
        let response = chat.run(
            "query Q($n: Int = 1) { echo(need: $n) hello }", ["n": nil])
        #expect(
            response.hasPrefix(#"{"data":{"echo":null,"hello":"hello you"},"errors":[{"message":"#))
        #expect(response.contains(#""path":["echo"]"#))
        #expect(chat.log == ["Query.hello*1"])
    }

    @Test func `only so many errors are reported`() throws {
        var chat = try Chat()
        let page = chat.type("Page")
        let messages = (0..<500).map { chat.message($0) }
        chat.given["Query.page"] = { _ in .object(type: page, slots: [.list(messages), .null]) }
        chat.given["Message.author"] = { _ in .failure(GraphQLError("x")) }
        let response = chat.run("{ page { items { author { id } } } }")
        #expect(response.components("\"message\"") == 100)
        #expect(response.components("\"author\":null") == 500)
    }
}

extension String {
    /// How often a text occurs in it.
    func components(_ part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
