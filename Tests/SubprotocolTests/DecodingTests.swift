import Bytes
import JSON
import Subprotocol
import Testing

struct DecodingTests {
    static let readable: [(Dialect, String, ClientMessage)] = [
        (.transportWS, #"{"type":"connection_init"}"#, .connectionInit(payload: nil)),
        (
            .transportWS, #"{"type":"connection_init","payload":null}"#,
            .connectionInit(payload: nil)
        ),
        (
            .transportWS, #"{"payload":{"x-api-key":"k"},"type":"connection_init"}"#,
            .connectionInit(payload: ["x-api-key": "k"])
        ),
        (.transportWS, #"{"type":"ping"}"#, .ping(payload: nil)),
        (.transportWS, #"{"type":"ping","payload":{"a":[1]}}"#, .ping(payload: ["a": [1]])),
        (.transportWS, #"{"type":"pong","payload":null,"more":1}"#, .pong(payload: nil)),
        (.transportWS, #"{"type":"complete","id":"7","payload":3}"#, .complete(id: "7")),
        (
            .transportWS,
            #"{"id":"1","type":"subscribe","payload":{"query":"{a}","operationName":null,"#
                + #""variables":null,"extensions":null,"else":1}}"#,
            .subscribe(id: "1", OperationRequest(query: "{a}"))
        ),
        (
            .transportWS,
            #"{"id":"\u0031","type":"subscr\u0069be","payload":{"query":"query Q{a}","#
                + #""operationName":"Q","variables":{"n":1},"extensions":{"heliograph":{}}}}"#,
            .subscribe(
                id: "1",
                OperationRequest(
                    query: "query Q{a}", operationName: "Q", variables: ["n": 1],
                    extensions: ["heliograph": [:]]))
        ),
        (.legacyWS, #"{"type":"connection_terminate"}"#, .terminate),
        (.legacyWS, #"{"type":"stop","id":"a"}"#, .complete(id: "a")),
        (
            .legacyWS, #"{"type":"start","id":"a","payload":{"query":"{a}"}}"#,
            .subscribe(id: "a", OperationRequest(query: "{a}"))
        ),
        (
            .legacyWS,
            #"{"type":"start","id":"a","payload":{"data":"{\"query\":\"{a}\"}"}}"#,
            .subscribe(id: "a", OperationRequest(query: "{a}", isDataString: true))
        ),
        (.appSync, #"{"type":"connection_init"}"#, .connectionInit(payload: nil)),
        (.appSync, #"{"type":"stop","id":"a"}"#, .complete(id: "a")),
        (
            .appSync,
            #"{"id":"a","type":"start","payload":{"data":"{\"variables\":{\"t\":\"\\u00e9\"},"#
                + #"\"query\":\"subscription {a}\"}","extensions":{"authorization":"#
                + #"{"x-api-key":"k","host":"h"},"heliograph":{"resume":true}}}}"#,
            .subscribe(
                id: "a",
                OperationRequest(
                    query: "subscription {a}", variables: ["t": "é"],
                    extensions: ["heliograph": ["resume": true]],
                    authorization: ["x-api-key": "k", "host": "h"], isDataString: true))
        ),
        (
            .appSync, #"{"id":"a","type":"start","payload":{"query":"subscription {a}"}}"#,
            .subscribe(id: "a", OperationRequest(query: "subscription {a}"))
        ),
    ]

    @Test(arguments: readable.indices)
    func `a message of the dialect is read`(index: Int) throws {
        let (dialect, text, expected) = Self.readable[index]
        #expect(try decode(text, dialect) == expected)
    }

    static let broken: [(String, MessageError.Kind)] = [
        (#"[1]"#, .notObject), (#"3"#, .notObject), (#"null"#, .notObject), (#""a""#, .notObject),
        (#"{}"#, .noType), (#"{"type":3}"#, .noType), (#"{"type":null}"#, .noType),
        (#"{"type":""}"#, .unknownType), (#"{"type":"start"}"#, .unknownType),
        (#"{"type":"Subscribe"}"#, .unknownType),
        (#"{"type":"next","id":"1","payload":{}}"#, .wrongDirection),
        (#"{"type":"error","id":"1","payload":[]}"#, .wrongDirection),
        (#"{"type":"connection_ack"}"#, .wrongDirection),
        (#"{"type":"connection_init","payload":[]}"#, .badPayload),
        (#"{"type":"connection_init","payload":"k"}"#, .badPayload),
        (#"{"type":"ping","payload":[]}"#, .badPayload),
        (#"{"type":"pong","payload":1}"#, .badPayload),
        (#"{"type":"complete"}"#, .badID), (#"{"type":"complete","id":""}"#, .badID),
        (#"{"type":"complete","id":1}"#, .badID), (#"{"type":"complete","id":null}"#, .badID),
        (#"{"type":"subscribe","payload":{"query":"{a}"}}"#, .badID),
        (#"{"type":"subscribe","id":"1"}"#, .badPayload),
        (#"{"type":"subscribe","id":"1","payload":null}"#, .badPayload),
        (#"{"type":"subscribe","id":"1","payload":"{a}"}"#, .badPayload),
        (#"{"type":"subscribe","id":"1","payload":{}}"#, .badOperation("query")),
        (#"{"type":"subscribe","id":"1","payload":{"query":null}}"#, .badOperation("query")),
        (#"{"type":"subscribe","id":"1","payload":{"query":1}}"#, .badOperation("query")),
        (
            #"{"type":"subscribe","id":"1","payload":{"query":"","variables":[]}}"#,
            .badOperation("variables")
        ),
        (
            #"{"type":"subscribe","id":"1","payload":{"query":"","extensions":"a"}}"#,
            .badOperation("extensions")
        ),
        (
            #"{"type":"subscribe","id":"1","payload":{"query":"","operationName":1}}"#,
            .badOperation("operationName")
        ),
    ]

    @Test(arguments: broken.indices)
    func `what the protocol does not allow is an error and closes with 4400`(index: Int) throws {
        let (text, kind) = Self.broken[index]
        let error = try #require(fault(text, .transportWS))
        #expect(error.kind == kind)
        let close = Dialect.transportWS.reaction(to: .badMessage(error)).close
        #expect(close?.code == 4400)
        #expect(close?.reason.hasPrefix("Invalid message received") == true)
    }

    @Test(arguments: ["", "{", "hello", #"{"type":"ping"} x"#, "{\"type\":\"\u{1}\"}"])
    func `what is not JSON is named so in all dialects`(text: String) throws {
        for dialect in Dialect.allCases {
            guard case .notJSON = try #require(fault(text, dialect)).kind else {
                Issue.record("\(dialect) did not find the broken JSON")
                continue
            }
        }
    }

    @Test func `the error of a data string names the operation`() {
        let cases: [(String, StaticText)] = [
            ("nonsense", "data"), ("[]", "data"), ("{}", "query"),
            (#"{\"query\":\"\",\"variables\":3}"#, "variables"),
        ]
        for (data, part) in cases {
            let text = #"{"type":"start","id":"a","payload":{"data":"\#(data)"}}"#
            #expect(fault(text, .appSync) == MessageError(.badOperation(part), id: "a"))
        }
    }

    @Test func `legacy and AppSync know each other's words but not the new protocol's`() throws {
        for dialect in [Dialect.legacyWS, .appSync] {
            for type in ["subscribe", "ping", "pong", "next"] {
                let text = #"{"type":"\#(type)","id":"1"}"#
                #expect(fault(text, dialect) == MessageError(.unknownType, id: "1"))
            }
            for type in ["data", "ka", "start_ack", "complete", "connection_error"] {
                #expect(fault(#"{"type":"\#(type)"}"#, dialect)?.kind == .wrongDirection)
            }
        }
    }

    @Test func `a legacy connection turns AppSync at the first data string`() throws {
        let ours = try decode(
            #"{"type":"start","id":"a","payload":{"data":"{\"query\":\"{a}\"}"}}"#, .legacyWS)
        let plain = try decode(
            #"{"type":"start","id":"a","payload":{"query":"{a}"}}"#, .legacyWS)
        #expect(Dialect.legacyWS.following(ours) == .appSync)
        #expect(Dialect.legacyWS.following(plain) == .legacyWS)
        #expect(Dialect.legacyWS.following(.terminate) == .legacyWS)
        #expect(Dialect.transportWS.following(ours) == .transportWS)
    }

    @Test func `ids that differ in composition only stay different`() throws {
        let composed = try decode(#"{"type":"complete","id":"caf\u00e9"}"#, .transportWS)
        let decomposed = try decode(#"{"type":"complete","id":"cafe\u0301"}"#, .transportWS)
        #expect(composed != decomposed)
    }

    @Test func `the tape stays usable after every kind of message`() throws {
        var tape = JSONTape()
        let nested = Array(Self.readable[15].1.utf8)
        for _ in 0..<3 {
            #expect(throws: MessageError.self) { try decode([0x7b], .appSync, &tape) }
            #expect(try decode(nested, .appSync, &tape) == Self.readable[15].2)
            #expect(throws: MessageError.self) { try decode([], .transportWS, &tape) }
        }
    }

    @Test func `random bytes and damaged messages never crash a decoder`() {
        var random = SeededRandom(seed: 77)
        var tape = JSONTape()
        for round in 0..<6000 {
            let (_, text, _) = Self.readable[round % Self.readable.count]
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0x20...0x7e, using: &random), at: at)
                default: if bytes.count > 1 { bytes.remove(at: at) }
                }
            }
            for dialect in Dialect.allCases {
                _ = try? decode(bytes, dialect, &tape)
                bytes.withUnsafeBytes { _ = try? dialect.decodeServer($0, tape: &tape) }
                bytes.withUnsafeBytes { _ = try? dialect.nextParts(of: $0, tape: &tape) }
            }
        }
    }
}
