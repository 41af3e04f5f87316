import Bytes
import GraphQL
import JSON

/// Answers what an execution asks for out of a case's values.
struct Resolver {
    private let one: Case
    private let schema: Schema

    init(_ one: Case, _ schema: Schema) {
        self.one = one
        self.schema = schema
    }

    func answers(_ batch: FieldBatch) -> [Resolved] {
        batch.asks.map { ask in
            var parent: Text = ""
            if case .record(_, let slots)? = ask.parent { parent = slots[0].text ?? "" }
            let name = schema.fields[batch.field].name
            let key = "\(parent)/\(name)/\(Self.canonical(ask.arguments))"
            guard let value = one.values[Text(key)] else {
                return .failure(GraphQLError("nobody has asked for \(key)"))
            }
            return resolved(value)
        }
    }

    func resolved(_ value: JSONValue) -> Resolved {
        if let json = value["value"] { return .value(json) }
        if let items = value["list"]?.items { return .list(items.map(resolved)) }
        if value["error"] != nil { return .failure(GraphQLError("it was asked to fail")) }
        guard let name = value["type"]?.text, let id = value["id"] else { return .null }
        guard let type = schema.typeID(name) else {
            return .failure(GraphQLError("there is no such type"))
        }
        return .record(type: type, slots: [id])
    }

    /// JSON with sorted names, and numbers without a fraction as integers.
    private static func canonical(_ object: JSONObject) -> String {
        let sorted = object.members.sorted { $0.name.string < $1.name.string }
        return "{"
            + sorted.map { "\(canonical(.string($0.name))):\(canonical($0.value))" }
            .joined(separator: ",") + "}"
    }

    private static func canonical(_ value: JSONValue) -> String {
        switch value {
        case .object(let object): return canonical(object)
        case .array(let items): return "[" + items.map(canonical).joined(separator: ",") + "]"
        case .double(let number) where number.rounded() == number && abs(number) < 1e15:
            return "\(Int64(number))"
        default:
            var bytes = ByteQueue()
            bytes.append(json: value)
            return bytes.withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }
}
