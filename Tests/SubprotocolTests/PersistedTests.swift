import Bytes
import JSON
import Subprotocol
import Testing

/// Operations that name their document instead of bringing it.
@Suite struct PersistedTests {
    private func decode(_ dialect: Dialect, _ text: String) -> Result<ClientMessage, MessageError> {
        var tape = JSONTape()
        return Text(text).withBytes { bytes in
            Result { () throws(MessageError) in try dialect.decode(bytes, tape: &tape) }
        }
    }

    private static let hash = #""persistedQuery":{"version":1,"sha256Hash":"ab"}"#

    private func request(_ dialect: Dialect, _ payload: String) throws -> OperationRequest? {
        let type = dialect == .transportWS ? "subscribe" : "start"
        let message = #"{"type":"\#(type)","id":"1","payload":\#(payload)}"#
        guard case .subscribe(_, let request) = try decode(dialect, message).get() else {
            return nil
        }
        return request
    }

    @Test(arguments: [Dialect.transportWS, .legacyWS, .appSync])
    func `a payload without query may name its document`(dialect: Dialect) throws {
        let byID = try request(dialect, #"{"documentId":"sha256:ab","variables":{"a":1}}"#)
        #expect(byID?.query == nil && byID?.documentID == "sha256:ab")
        #expect(byID?.variables == ["a": 1])
        let byHash = try request(dialect, #"{"query":null,"extensions":{\#(Self.hash)}}"#)
        #expect(byHash?.query == nil && byHash?.documentID == nil)
        #expect(byHash?.extensions["persistedQuery"]?["sha256Hash"] == "ab")
    }

    @Test(arguments: [Dialect.transportWS, .legacyWS, .appSync])
    func `a payload that names none is refused`(dialect: Dialect) throws {
        for payload in [
            "{}", #"{"query":null,"documentId":null}"#, #"{"extensions":{"persistedQuery":null}}"#,
        ] {
            let error = #expect(throws: MessageError.self) { try request(dialect, payload) }
            #expect(error == MessageError(.badOperation("query"), id: "1"))
        }
        let error = #expect(throws: MessageError.self) {
            try request(dialect, #"{"documentId":7}"#)
        }
        #expect(error == MessageError(.badOperation("documentId"), id: "1"))
    }

    @Test func `AppSync's data may hold the id or the hash, or the hash stands outside`() throws {
        let outside = #"{"data":"{}","extensions":{\#(Self.hash),"authorization":{"host":"h"}}}"#
        let inside = #"{"data":"{\"extensions\":{\#(Self.hash.escaped)}}"}"#
        for payload in [outside, inside] {
            let found = try request(.appSync, payload)
            #expect(found?.extensions["persistedQuery"]?["sha256Hash"] == "ab")
            #expect(found?.query == nil && found?.isDataString == true)
        }
        #expect(
            try request(.appSync, #"{"data":"{\"documentId\":\"x\"}"}"#)?.documentID == "x")
        let error = #expect(throws: MessageError.self) {
            try request(.appSync, #"{"data":"{\"variables\":{}}","extensions":{}}"#)
        }
        #expect(error == MessageError(.badOperation("query"), id: "1"))
    }

    @Test(arguments: [Dialect.transportWS, .legacyWS, .appSync])
    func `what the client says is read by the server`(dialect: Dialect) throws {
        let persisted: JSONObject = ["persistedQuery": ["version": 1, "sha256Hash": "ab"]]
        for request in [
            OperationRequest(query: nil, documentID: "d", operationName: "A", variables: ["b": 2]),
            OperationRequest(query: nil, variables: ["b": 2], extensions: persisted),
            OperationRequest(query: nil, extensions: persisted),
            OperationRequest(query: "{ a }", documentID: "d"),
        ] {
            var sent = request
            sent.isDataString = dialect == .appSync
            var bytes = ByteQueue()
            dialect.encode(ClientMessage.subscribe(id: "1", sent), into: &bytes)
            let text = String(decoding: bytes.array, as: UTF8.self)
            #expect(try decode(dialect, text).get() == .subscribe(id: "1", sent))
        }
    }
}

extension String {
    /// The text with its quotes escaped, as part of a JSON string.
    fileprivate var escaped: String { replacing("\"", with: "\\\"") }
}
