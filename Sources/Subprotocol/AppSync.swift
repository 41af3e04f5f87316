import Bytes
import JSON

/// The messages of AppSync's realtime channel, as far as they differ from the legacy protocol's
/// (AppSync contract 1.3).
enum AppSync {
    static func clientMessage(_ reader: inout MessageReader) throws(MessageError) -> ClientMessage {
        guard reader.isType("start") else { return try LegacyWS.sharedClientMessage(reader) }
        let id = try reader.requiredID()
        guard let payload = reader.payload, reader.tape.kind(of: payload) == .object else {
            throw MessageError(.badPayload, id: id)
        }
        return .subscribe(id: id, try operation(at: payload, &reader))
    }

    /// The operation in a `start`: JSON inside the string `data`, credentials in `extensions`.
    ///
    /// A payload without `data` is read as the legacy protocol's, so that simple scripts that
    /// write `query` and `variables` in place are understood too.
    static func operation(
        at payload: Int, _ reader: inout MessageReader
    ) throws(MessageError) -> OperationRequest {
        // The tape is another's once the inner text has been read.
        let id = reader.optionalID
        var extensions = try reader.object("extensions", of: payload)
        let authorization = extensions["authorization"]?.object
        extensions["authorization"] = nil
        var request: OperationRequest
        if let data = try reader.text("data", of: payload) {
            request = try operation(inside: data, &reader)
            request.isDataString = true
        } else {
            request = try reader.operation(at: payload)
        }
        // A hash may stand inside, beside the variables, or outside, beside the credentials.
        let hash = request.extensions["persistedQuery"]
        request.extensions = extensions
        if let hash, extensions["persistedQuery"] == nil {
            request.extensions["persistedQuery"] = hash
        }
        request.authorization = authorization
        guard request.namesDocument else { throw MessageError(.badOperation("query"), id: id) }
        return request
    }

    /// Reads the JSON inside the string with the same tape; the outer message is done with.
    private static func operation(
        inside data: Text, _ reader: inout MessageReader
    ) throws(MessageError) -> OperationRequest {
        let id = reader.optionalID
        let tape = reader.tape
        reader.tape = JSONTape()
        let (result, returned) = data.withBytes { bytes in
            var inner = MessageReader(bytes, tape: tape)
            let result = Result { () throws(MessageError) in
                try inner.parse()
                return try inner.operation(at: 0)
            }
            return (result, inner.tape)
        }
        reader.tape = returned
        do throws(MessageError) {
            return try result.get()
        } catch {
            switch error.kind {
            case .badOperation: throw MessageError(error.kind, id: id)
            default: throw MessageError(.badOperation("data"), id: id)
            }
        }
    }

    static func encode(_ message: ClientMessage, into output: inout ByteQueue) {
        guard case .subscribe(let id, let request) = message else {
            return LegacyWS.encodeShared(message, into: &output)
        }
        var inner = request
        inner.extensions = [:]
        var data = ByteQueue()
        data.append(operation: inner)
        var extensions = request.extensions
        if let authorization = request.authorization {
            extensions["authorization"] = .object(authorization)
        }
        output.append(type: "start", id: id)
        output.append(#","payload":{"data":"#)
        data.withBytes { output.append(jsonStringOf: $0) }
        if !extensions.isEmpty {
            output.append(#","extensions":"#)
            output.append(json: .object(extensions))
        }
        output.append("}}")
    }

    static func encode(_ message: ServerMessage, into output: inout ByteQueue) {
        switch message {
        case .startAck(let id): output.append(type: "start_ack", id: id)
        case .error(let id, let errors):
            // Always a list, although AppSync sometimes sends one object here (contract 1.6).
            output.append(type: "error", id: id)
            output.append(#","payload":{"errors":"#)
            output.append(errors)
            output.append(UInt8(ascii: "}"))
        case .connectionError(let failure):
            output.append(#"{"type":"connection_error","payload":{"errors":["#)
            output.append(json: .object(failure.errorObject))
            output.append("]}")
        default: return LegacyWS.encodeShared(message, into: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension ConnectionFailure {
    /// The entry in AppSync's list of errors.
    var errorObject: JSONObject {
        var object = JSONObject()
        if let errorType { object.append("errorType", .string(errorType)) }
        object.append("message", .string(message))
        if let errorCode { object.append("errorCode", .int(Int64(errorCode))) }
        return object
    }
}
