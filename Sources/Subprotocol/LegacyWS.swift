import Bytes
import JSON

/// The messages of the legacy `graphql-ws` protocol (subscriptions-transport-ws PROTOCOL.md).
enum LegacyWS {
    static func clientMessage(_ reader: inout MessageReader) throws(MessageError) -> ClientMessage {
        if reader.isType("start") {
            let id = try reader.requiredID()
            guard let payload = reader.payload, reader.tape.kind(of: payload) == .object else {
                throw MessageError(.badPayload, id: id)
            }
            // Only AppSync's clients write `data`; see `Dialect.following`.
            if reader.member("data", of: payload) != nil, reader.member("query", of: payload) == nil
            {
                return .subscribe(id: id, try AppSync.operation(at: payload, &reader))
            }
            return .subscribe(
                id: id, try reader.checked(reader.operation(at: payload)))
        }
        return try sharedClientMessage(reader)
    }

    /// The messages that AppSync's variant writes alike: all but `start`.
    static func sharedClientMessage(
        _ reader: MessageReader
    ) throws(MessageError) -> ClientMessage {
        if reader.isType("stop") { return .complete(id: try reader.requiredID()) }
        if reader.isType("connection_init") {
            return .connectionInit(payload: try reader.optionalPayload())
        }
        if reader.isType("connection_terminate") { return .terminate }
        throw MessageError(
            isServersType(reader) ? .wrongDirection : .unknownType, id: reader.optionalID)
    }

    private static func isServersType(_ reader: MessageReader) -> Bool {
        reader.isType("data") || reader.isType("error") || reader.isType("complete")
            || reader.isType("ka") || reader.isType("start_ack")
            || reader.isType("connection_ack") || reader.isType("connection_error")
    }

    /// What a server of the legacy protocol or of AppSync's variant says.
    static func serverMessage(_ reader: MessageReader) throws(MessageError) -> ServerMessage {
        if reader.isType("data") {
            return .next(
                id: try reader.requiredID(), payload: ByteQueue(try reader.payloadBytes()))
        }
        if reader.isType("ka") { return .keepAlive }
        if reader.isType("start_ack") { return .startAck(id: try reader.requiredID()) }
        if reader.isType("complete") { return .complete(id: try reader.requiredID()) }
        if reader.isType("error") {
            return .error(id: reader.optionalID, errors: try reader.errorList())
        }
        if reader.isType("connection_ack") {
            return .connectionAck(payload: try reader.optionalPayload())
        }
        if reader.isType("connection_error") {
            return .connectionError(reader.connectionFailure())
        }
        let isClients =
            reader.isType("start") || reader.isType("stop") || reader.isType("connection_init")
        throw MessageError(isClients ? .wrongDirection : .unknownType, id: reader.optionalID)
    }

    static func encode(_ message: ClientMessage, into output: inout ByteQueue) {
        switch message {
        case .subscribe(let id, let request):
            output.append(type: "start", id: id)
            output.append(#","payload":"#)
            output.append(operation: request)
        default: return encodeShared(message, into: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Writes what AppSync's clients write alike: all but `start`.
    static func encodeShared(_ message: ClientMessage, into output: inout ByteQueue) {
        switch message {
        case .connectionInit(let payload):
            output.append(#"{"type":"connection_init""#)
            output.append(payloadMember: payload)
        case .complete(let id): output.append(type: "stop", id: id)
        case .terminate: output.append(#"{"type":"connection_terminate""#)
        case .subscribe, .ping, .pong:
            preconditionFailure("a message that the legacy protocol does not have")
        }
        output.append(UInt8(ascii: "}"))
    }

    static func encode(_ message: ServerMessage, into output: inout ByteQueue) {
        switch message {
        case .error(let id, let errors):
            output.append(type: "error", id: id)
            output.append(#","payload":"#)
            appendFirst(of: errors, into: &output)
        case .connectionError(let failure):
            output.append(#"{"type":"connection_error","payload":{"message":"#)
            output.append(json: failure.message)
            output.append(UInt8(ascii: "}"))
        case .startAck: preconditionFailure("the legacy protocol has no start_ack")
        default: return encodeShared(message, into: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Writes what AppSync's servers write alike: all but errors and `start_ack`.
    static func encodeShared(_ message: ServerMessage, into output: inout ByteQueue) {
        switch message {
        case .connectionAck(let payload):
            output.append(#"{"type":"connection_ack""#)
            output.append(payloadMember: payload)
        case .keepAlive: output.append(#"{"type":"ka""#)
        case .next(let id, let payload):
            output.append(type: "data", id: id)
            output.append(#","payload":"#)
            output.append(payload)
        case .complete(let id): output.append(type: "complete", id: id)
        case .connectionError, .startAck, .error, .ping, .pong:
            preconditionFailure("a message that the legacy protocol does not have")
        }
        output.append(UInt8(ascii: "}"))
    }

    /// The legacy payload of `error` is one error, not a list (PROTOCOL.md, GQL_ERROR).
    private static func appendFirst(of errors: ByteQueue, into output: inout ByteQueue) {
        errors.withBytes { bytes in
            var tape = JSONTape()
            guard (try? tape.read(bytes.bytes)) != nil, tape.kind(of: 0) == .array,
                tape.next(after: 0) > 1, tape.kind(of: 1) == .object
            else { preconditionFailure("errors are a list of at least one object") }
            output.append(UnsafeRawBufferPointer(rebasing: bytes[tape.range(of: 1)]))
        }
    }
}
