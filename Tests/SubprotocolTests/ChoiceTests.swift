import Bytes
import JSON
import Subprotocol
import Testing

struct ChoiceTests {
    private let key: JSONObject = ["host": "h.example.com", "x-api-key": "da2-é?>"]

    private func base64(_ object: JSONObject, _ form: Base64.Form) -> String {
        String(decoding: Base64.encode(JSONValue.object(object).jsonBytes, as: form), as: UTF8.self)
    }

    @Test func `the newer protocol wins, names are case-sensitive, lists are split`() {
        let cases: [([String], Dialect, StaticText?)] = [
            (["graphql-transport-ws"], .transportWS, "graphql-transport-ws"),
            (["graphql-ws, graphql-transport-ws"], .transportWS, "graphql-transport-ws"),
            (["graphql-ws", "\tgraphql-transport-ws "], .transportWS, "graphql-transport-ws"),
            (["graphql-ws"], .legacyWS, "graphql-ws"),
            ([",, graphql-ws ,"], .legacyWS, "graphql-ws"),
            (["GraphQL-WS"], .transportWS, nil), ([], .transportWS, nil),
            (["mqtt, graphql-ws2"], .transportWS, nil),
        ]
        for (offered, dialect, name) in cases {
            let choice = Dialect.choose(offered: offered, path: "/graphql")
            #expect(choice.dialect == dialect)
            #expect(choice.subprotocol == name)
            #expect(choice.credentials == .none)
        }
    }

    @Test func `AppSync is known by path, query, subprotocol or fields`() {
        let header = base64(key, .standard)
        let choices = [
            Dialect.choose(offered: ["graphql-ws"], path: "/graphql/realtime"),
            Dialect.choose(offered: ["graphql-ws"], path: "/graphql", query: "header=\(header)"),
            Dialect.choose(offered: ["graphql-ws"], path: "/graphql", query: "a=1&payload=e30="),
            Dialect.choose(
                offered: ["graphql-ws, header-\(base64(key, .urlSafe))"], path: "/graphql"),
            Dialect.choose(offered: ["graphql-ws"], path: "/graphql", hasAmazonFields: true),
        ]
        for choice in choices {
            #expect(choice.dialect == .appSync)
            #expect(choice.subprotocol == "graphql-ws")
        }
        let modern = Dialect.choose(
            offered: ["graphql-transport-ws, graphql-ws"], path: "/graphql/realtime")
        #expect(modern.dialect == .transportWS)
    }

    @Test func `credentials are found in every form of base64`() {
        let standard = base64(key, .standard)
        #expect(standard.contains("+") || standard.contains("/"))
        let escaped = standard.flatMap { character -> String in
            switch character {
            case "+": "%2B"
            case "/": "%2f"
            case "=": "%3D"
            default: String(character)
            }
        }
        let queries = [
            "header=\(standard)", "header=\(String(escaped))&payload=e30%3D",
            "payload=e30&header=\(base64(key, .urlSafe))",
        ]
        for query in queries {
            let choice = Dialect.choose(
                offered: ["graphql-ws"], path: "/graphql/realtime", query: query)
            #expect(choice.credentials == .object(key))
        }
        let subprotocol = Dialect.choose(
            offered: ["graphql-ws, header-\(base64(key, .urlSafe))"], path: "/", query: "header=!")
        #expect(subprotocol.credentials == .object(key))
    }

    @Test func `credentials that cannot be read are told apart from none`() {
        for query in ["header=", "header", "header=%%%", "header=WzFd", "header=e30=&payload=!"] {
            let choice = Dialect.choose(offered: ["graphql-ws"], path: "/graphql", query: query)
            #expect(choice.credentials == .malformed)
        }
        let none = Dialect.choose(offered: ["graphql-ws"], path: "/graphql/realtime", query: "a=b")
        #expect(none.credentials == .none)
    }

    @Test func `an AppSync client without the subprotocol is answered as AppSync`() {
        let choice = Dialect.choose(offered: [], path: "/graphql/realtime")
        #expect(choice.dialect == .appSync)
        #expect(choice.subprotocol == nil)
    }

    @Test func `a credential is found in any letter case, also under headers`() {
        let cases: [JSONObject] = [
            ["x-api-key": "k"], ["X-API-Key": "k"], ["X-Api-Key": 3, "x-api-key": "k"],
            ["headers": ["X-API-KEY": "k"]],
        ]
        for object in cases { #expect(object.credential("x-api-key") == "k") }
        let empty: JSONObject = ["authorization": "", "other": 1]
        #expect(empty.credential("Authorization") == "")
        #expect(empty.credential("x-api-key") == nil)
    }

    @Test func `each dialect's rules are the documented ones`() {
        let rules = Dialect.allCases.map { dialect in
            [
                dialect.acksSubscriptions, dialect.sendsKeepAlive, dialect.announcesTimeout,
                dialect.answersCompleteToStop, dialect.allowsQueries, dialect.duplicateReplaces,
                dialect.hasPing,
            ]
        }
        #expect(rules[0] == [false, false, false, false, true, false, true])
        #expect(rules[1] == [false, true, true, true, true, true, false])
        #expect(rules[2] == [true, true, true, true, false, false, false])
        #expect(Dialect.allCases.map(\.runsEarlyOperations) == [false, false, true])
    }
}
