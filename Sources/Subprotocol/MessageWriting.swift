public import Bytes
import JSON

extension Dialect {
    /// Whether this dialect has that message at all.
    public func has(_ message: ServerMessage) -> Bool {
        switch message {
        case .connectionError, .keepAlive: self != .transportWS
        case .startAck: self == .appSync
        case .ping, .pong: hasPing
        case .connectionAck, .next, .error, .complete: true
        }
    }

    /// Appends what the server says as JSON text.
    ///
    /// - Precondition: the dialect has the message.
    public func encode(_ message: ServerMessage, into output: inout ByteQueue) {
        switch self {
        case .transportWS: TransportWS.encode(message, into: &output)
        case .legacyWS: LegacyWS.encode(message, into: &output)
        case .appSync: AppSync.encode(message, into: &output)
        }
    }

    /// Appends what the client says as JSON text.
    ///
    /// - Precondition: the dialect has the message: `ping` and `pong` are graphql-transport-ws's,
    ///   `terminate` is not.
    public func encode(_ message: ClientMessage, into output: inout ByteQueue) {
        switch self {
        case .transportWS: TransportWS.encode(message, into: &output)
        case .legacyWS: LegacyWS.encode(message, into: &output)
        case .appSync: AppSync.encode(message, into: &output)
        }
    }

    /// Appends what stands before the result in a message that brings one. The result itself and
    /// `appendNextTail(into:)` follow. Allocates nothing.
    public func appendNextHead(id: Text, into output: inout ByteQueue) {
        output.append(
            self == .transportWS
                ? #"{"type":"next","id":"# as StaticString : #"{"type":"data","id":"#)
        output.append(json: id)
        output.append(#","payload":"#)
    }

    /// Appends what stands behind the result.
    public func appendNextTail(into output: inout ByteQueue) {
        output.append(UInt8(ascii: "}"))
    }
}

extension ByteQueue {
    /// Opens a message that may name an operation.
    mutating func append(type: StaticString, id: Text?) {
        append(#"{"type":""#)
        append(type)
        append(UInt8(ascii: "\""))
        guard let id else { return }
        append(#","id":"#)
        append(json: id)
    }

    /// Appends the payload if there is one. Absent, not null: some clients refuse a null (B111).
    mutating func append(payloadMember payload: JSONObject?) {
        guard let payload else { return }
        append(#","payload":"#)
        append(json: .object(payload))
    }

    /// Appends an operation in the shape of GraphQL over HTTP.
    mutating func append(operation request: OperationRequest) {
        var lead = UInt8(ascii: "{")
        append(text: request.query, #""query":"#, &lead)
        append(text: request.documentID, #""documentId":"#, &lead)
        append(text: request.operationName, #""operationName":"#, &lead)
        append(map: request.variables, #""variables":"#, &lead)
        append(map: request.extensions, #""extensions":"#, &lead)
        if lead == UInt8(ascii: "{") { append(lead) }
        append(UInt8(ascii: "}"))
    }

    /// Appends the member if there is one, behind the brace or comma that is due.
    private mutating func append(text: Text?, _ name: StaticString, _ lead: inout UInt8) {
        guard let text else { return }
        append(lead)
        lead = UInt8(ascii: ",")
        append(name)
        append(json: text)
    }

    /// Appends the member unless it is empty.
    private mutating func append(map: JSONObject, _ name: StaticString, _ lead: inout UInt8) {
        if map.isEmpty { return }
        append(lead)
        lead = UInt8(ascii: ",")
        append(name)
        append(json: .object(map))
    }
}
