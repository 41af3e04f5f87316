import Bytes
import JSON

extension MessageReader {
    /// The errors of an `error` message as a list, whichever shape the server chose: a list, an
    /// object with `errors` (list or single, AppSync contract 1.6), or one error.
    func errorList() throws(MessageError) -> ByteQueue {
        guard let payload else { throw MessageError(.badPayload, id: optionalID) }
        let errors = member("errors", of: payload) ?? payload
        switch tape.kind(of: errors) {
        case .array where tape.next(after: errors) > errors + 1:
            return ByteQueue(bytes(of: errors))
        case .object:
            var list = ByteQueue()
            list.append(UInt8(ascii: "["))
            list.append(bytes(of: errors))
            list.append(UInt8(ascii: "]"))
            return list
        default: throw MessageError(.badPayload, id: optionalID)
        }
    }

    /// Why the connection was refused, as far as the payload tells.
    func connectionFailure() -> ConnectionFailure {
        let unknown = ConnectionFailure(message: "the server refused the connection")
        guard let payload else { return unknown }
        var entry = member("errors", of: payload) ?? payload
        if tape.kind(of: entry) == .array {
            guard tape.next(after: entry) > entry + 1 else { return unknown }
            entry += 1
        }
        let value = tape.value(at: entry, in: text.bytes)
        return ConnectionFailure(
            errorType: value["errorType"]?.text, message: value["message"]?.text ?? unknown.message,
            errorCode: value["errorCode"]?.integer.flatMap { Int(exactly: $0) })
    }
}
