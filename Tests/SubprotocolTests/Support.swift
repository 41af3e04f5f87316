import Bytes
import JSON
import Subprotocol

/// Decodes as the server does, with a tape of its own.
func decode(_ text: String, _ dialect: Dialect) throws(MessageError) -> ClientMessage {
    var tape = JSONTape()
    return try decode(Array(text.utf8), dialect, &tape)
}

func decode(
    _ bytes: [UInt8], _ dialect: Dialect, _ tape: inout JSONTape
) throws(MessageError) -> ClientMessage {
    try bytes.withUnsafeBytes { buffer in
        Result { () throws(MessageError) in try dialect.decode(buffer, tape: &tape) }
    }.get()
}

/// Decodes as the client does.
func decodeServer(_ text: String, _ dialect: Dialect) throws(MessageError) -> ServerMessage {
    var tape = JSONTape()
    return try Array(text.utf8).withUnsafeBytes { buffer in
        Result { () throws(MessageError) in try dialect.decodeServer(buffer, tape: &tape) }
    }.get()
}

/// What is wrong with the text, or nil.
func fault(_ text: String, _ dialect: Dialect) -> MessageError? {
    do throws(MessageError) {
        _ = try decode(text, dialect)
        return nil
    } catch {
        return error
    }
}

func encoded(_ message: ServerMessage, _ dialect: Dialect) -> String {
    var output = ByteQueue()
    dialect.encode(message, into: &output)
    return String(decoding: output.array, as: UTF8.self)
}

func encoded(_ message: ClientMessage, _ dialect: Dialect) -> String {
    var output = ByteQueue()
    dialect.encode(message, into: &output)
    return String(decoding: output.array, as: UTF8.self)
}

func json(_ text: String) -> ByteQueue { ByteQueue(text.utf8) }

/// The id and payload that the client is lent, or nil.
func nextParts(_ text: String, _ dialect: Dialect) throws(MessageError) -> [String]? {
    var tape = JSONTape()
    return try Array(text.utf8).withUnsafeBytes { buffer in
        Result { () throws(MessageError) in
            try dialect.nextParts(of: buffer, tape: &tape).map { parts in
                [parts.id, parts.payload].map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }.get()
}

/// What is wrong with a text that is not JSON.
func jsonFault(_ text: String) -> JSONError {
    do throws(JSONError) {
        _ = try JSONValue(parsing: text)
        preconditionFailure("the text is JSON")
    } catch {
        return error
    }
}
