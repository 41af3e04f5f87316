import Bytes
import Testing

@testable import HubClient

struct PartsTests {
    static let urls: [(Text, String, Text)] = [
        ("ws://127.0.0.1:4000/graphql", "ws://127.0.0.1:4000/graphql", "127.0.0.1:4000"),
        ("http://hub.example", "ws://hub.example/graphql", "hub.example"),
        ("http://hub.example:80/", "ws://hub.example/graphql", "hub.example"),
        ("HTTPS://hub.example/api?a=b#c", "wss://hub.example/api?a=b", "hub.example"),
        ("wss://[::1]:4443/graphql", "wss://[::1]:4443/graphql", "[::1]:4443"),
        ("ws://[::1]?x=1", "ws://[::1]/graphql?x=1", "[::1]"),
    ]

    @Test(arguments: urls.indices)
    func `a URL is taken apart`(index: Int) throws {
        let (url, description, authority) = Self.urls[index]
        let endpoint = try Endpoint(url)
        #expect(endpoint.description == description)
        #expect(endpoint.authority == authority)
        #expect(try Endpoint(Text(endpoint.description)) == endpoint)
    }

    @Test func `what is no URL of a hub is refused with the reason`() {
        let cases: [(Text, EndpointError)] = [
            ("", .unknownScheme), ("hub.example", .unknownScheme), ("ftp://a", .unknownScheme),
            ("ws://", .badHost), ("ws://:4000", .badHost), ("ws://[::1", .badHost),
            ("ws://[::1]x", .badHost), ("ws://a:0", .badPort), ("ws://a:65536", .badPort),
            ("ws://a:+1", .badPort), ("ws://a:x/", .badPort), ("ws://u:p@a/", .hasUserInfo),
        ]
        for (url, error) in cases {
            #expect(throws: error) { try Endpoint(url) }
        }
    }

    @Test func `the back-off doubles up to its cap, whatever the count`() {
        let backOff = BackOff()
        let bounds = [0, 1, 2, 5, 6, 40, 1000].map { backOff.bound(attempt: $0) / 1_000_000 }
        #expect(bounds == [1000, 2000, 4000, 5000, 5000, 5000, 5000])
        var random = SeededRandom(seed: 2)
        let waits = (0..<200).map { _ in backOff.wait(attempt: 6, random: &random) / 500_000_000 }
        #expect(Set(waits) == Set(0...9))
    }

    @Test func `whoever is due first is woken first, and nobody before`() {
        var random = SeededRandom(seed: 5)
        var list = WakeList()
        var left: [(due: Int64, number: Int)] = []
        for number in 0..<2_000 {
            let due = Int64.random(in: 0...500, using: &random)
            list.add(due, number)
            left.append((due, number))
            let now = Int64.random(in: 0...100, using: &random)
            while let first = list.popFirst(upTo: now) {
                #expect(first.due == left.map(\.due).min() && first.due <= now)
                left.removeAll { $0 == first }
            }
            #expect(list.firstDue == left.map(\.due).min())
        }
    }

    static let documents: [(Text, Text?, OperationKind)] = [
        ("{a}", nil, .query), ("query{a}", nil, .query), ("query Q($a: Int = 1){a}", nil, .query),
        ("mutation {a}", nil, .mutation),
        ("  # query {a}\n subscription S {a}", nil, .subscription),
        ("fragment mutation on query {a} subscription {b}", nil, .subscription),
        ("query Q($mutation: [M!] = {a: \"}\"}) @mutation(a: 1) {a}", nil, .query),
        ("query A {a} mutation B {b} subscription C {c}", nil, .query),
        ("query A {a} mutation B {b} subscription C {c}", "B", .mutation),
        ("query A {a(x: \"}\\\"mutation\")} subscription C {c}", "C", .subscription),
        ("query A {a(x: \"\"\"}\\\"\"\"} \"\"\") #}\n} subscription C {c}", "C", .subscription),
        ("query A {a}", "Missing", .mutation), ("", nil, .mutation),
        ("garbage {a}", nil, .mutation),
        ("query {", nil, .query), ("\"", nil, .mutation), ("\"\"\"", nil, .mutation),
        ("{a(x: \"\\", nil, .query),
    ]

    @Test(arguments: documents.indices)
    func `the kind of an operation is read from its document`(index: Int) {
        let (document, name, kind) = Self.documents[index]
        #expect(OperationKind(of: document, operationName: name) == kind)
    }

    @Test func `random documents never crash the look at their kind`() {
        let alphabet = Array("{}()[]\"\\#@$ aq\nquery mutation".utf8)
        var random = SeededRandom(seed: 4)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            _ = OperationKind(of: Text(String(decoding: bytes, as: UTF8.self)))
        }
    }
}
