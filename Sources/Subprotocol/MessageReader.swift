import Bytes
public import JSON

/// Reads the parts that the messages of all dialects share: `type`, `id`, `payload`.
///
/// It takes the caller's tape for the time of one message; nothing else is allocated until a
/// part is asked for.
struct MessageReader {
    let text: UnsafeRawBufferPointer
    var tape: JSONTape
    private var type = 0
    private var id: Int?
    private(set) var payload: Int?

    init(_ text: UnsafeRawBufferPointer, tape: consuming JSONTape) {
        self.text = text
        self.tape = tape
    }

    /// Reads the text and finds the parts.
    mutating func open() throws(MessageError) {
        try parse()
        guard let type = tape.member("type", of: 0, in: text.bytes), tape.kind(of: type) == .string
        else { throw MessageError(.noType, id: optionalID) }
        self.type = type
        payload = tape.member("payload", of: 0, in: text.bytes)
        if let index = payload, tape.kind(of: index) == .null { payload = nil }
    }

    /// Reads the text; it must be an object.
    mutating func parse() throws(MessageError) {
        do throws(JSONError) {
            try tape.read(text.bytes)
        } catch {
            throw MessageError(.notJSON(error))
        }
        guard tape.kind(of: 0) == .object else { throw MessageError(.notObject) }
        id = tape.member("id", of: 0, in: text.bytes)
    }

    /// Whether the message's type is this one.
    func isType(_ name: StaticString) -> Bool {
        tape.isString(type, equalTo: name, in: text.bytes)
    }

    /// The id, which must be there.
    func requiredID() throws(MessageError) -> Text {
        guard let id = optionalID else { throw MessageError(.badID) }
        return id
    }

    /// The id if it is a string with at least one character.
    var optionalID: Text? {
        guard let id, tape.kind(of: id) == .string, !tape.range(of: id).isEmpty else { return nil }
        return tape.string(at: id, in: text.bytes)
    }

    /// The id's own bytes, if it has no escapes and is not empty.
    var plainID: UnsafeRawBufferPointer? {
        guard let id, tape.kind(of: id) == .string, !tape.range(of: id).isEmpty,
            !tape.hasEscape(id)
        else { return nil }
        return bytes(of: id)
    }

    /// The payload as an object; nil if it is absent or null.
    func optionalPayload() throws(MessageError) -> JSONObject? {
        guard let payload else { return nil }
        guard let object = tape.value(at: payload, in: text.bytes).object else {
            throw MessageError(.badPayload, id: optionalID)
        }
        return object
    }

    /// The payload's own bytes, which must be an object.
    func payloadBytes() throws(MessageError) -> UnsafeRawBufferPointer {
        guard let payload, tape.kind(of: payload) == .object else {
            throw MessageError(.badPayload, id: optionalID)
        }
        return bytes(of: payload)
    }

    /// The bytes of a value. A string's come without its quotes.
    func bytes(of index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: text[tape.range(of: index)])
    }

    /// The value's member of that name, unless it is absent or null.
    func member(_ name: StaticString, of object: Int) -> Int? {
        guard let index = tape.member(name, of: object, in: text.bytes),
            tape.kind(of: index) != .null
        else { return nil }
        return index
    }

    /// The text of the object's member; nil if it is absent or null.
    func text(_ name: StaticString, of object: Int) throws(MessageError) -> Text? {
        guard let index = member(name, of: object) else { return nil }
        guard tape.kind(of: index) == .string else { throw badOperation(name) }
        return tape.string(at: index, in: text.bytes)
    }

    /// The object's member, itself an object; empty if it is absent or null.
    func object(_ name: StaticString, of object: Int) throws(MessageError) -> JSONObject {
        guard let index = member(name, of: object) else { return [:] }
        guard let value = tape.value(at: index, in: text.bytes).object else {
            throw badOperation(name)
        }
        return value
    }

    /// The operation whose parts are members of `index` (GraphQL over HTTP's request shape).
    /// Whether it says which document it is about is for `checked` to see.
    func operation(at index: Int) throws(MessageError) -> OperationRequest {
        OperationRequest(
            query: try text("query", of: index), documentID: try text("documentId", of: index),
            operationName: try text("operationName", of: index),
            variables: try object("variables", of: index),
            extensions: try object("extensions", of: index))
    }

    /// The request, if it has a document or names one.
    func checked(_ request: OperationRequest) throws(MessageError) -> OperationRequest {
        guard request.namesDocument else { throw badOperation("query") }
        return request
    }

    func badOperation(_ name: StaticString) -> MessageError {
        MessageError(.badOperation(StaticText(stringLiteral: "\(name)")), id: optionalID)
    }
}

extension Dialect {
    /// Reads what a client said. The server's role.
    ///
    /// - Parameters:
    ///   - text: one text message; lent for the call.
    ///   - tape: the caller's reusable tape; its content is replaced.
    /// - Throws: what is wrong with the message: the peer's fault.
    public func decode(
        _ text: UnsafeRawBufferPointer, tape: inout JSONTape
    ) throws(MessageError) -> ClientMessage {
        var reader = MessageReader(text, tape: tape)
        tape = JSONTape()
        defer { tape = reader.tape }
        try reader.open()
        switch self {
        case .transportWS: return try TransportWS.clientMessage(&reader)
        case .legacyWS: return try LegacyWS.clientMessage(&reader)
        case .appSync: return try AppSync.clientMessage(&reader)
        }
    }

    /// Reads what a server said. The client's role. Results and errors are copied; see
    /// `NextParts` for the way without.
    ///
    /// - Throws: what is wrong with the message: the peer's fault.
    public func decodeServer(
        _ text: UnsafeRawBufferPointer, tape: inout JSONTape
    ) throws(MessageError) -> ServerMessage {
        var reader = MessageReader(text, tape: tape)
        tape = JSONTape()
        defer { tape = reader.tape }
        try reader.open()
        return self == .transportWS
            ? try TransportWS.serverMessage(reader) : try LegacyWS.serverMessage(reader)
    }
}

/// The parts of a message that brings a result, lent from the message's text.
public struct NextParts {
    /// The operation's id; it has no escapes.
    public var id: UnsafeRawBufferPointer
    /// The result: the bytes of a JSON object that has been checked.
    public var payload: UnsafeRawBufferPointer
}

extension Dialect {
    /// Reads a message that brings a result without copying anything. The client's role, for
    /// callers to which each message's cost matters.
    ///
    /// - Returns: the parts, lent as long as `text` is; nil if the message is another one, which
    ///   `decodeServer(_:tape:)` then reads.
    /// - Throws: what is wrong with the message: the peer's fault.
    public func nextParts(
        of text: UnsafeRawBufferPointer, tape: inout JSONTape
    ) throws(MessageError) -> NextParts? {
        var reader = MessageReader(text, tape: tape)
        tape = JSONTape()
        defer { tape = reader.tape }
        try reader.open()
        guard reader.isType(self == .transportWS ? "next" : "data"), let id = reader.plainID else {
            return nil
        }
        return NextParts(id: id, payload: try reader.payloadBytes())
    }
}
