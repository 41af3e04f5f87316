import Bytes
import JSON

extension InputCoercion {
    /// CoerceArgumentValues (GraphQL 6.4.1): defaults filled in, arguments without a value left
    /// out, variables' values taken as they are.
    func coerce(
        _ given: [Argument], of definitions: [InputValue], variables: (Text) -> JSONValue?
    ) throws(InputError) -> JSONObject {
        var result = JSONObject()
        for definition in definitions {
            let argument = given.first { $0.name.text == definition.name }
            var literal = argument?.value
            if case .variable(let name) = literal?.kind, variables(name) == nil { literal = nil }
            guard let literal else {
                if let value = definition.defaultValue {
                    result.append(definition.name, value)
                } else if definition.type.isNonNull {
                    throw InputError(
                        message: argument != nil || namesTypes
                            ? "argument \"\(definition.name)\" is required and has no value"
                            : "a required argument has no value",
                        offset: argument?.name.offset)
                }
                continue
            }
            do throws(InputError) {
                let value = try coerce(literal, definition.type, variables: variables)
                result.append(definition.name, value)
            } catch {
                let place = error.pathText(from: definition.name)
                throw InputError(
                    message: "argument \"\(place)\": \(error.message)", offset: error.offset)
            }
        }
        return result
    }
}
