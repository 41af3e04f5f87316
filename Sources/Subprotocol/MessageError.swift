public import Bytes
public import JSON

/// Why a message cannot be read: always the peer's fault.
public struct MessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The text is not JSON.
        case notJSON(JSONError)
        /// The message is not an object.
        case notObject
        /// `type` is missing or not a string.
        case noType
        /// No message of this dialect has that `type`.
        case unknownType
        /// The `type` is one that only the other side may send.
        case wrongDirection
        /// `id` is missing, not a string, or empty.
        case badID
        /// `id` is longer than the owner's limit.
        case idTooLong(bytes: Int, limit: Int)
        /// `payload` is not of the kind that this message needs.
        case badPayload
        /// The named part of the operation is missing or of the wrong kind.
        case badOperation(StaticText)
    }

    /// What is wrong.
    public var kind: Kind
    /// The id of the operation that the message names, as far as it could be read.
    public var id: Text?

    /// An error.
    public init(_ kind: Kind, id: Text? = nil) {
        self.kind = kind
        self.id = id
    }

    /// A sentence without anything that the message said.
    public var description: String {
        switch kind {
        case .notJSON(let error): error.description
        case .notObject: "the message is not a JSON object"
        case .noType: "'type' is missing or not a string"
        case .unknownType: "unknown message type"
        case .wrongDirection: "this message type is for the other side to send"
        case .badID: "'id' is missing, not a string or empty"
        case .idTooLong(let bytes, let limit):
            "'id' of \(bytes) bytes is over the limit of \(limit)"
        case .badPayload: "'payload' is missing or of the wrong kind"
        case .badOperation(let part): "'\(part)' of the operation is missing or of the wrong kind"
        }
    }
}

/// The name of a message's part; a literal that can be compared.
public struct StaticText: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The characters.
    public let description: String

    /// A literal.
    public init(stringLiteral value: String) { description = value }
}
