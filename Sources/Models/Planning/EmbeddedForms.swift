import Bytes
import GraphQL
import JSON

/// How inputs of types without `@model` become what is stored.
///
/// An input twin of an interface or union names the type by the field that is given
/// (`{image: {…}}`); stored is the object itself with its `__typename`, which the engine reads.
/// Types with no interface or union below them are stored as they are given.
struct EmbeddedForms: Sendable {
    private enum Form: Sendable {
        /// The fields below which something changes, each with its type.
        case object([Text: Text])
        /// The twin's fields, each with the object type that it stands for.
        case choice([Text: Text])
    }

    private let forms: [Text: Form]

    init(_ reader: SchemaReader) {
        var forms: [Text: Form] = [:]
        for type in reader.abstract {
            let choices = reader.possibleTypes(of: type)
                .map { (Text(Names.lowerFirst($0)), Text($0)) }
            forms[type.name.text] = .choice(
                Dictionary(choices, uniquingKeysWith: { first, _ in first }))
        }
        // Types may hold each other, so this goes on until nothing is added.
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for type in reader.embedded where forms[type.name.text] == nil {
                let changing = type.fields.filter { forms[$0.type.name.text] != nil }
                if changing.isEmpty { continue }
                forms[type.name.text] = .object([:])
                isGrowing = true
            }
        }
        for type in reader.embedded where forms[type.name.text] != nil {
            let changing = type.fields.filter { forms[$0.type.name.text] != nil }
                .map { ($0.name.text, $0.type.name.text) }
            forms[type.name.text] = .object(
                Dictionary(changing, uniquingKeysWith: { first, _ in first }))
        }
        self.forms = forms
    }

    /// What is stored for a coerced input of a type, or of a list of it.
    func stored(_ value: JSONValue, _ type: Text) -> JSONValue {
        guard let form = forms[type] else { return value }
        switch value {
        case .array(let items): return .array(items.map { stored($0, type) })
        case .object(let object): return stored(object, form)
        default: return value
        }
    }

    private func stored(_ object: JSONObject, _ form: Form) -> JSONValue {
        var result = JSONObject()
        switch form {
        case .object(let types):
            for member in object.members {
                let type = types[member.name]
                result.append(member.name, type.map { stored(member.value, $0) } ?? member.value)
            }
        case .choice(let types):
            guard let given = object.members.first, let type = types[given.name] else {
                return .object(object)
            }
            result.append("__typename", .string(type))
            for member in stored(given.value, type).object?.members ?? [] {
                result.append(member.name, member.value)
            }
        }
        return .object(result)
    }
}
