import Bytes
import JSON

/// The messages of `graphql-transport-ws` (graphql-ws PROTOCOL.md).
///
/// Strict on the way in: whatever the protocol does not allow is an error, and the reaction to
/// it is close code 4400.
enum TransportWS {
    static func clientMessage(_ reader: inout MessageReader) throws(MessageError) -> ClientMessage {
        if reader.isType("subscribe") {
            let id = try reader.requiredID()
            guard let payload = reader.payload, reader.tape.kind(of: payload) == .object else {
                throw MessageError(.badPayload, id: id)
            }
            return .subscribe(
                id: id, try reader.checked(reader.operation(at: payload)))
        }
        if reader.isType("complete") { return .complete(id: try reader.requiredID()) }
        if reader.isType("ping") { return .ping(payload: try reader.optionalPayload()) }
        if reader.isType("pong") { return .pong(payload: try reader.optionalPayload()) }
        if reader.isType("connection_init") {
            return .connectionInit(payload: try reader.optionalPayload())
        }
        let isServers =
            reader.isType("next") || reader.isType("error") || reader.isType("connection_ack")
        throw MessageError(isServers ? .wrongDirection : .unknownType, id: reader.optionalID)
    }

    static func serverMessage(_ reader: MessageReader) throws(MessageError) -> ServerMessage {
        if reader.isType("next") {
            return .next(
                id: try reader.requiredID(), payload: ByteQueue(try reader.payloadBytes()))
        }
        if reader.isType("complete") { return .complete(id: try reader.requiredID()) }
        if reader.isType("error") {
            return .error(id: try reader.requiredID(), errors: try reader.errorList())
        }
        if reader.isType("ping") { return .ping(payload: try reader.optionalPayload()) }
        if reader.isType("pong") { return .pong(payload: try reader.optionalPayload()) }
        if reader.isType("connection_ack") {
            return .connectionAck(payload: try reader.optionalPayload())
        }
        let isClients = reader.isType("subscribe") || reader.isType("connection_init")
        throw MessageError(isClients ? .wrongDirection : .unknownType, id: reader.optionalID)
    }

    static func encode(_ message: ClientMessage, into output: inout ByteQueue) {
        switch message {
        case .connectionInit(let payload):
            output.append(#"{"type":"connection_init""#)
            output.append(payloadMember: payload)
        case .ping(let payload):
            output.append(#"{"type":"ping""#)
            output.append(payloadMember: payload)
        case .pong(let payload):
            output.append(#"{"type":"pong""#)
            output.append(payloadMember: payload)
        case .subscribe(let id, let request):
            output.append(type: "subscribe", id: id)
            output.append(#","payload":"#)
            output.append(operation: request)
        case .complete(let id):
            output.append(type: "complete", id: id)
        case .terminate:
            preconditionFailure("graphql-transport-ws has no message to end the connection")
        }
        output.append(UInt8(ascii: "}"))
    }

    static func encode(_ message: ServerMessage, into output: inout ByteQueue) {
        switch message {
        case .connectionAck(let payload):
            output.append(#"{"type":"connection_ack""#)
            output.append(payloadMember: payload)
        case .next(let id, let payload):
            output.append(type: "next", id: id)
            output.append(#","payload":"#)
            output.append(payload)
        case .error(let id, let errors):
            output.append(type: "error", id: id)
            output.append(#","payload":"#)
            output.append(errors)
        case .complete(let id):
            output.append(type: "complete", id: id)
        case .ping(let payload):
            output.append(#"{"type":"ping""#)
            output.append(payloadMember: payload)
        case .pong(let payload):
            output.append(#"{"type":"pong""#)
            output.append(payloadMember: payload)
        case .connectionError, .keepAlive, .startAck:
            preconditionFailure("a message that graphql-transport-ws does not have")
        }
        output.append(UInt8(ascii: "}"))
    }
}
