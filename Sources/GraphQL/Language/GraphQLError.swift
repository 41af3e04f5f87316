public import Bytes
public import JSON

/// A place in a document: both numbers count from 1, columns in Unicode scalars.
public struct SourceLocation: Sendable, Hashable {
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// One step of a response path (GraphQL 7.1.2).
public enum PathElement: Sendable, Hashable {
    /// A response name: the alias, or the field's name.
    case name(Text)
    /// A place in a list, from 0.
    case index(Int)
}

/// An entry of a response's `errors` (GraphQL 7.1.2), with AppSync's two members beside it.
///
/// Every stage of the room reports with it: parsing, validation, coercion and execution.
public struct GraphQLError: Error, Sendable, Hashable {
    /// What is wrong, for the developer who reads it.
    public var message: String
    /// Where in the document; empty if the error belongs to no place.
    public var locations: [SourceLocation]
    /// Which response position; empty for request errors.
    public var path: [PathElement]
    /// Further members for programs; not written if empty.
    public var extensions: JSONObject
    /// AppSync's class of error, such as `Unauthorized`: a top-level member when set.
    public var errorType: Text?
    /// AppSync's further data: a top-level member when set.
    public var errorInfo: JSONValue?
    /// The limit that was reached, if that is the error; never written.
    public var limit: DocumentLimit?

    /// An error.
    public init(
        _ message: String, locations: [SourceLocation] = [], path: [PathElement] = [],
        extensions: JSONObject = JSONObject(), errorType: Text? = nil,
        errorInfo: JSONValue? = nil
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
        self.errorType = errorType
        self.errorInfo = errorInfo
    }

    /// Appends the entry as a JSON object.
    public func append(json output: inout ByteQueue) {
        output.append("{\"message\":")
        output.append(json: message)
        appendLocations(to: &output)
        appendPath(to: &output)
        if let errorType {
            output.append(",\"errorType\":")
            output.append(json: errorType)
        }
        if let errorInfo {
            output.append(",\"errorInfo\":")
            output.append(json: errorInfo)
        }
        if !extensions.isEmpty {
            output.append(",\"extensions\":")
            output.append(json: .object(extensions))
        }
        output.append(UInt8(ascii: "}"))
    }

    private func appendLocations(to output: inout ByteQueue) {
        if locations.isEmpty { return }
        output.append(",\"locations\":[")
        for (index, location) in locations.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append("{\"line\":")
            output.append(decimal: location.line)
            output.append(",\"column\":")
            output.append(decimal: location.column)
            output.append(UInt8(ascii: "}"))
        }
        output.append(UInt8(ascii: "]"))
    }

    private func appendPath(to output: inout ByteQueue) {
        if path.isEmpty { return }
        output.append(",\"path\":[")
        for (index, element) in path.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            switch element {
            case .name(let name): output.append(json: name)
            case .index(let place): output.append(decimal: place)
            }
        }
        output.append(UInt8(ascii: "]"))
    }
}

extension ByteQueue {
    /// Appends the entries as a JSON array, as `errors` of a response and as the payload of an
    /// `error` message.
    public mutating func append(json errors: [GraphQLError]) {
        append(UInt8(ascii: "["))
        for (index, error) in errors.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            error.append(json: &self)
        }
        append(UInt8(ascii: "]"))
    }
}
