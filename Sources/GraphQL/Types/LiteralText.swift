import Bytes
import JSON

extension Schema {
    /// A coerced value as GraphQL text, for defaults: enum values bare, strings quoted.
    func literalText(of value: JSONValue, _ type: TypeUse) -> Text {
        var output = ByteQueue()
        append(literal: value, type, to: &output)
        return Text(String(decoding: output.array, as: UTF8.self))
    }

    private func append(literal value: JSONValue, _ type: TypeUse, to output: inout ByteQueue) {
        switch value {
        case .array(let items):
            output.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { output.append(", ") }
                append(literal: item, type.item ?? type, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            // With the reference implementation's spaces: some tools compare texts.
            output.append("{ ")
            for (index, member) in object.members.enumerated() {
                if index > 0 { output.append(", ") }
                output.append(utf8: member.name)
                output.append(": ")
                let field = types[type.named].inputField(member.name)
                append(literal: member.value, field?.type ?? type, to: &output)
            }
            output.append(" }")
        case .string(let text):
            let isBare =
                types[type.named].kind == .enumeration
                || type.named == BuiltIns.Scalar.id.rawValue && isCanonicalInteger(text)
            if isBare { output.append(utf8: text) } else { output.append(json: text) }
        case .double(let number):
            if let whole = Int64(exactly: number), abs(whole) < 1 << 53 {
                output.append(decimal: whole)
            } else {
                output.append(json: value)
            }
        case .null, .bool, .int: output.append(json: value)
        }
    }

    private func isCanonicalInteger(_ text: Text) -> Bool {
        Int64(text.string).map { Text(String($0)) == text } ?? false
    }
}
