import Bytes
import JSON

/// GraphQL errors in the form for people: message and path, then the line of the document with a
/// caret under the place.
enum ErrorReport {
    /// One text for each error of a response's `errors`.
    static func lines(_ errors: [JSONValue], document: Text) -> [String] {
        errors.map { describe($0, document.string) }
    }

    private static func describe(_ error: JSONValue, _ document: String) -> String {
        var text = "error: \(error["message"]?.text?.string ?? "no message came with it")"
        if let type = error["errorType"]?.text { text += " [\(type)]" }
        if let path = error["path"]?.items, !path.isEmpty {
            text += " (at \(path.map(step).joined(separator: ".")))"
        }
        guard let location = error["locations"]?.items?.first,
            let line = location["line"]?.integer, let column = location["column"]?.integer
        else { return text }
        return text + excerpt(of: document, line: Int(line), column: Int(column))
    }

    private static func step(_ element: JSONValue) -> String {
        element.text?.string ?? element.jsonText
    }

    /// The line of the document with a caret under the place, on lines of their own; empty if
    /// there is no such line.
    static func excerpt(of document: String, line: Int, column: Int) -> String {
        let lines = document.split(omittingEmptySubsequences: false) { $0.isNewline }
        guard lines.indices.contains(line - 1), column > 0 else { return "" }
        let source = lines[line - 1]
        // Tabs stay tabs before the caret, so that it stands right whatever a tab's width.
        let lead = String.UnicodeScalarView(
            source.unicodeScalars.prefix(column - 1).map { $0 == "\t" ? "\t" : " " })
        return "\n  \(source)\n  \(String(lead))^"
    }
}
