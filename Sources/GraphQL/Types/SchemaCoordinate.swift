public import Bytes

/// The name of one part of a schema (GraphQL 2.15): how tools, logs and messages say which.
///
///     Message                         a type
///     Message.body                    a field, an input field or an enum value
///     Query.listMessages(limit:)      an argument
///     @deprecated                     a directive
///     @deprecated(reason:)            its argument
public enum SchemaCoordinate: Sendable, Hashable {
    /// A type.
    case type(Text)
    /// A field, an input field or an enum value of a type.
    case member(type: Text, name: Text)
    /// An argument of a field.
    case argument(type: Text, field: Text, name: Text)
    /// A directive.
    case directive(Text)
    /// An argument of a directive.
    case directiveArgument(directive: Text, name: Text)

    /// Reads a coordinate. Nothing may stand between its parts: coordinates are one word.
    ///
    /// - Throws: what is wrong with the text, at its column.
    public init(parsing text: Text) throws(GraphQLError) {
        var reader = CoordinateReader(text)
        self = try reader.read()
    }

    /// The coordinate as it is written.
    public var text: String {
        switch self {
        case .type(let type): type.string
        case .member(let type, let name): "\(type).\(name)"
        case .argument(let type, let field, let name): "\(type).\(field)(\(name):)"
        case .directive(let directive): "@\(directive)"
        case .directiveArgument(let directive, let name): "@\(directive)(\(name):)"
        }
    }
}

/// Reads a coordinate byte by byte.
private struct CoordinateReader {
    private let text: Text
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: Text) {
        self.text = text
        bytes = text.withBytes { Array($0) }
    }

    mutating func read() throws(GraphQLError) -> SchemaCoordinate {
        let coordinate = try readCoordinate()
        if at < bytes.count { throw error("nothing more") }
        return coordinate
    }

    private mutating func readCoordinate() throws(GraphQLError) -> SchemaCoordinate {
        if take(UInt8(ascii: "@")) {
            let directive = try name()
            guard let argument = try argument() else { return .directive(directive) }
            return .directiveArgument(directive: directive, name: argument)
        }
        let type = try name()
        guard take(UInt8(ascii: ".")) else { return .type(type) }
        let member = try name()
        guard let argument = try argument() else { return .member(type: type, name: member) }
        return .argument(type: type, field: member, name: argument)
    }

    /// `(name:)`, if it stands here.
    private mutating func argument() throws(GraphQLError) -> Text? {
        guard take(UInt8(ascii: "(")) else { return nil }
        let name = try name()
        guard take(UInt8(ascii: ":")), take(UInt8(ascii: ")")) else { throw error("\":)\"") }
        return name
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func name() throws(GraphQLError) -> Text {
        let start = at
        while at < bytes.count, isNamePart(bytes[at], isFirst: at == start) { at += 1 }
        if at == start { throw error("a name") }
        return bytes.withUnsafeBytes {
            Text(utf8: UnsafeRawBufferPointer(rebasing: $0[start..<at]))
        }
    }

    private func isNamePart(_ byte: UInt8, isFirst: Bool) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
            || !isFirst && byte &- UInt8(ascii: "0") < 10
    }

    private func error(_ expected: String) -> GraphQLError {
        let column = text.withBytes { $0[..<at].count { $0 & 0xc0 != 0x80 } } + 1
        return GraphQLError(
            "Syntax Error: expected \(expected) in a schema coordinate such as "
                + "Query.field(argument:)",
            locations: [SourceLocation(line: 1, column: column)])
    }
}
