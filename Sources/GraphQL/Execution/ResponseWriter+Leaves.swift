import Bytes
import JSON

extension ResponseWriter {
    /// Appends a leaf as its type demands: result coercion (GraphQL 3.5, 3.9). Never called
    /// with null. Returns what is wrong, or nil.
    mutating func appendLeaf(_ value: JSONValue, _ leaf: Step.Leaf, _ type: TypeID) -> String? {
        switch (leaf, value) {
        case (.string, .string(let text)), (.id, .string(let text)): output.append(json: text)
        case (.int, .int(let number)):
            guard Int32(exactly: number) != nil else {
                return "Int cannot represent an integer beyond 32 bits"
            }
            output.append(decimal: number)
        case (.float, .int(let number)): output.append(decimal: number)
        case (.float, .double(let number)) where number.isFinite: output.append(json: number)
        case (.boolean, .bool(let flag)), (.string, .bool(let flag)):
            appendBoolean(flag, isQuoted: leaf == .string)
        case (.id, .int(let number)), (.string, .int(let number)):
            output.append(UInt8(ascii: "\""))
            output.append(decimal: number)
            output.append(UInt8(ascii: "\""))
        case (.raw, _): output.append(json: value)
        default: return appendUnusual(value, leaf, type)
        }
        return nil
    }

    private mutating func appendBoolean(_ flag: Bool, isQuoted: Bool) {
        if isQuoted { output.append(UInt8(ascii: "\"")) }
        output.append(flag ? "true" as StaticString : "false")
        if isQuoted { output.append(UInt8(ascii: "\"")) }
    }

    private mutating func appendUnusual(
        _ value: JSONValue, _ leaf: Step.Leaf, _ type: TypeID
    ) -> String? {
        let definition = schema.types[type]
        switch (leaf, value) {
        case (.int, .double(let number)):
            guard let whole = Int32(exactly: number) else {
                return "Int cannot represent a number with a fraction or beyond 32 bits"
            }
            output.append(decimal: whole)
        case (.int, .bool(let flag)): output.append(decimal: flag ? 1 : 0)
        case (.float, .bool(let flag)): output.append(decimal: flag ? 1 : 0)
        case (.string, .double(let number)) where number.isFinite:
            output.append(UInt8(ascii: "\""))
            output.append(json: number)
            output.append(UInt8(ascii: "\""))
        case (.boolean, .int(let number)): appendBoolean(number != 0, isQuoted: false)
        case (.boolean, .double(let number)): appendBoolean(number != 0, isQuoted: false)
        case (.enumeration, .string(let name)):
            guard definition.enumValue(name) != nil else {
                return "the value is not one of the enum \(definition.name)"
            }
            output.append(json: name)
        case (.custom, _):
            guard let convert = definition.coercion?.output else {
                output.append(json: value)
                return nil
            }
            switch convert(value) {
            case .success(let converted): output.append(json: converted)
            case .failure(let error): return error.message
            }
        default:
            return "\(definition.name) cannot represent \(value.kindName)"
        }
        return nil
    }
}
