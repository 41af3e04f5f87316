import Bytes
import JSON

extension JSONValue {
    /// The value as JSON with a member or item a line, indented by two spaces.
    var prettyText: String {
        var output = ByteQueue()
        appendPretty(to: &output, indent: 0)
        return String(decoding: output.array, as: UTF8.self)
    }

    private func appendPretty(to output: inout ByteQueue, indent: Int) {
        switch self {
        case .array(let items) where !items.isEmpty:
            output.append("[")
            for (index, item) in items.enumerated() {
                Self.beginLine(of: &output, isFirst: index == 0, indent: indent + 1)
                item.appendPretty(to: &output, indent: indent + 1)
            }
            Self.endLines(of: &output, indent: indent)
            output.append("]")
        case .object(let object) where !object.isEmpty:
            output.append("{")
            for (index, member) in object.members.enumerated() {
                Self.beginLine(of: &output, isFirst: index == 0, indent: indent + 1)
                output.append(json: member.name)
                output.append(": ")
                member.value.appendPretty(to: &output, indent: indent + 1)
            }
            Self.endLines(of: &output, indent: indent)
            output.append("}")
        default: output.append(json: self)
        }
    }

    private static func beginLine(of output: inout ByteQueue, isFirst: Bool, indent: Int) {
        if !isFirst { output.append(",") }
        endLines(of: &output, indent: indent)
    }

    private static func endLines(of output: inout ByteQueue, indent: Int) {
        output.append(utf8: "\n" + String(repeating: "  ", count: indent))
    }
}
