import Bytes
import GraphQL
import JSON
import Testing

/// Documents made to exhaust a server: each is answered or refused with bounded cost.
struct HostileDocumentTests {
    /// A document, and whether it must be refused.
    private func run(
        _ text: String, _ limits: DocumentLimits = DocumentLimits()
    ) throws -> String {
        var chat = try Chat()
        return chat.run(Text(text), limits: limits)
    }

    @Test func `ten thousand directives are refused with few errors`() throws {
        let equal = try run("{ __typename \(String(repeating: "@a ", count: 10_000)) }")
        let different = try run(
            "{ __typename \((0..<10_000).map { "@a\($0)" }.joined(separator: " ")) }")
        for response in [equal, different] { #expect(response.utf8.count < 300_000) }
    }

    @Test func `five thousand unknown fields are refused with few errors`() throws {
        let response = try run("{ \((0..<5_000).map { "f\($0)" }.joined(separator: " ")) }")
        #expect(response.utf8.count < 300_000)
    }

    @Test func `a field repeated thousands of times is written once`() throws {
        #expect(
            try run("{ \(String(repeating: "__typename ", count: 3_000)) }")
                == #"{"data":{"__typename":"Query"}}"#)
        #expect(
            try run("{ \(String(repeating: "... { __typename } ", count: 3_000)) }")
                == #"{"data":{"__typename":"Query"}}"#)
        let repeated = try run(
            "{ \(String(repeating: "messages(limit: 1) { id } ", count: 500)) }")
        #expect(repeated.hasPrefix(#"{"data":{"messages":[{"id":"m1"}"#))
    }

    @Test func `a long chain of fragments needs no deep stack`() throws {
        let count = 3_000
        let chain = (0..<count).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }
        let response = try run(
            "{ ...F0 } \(chain.joined(separator: "\n")) fragment F\(count) on Query { hello }",
            .lifted)
        #expect(response == #"{"data":{"hello":"hello you"}}"# || response.hasPrefix("validation:"))
    }

    @Test func `a chain of fragments that nests fields is refused at the depth limit`() throws {
        let count = 300
        let chain = (0..<count).map { "fragment F\($0) on User { friend { ...F\($0 + 1) } }" }
        let response = try run(
            "{ node { ...F0 } } \(chain.joined(separator: "\n")) fragment F\(count) on User { id }")
        #expect(response.contains("deeper than 100 levels") || response.hasPrefix("validation:"))
    }

    @Test func `fragments that spread the next one twice cost no more than their text`() throws {
        let flat = (0..<40).map { "fragment F\($0) on Query { ...F\($0 + 1) ...F\($0 + 1) }" }
        #expect(
            try run("{ ...F0 } \(flat.joined(separator: "\n")) fragment F40 on Query { hello }")
                == #"{"data":{"hello":"hello you"}}"#)
        let inline = (0..<25).map {
            "fragment F\($0) on Query { ... { ...F\($0 + 1) } ... { ...F\($0 + 1) } }"
        }
        #expect(
            try run("{ ...F0 } \(inline.joined(separator: "\n")) fragment F25 on Query { hello }")
                == #"{"data":{"hello":"hello you"}}"#)
    }

    @Test func `fragments that double the response are planned once and answered in bounds`()
        throws
    {
        // Forty doublings: a plan that copied would never end, nor would a whole response.
        let nested = (0..<40).map {
            "fragment F\($0) on User { x: friend { ...F\($0 + 1) } y: friend { ...F\($0 + 1) } }"
        }
        var chat = try Chat()
        let document =
            "{ node { ...F0 } } \(nested.joined(separator: "\n")) fragment F40 on User { id }"
        let response = chat.run(
            Text(document), limits: DocumentLimits(costMax: .max, resultNodesMax: 20_000))
        #expect(response.contains("20000 values") || response.hasPrefix("validation:"))
    }

    @Test func `a plan that grows beyond its limit is refused`() throws {
        var chat = try Chat()
        let fields = (0..<2_000).map { "a\($0): hello" }.joined(separator: " ")
        let response = chat.run(
            Text("{ \(fields) }"), limits: DocumentLimits(aliasesMax: 2_000, planFieldsMax: 1_000))
        #expect(
            response
                == "operation: the operation selects more than 1000 fields "
                + "(document-plan-fields-max): use fewer fragments within each other")
    }

    @Test func `a response that grows beyond its limit has no data`() throws {
        var chat = try Chat()
        let page = chat.type("Page")
        let messages = (0..<2_000).map { chat.message($0) }
        chat.given["Query.page"] = { _ in .object(type: page, slots: [.list(messages), .null]) }
        let response = chat.run(
            "{ page { items { id body } } }", limits: DocumentLimits(resultNodesMax: 3_000))
        #expect(response.hasPrefix(#"{"data":null,"errors":[{"message":"the response is over"#))
        let short = chat.run(
            "{ page { items { id body } } }", limits: DocumentLimits(responseBytesMax: 3_000))
        #expect(short.hasPrefix(#"{"data":null,"errors":[{"message":"the response is over"#))
    }
}
