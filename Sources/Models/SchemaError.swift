public import Bytes
public import GraphQL

/// One thing that is wrong with a schema, with its place: the operator's fault.
public struct SchemaError: Sendable, Hashable {
    /// What is wrong: lower case, names the type, field, directive or argument.
    public var message: String
    /// Where it stands in the SDL.
    public var location: SourceLocation
    /// What may have been meant, or what to write instead.
    public var suggestion: String?

    /// An error.
    public init(_ message: String, location: SourceLocation, suggestion: String? = nil) {
        self.message = message
        self.location = location
        self.suggestion = suggestion
    }
}

/// Everything that is wrong with a schema, in the order of the text.
public struct SchemaErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The errors, at least one.
    public var errors: [SchemaError]
    /// The SDL that they speak of.
    public var source: Text

    /// Errors of one SDL.
    public init(_ errors: [SchemaError], source: Text) {
        precondition(!errors.isEmpty, "schema errors without an error")
        self.errors = errors
        self.source = source
    }

    /// All errors as `heliograph check` prints them, see `rendered(fileName:)`.
    public var description: String { rendered(fileName: "schema.graphql") }

    /// Each error with its place, the line of the SDL, a caret under the place, and a suggestion:
    ///
    ///     schema.graphql:3:9: unknown type Strin
    ///       name: Strin
    ///             ^ did you mean String?
    public func rendered(fileName: String) -> String {
        let lines = Self.lines(of: source)
        return errors.map { Self.render($0, fileName: fileName, lines: lines) }
            .joined(separator: "\n")
    }

    private static func render(
        _ error: SchemaError, fileName: String, lines: [String]
    ) -> String {
        let place = error.location
        var text = "\(fileName):\(place.line):\(place.column): \(error.message)\n"
        guard lines.indices.contains(place.line - 1) else { return text }
        let line = lines[place.line - 1]
        // Tabs stay tabs before the caret, so that it stands right whatever a tab's width.
        let lead = String.UnicodeScalarView(
            line.unicodeScalars.prefix(place.column - 1).map { $0 == "\t" ? "\t" : " " })
        text += "  \(line)\n  \(String(lead))^"
        if let suggestion = error.suggestion { text += " \(suggestion)" }
        return text + "\n"
    }

    /// The lines of a text; LF, CR and CR LF end one (GraphQL 2.1.4).
    private static func lines(of text: Text) -> [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var previous: UInt8 = 0
        for byte in text.string.utf8 {
            if byte == 0x0a || byte == 0x0d {
                if !(byte == 0x0a && previous == 0x0d) {
                    lines.append(String(decoding: line, as: UTF8.self))
                    line = []
                }
            } else {
                line.append(byte)
            }
            previous = byte
        }
        lines.append(String(decoding: line, as: UTF8.self))
        return lines
    }
}
