import Bytes
import JSON

/// Why an input value is not of its type, and where within the value.
struct InputError: Error {
    /// A whole sentence without the value.
    var message: String
    /// The way from the outermost value.
    var path: [PathElement] = []
    /// The literal's byte, if there is a literal.
    var offset: Int?

    /// The same error seen from one level further out.
    func within(_ element: PathElement) -> InputError {
        InputError(message: message, path: [element] + path, offset: offset)
    }

    /// The way as text, such as `input.ids[2]`.
    func pathText(from root: Text) -> String {
        path.reduce(into: root.string) { text, element in
            switch element {
            case .name(let name): text += ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}

/// Turns variables' values and literals into coerced values (GraphQL 3, "Input Coercion").
struct InputCoercion {
    let types: [SchemaType]
    /// Whether messages name types and required fields; see `ValidationOptions.suggestsNames`.
    var namesTypes = true

    /// Levels of defaults within defaults; deeper ones are a cycle.
    private static let defaultsDepthMax = 64

    private func typeName(_ type: TypeUse) -> String {
        guard let inner = type.inner else { return types[type.named].name.string }
        return type.isNonNull ? "\(typeName(inner))!" : "[\(typeName(inner))]"
    }

    private func nullError(_ type: TypeUse) -> InputError {
        fault("expected a value of the non-null type \(typeName(type)), found null", found: "null")
    }

    /// An error in the words of `message`, or in words that name no type.
    private func fault(_ message: @autoclosure () -> String, found kind: String) -> InputError {
        InputError(
            message: namesTypes ? message() : "expected a value of another type, found \(kind)")
    }

    // MARK: Values of variables

    /// Coerces a JSON value.
    func coerce(_ value: JSONValue, _ type: TypeUse) throws(InputError) -> JSONValue {
        if case .null = value {
            if type.isNonNull { throw nullError(type) }
            return .null
        }
        if let item = type.item {
            guard case .array(let items) = value else {
                return .array([try coerce(value, item)])
            }
            var result: [JSONValue] = []
            result.reserveCapacity(items.count)
            for (index, value) in items.enumerated() {
                do throws(InputError) {
                    result.append(try coerce(value, item))
                } catch {
                    throw error.within(.index(index))
                }
            }
            return .array(result)
        }
        let named = types[type.named]
        switch named.kind {
        case .inputObject: return try coerceObject(value, named)
        case .enumeration:
            guard case .string(let name) = value, named.enumValue(name) != nil else {
                throw fault("expected a value of the enum \(named.name)", found: value.kindName)
            }
            return value
        default: return try coerceScalar(value, named)
        }
    }

    private func coerceScalar(
        _ value: JSONValue, _ type: SchemaType
    ) throws(InputError) -> JSONValue {
        switch (type.coercion ?? .any).input(value) {
        case .success(let value): return value
        case .failure(let error): throw fault(error.message, found: value.kindName)
        }
    }

    private func unknownField(
        _ name: Text, of type: SchemaType, offset: Int? = nil
    ) -> InputError {
        if !namesTypes {
            return InputError(message: "field \"\(name)\" is not defined", offset: offset)
        }
        let near = Suggestions.near(name, among: type.inputFields.map(\.name))
        let hint = near.isEmpty ? "" : "." + Suggestions.question(near)
        return InputError(
            message: "field \"\(name)\" is not defined by the type \(type.name)\(hint)",
            offset: offset)
    }

    private func coerceObject(
        _ value: JSONValue, _ type: SchemaType
    ) throws(InputError) -> JSONValue {
        guard case .object(let given) = value else {
            throw fault(
                "expected an object of type \(type.name), found \(value.kindName)",
                found: value.kindName)
        }
        for member in given.members where type.inputField(member.name) == nil {
            throw unknownField(member.name, of: type)
        }
        var result = JSONObject()
        for field in type.inputFields {
            if let value = given[field.name] {
                do throws(InputError) {
                    result.append(field.name, try coerce(value, field.type))
                } catch {
                    throw error.within(.name(field.name))
                }
            } else if let value = try defaultValue(of: field, in: type, depth: 0) {
                result.append(field.name, value)
            }
        }
        try checkOneOf(result, type)
        return .object(result)
    }

    /// The default of a field that was not given; nil for no entry at all.
    private func defaultValue(
        of field: InputValue, in type: SchemaType, depth: Int
    ) throws(InputError) -> JSONValue? {
        if let value = field.defaultValue { return value }
        if let literal = field.defaultLiteral {
            if depth > Self.defaultsDepthMax {
                throw InputError(message: "defaults of the type \(type.name) form a cycle")
            }
            return try coerce(literal, field.type, depth: depth + 1) { _ in nil }
        }
        if field.type.isNonNull {
            throw InputError(
                message: namesTypes
                    ? "field \"\(field.name)\" of the required type \(typeName(field.type)) "
                        + "was not provided" : "a required field was not provided")
        }
        return nil
    }

    /// GraphQL 3.10.1: of a `@oneOf` object exactly one field is given, and it is not null.
    private func checkOneOf(_ object: JSONObject, _ type: SchemaType) throws(InputError) {
        guard type.isOneOf else { return }
        let owner = namesTypes ? "the @oneOf type \(type.name)" : "a @oneOf type"
        if object.count != 1 {
            throw InputError(message: "exactly one field must be given for \(owner)")
        }
        if object.members[0].value.isNull {
            throw InputError(message: "the field given for \(owner) must not be null")
        }
    }

    // MARK: Literals

    /// Coerces a literal, variables put in. A variable's own value is of a fitting type already.
    func coerce(
        _ literal: Literal, _ type: TypeUse, depth: Int = 0,
        variables: (Text) -> JSONValue?
    ) throws(InputError) -> JSONValue {
        do throws(InputError) {
            return try coerceLiteral(literal, type, depth, variables)
        } catch {
            throw error.offset != nil
                ? error
                : InputError(message: error.message, path: error.path, offset: literal.offset)
        }
    }

    private func coerceLiteral(
        _ literal: Literal, _ type: TypeUse, _ depth: Int, _ variables: (Text) -> JSONValue?
    ) throws(InputError) -> JSONValue {
        if case .variable(let name) = literal.kind {
            let value = variables(name) ?? .null
            if value.isNull, type.isNonNull { throw nullError(type) }
            return value
        }
        if literal.isNull {
            if type.isNonNull { throw nullError(type) }
            return .null
        }
        if let item = type.item {
            guard case .list(let items) = literal.kind else {
                return .array([try coerce(literal, item, depth: depth, variables: variables)])
            }
            return try coerceItems(items, item, depth, variables)
        }
        let named = types[type.named]
        switch named.kind {
        case .inputObject: return try coerceObject(literal, named, depth, variables)
        case .enumeration:
            guard case .enumValue(let name) = literal.kind, named.enumValue(name) != nil else {
                throw fault("expected a value of the enum \(named.name)", found: literal.kindName)
            }
            return .string(name)
        default: return try coerceScalar(literal, named, variables)
        }
    }

    private func coerceItems(
        _ items: [Literal], _ type: TypeUse, _ depth: Int, _ variables: (Text) -> JSONValue?
    ) throws(InputError) -> JSONValue {
        var result: [JSONValue] = []
        result.reserveCapacity(items.count)
        for (index, literal) in items.enumerated() {
            do throws(InputError) {
                result.append(try coerce(literal, type, depth: depth, variables: variables))
            } catch {
                throw error.within(.index(index))
            }
        }
        return .array(result)
    }

    private func coerceScalar(
        _ literal: Literal, _ type: SchemaType, _ variables: (Text) -> JSONValue?
    ) throws(InputError) -> JSONValue {
        if let scalar = BuiltIns.Scalar(rawValue: type.id) {
            // Literals are stricter than JSON: `1.0` is no Int, a bare name is no String.
            switch (scalar, literal.kind) {
            case (.int, .int), (.float, .int), (.float, .float), (.string, .string),
                (.boolean, .boolean), (.id, .string):
                break
            case (.id, .int(let digits)): return .string(digits)
            default:
                throw fault(
                    "\(type.name) cannot represent \(literal.kindName)", found: literal.kindName)
            }
        }
        guard let value = literal.untyped(variables) else {
            throw fault(
                "\(type.name) cannot represent a number of that size", found: literal.kindName)
        }
        return try coerceScalar(value, type)
    }

    private func coerceObject(
        _ literal: Literal, _ type: SchemaType, _ depth: Int, _ variables: (Text) -> JSONValue?
    ) throws(InputError) -> JSONValue {
        guard case .object(let given) = literal.kind else {
            throw fault(
                "expected an object of type \(type.name), found \(literal.kindName)",
                found: literal.kindName)
        }
        for field in given where type.inputField(field.name.text) == nil {
            throw unknownField(field.name.text, of: type, offset: field.name.offset)
        }
        var result = JSONObject()
        for field in type.inputFields {
            // A variable without a value counts as a field that was not given.
            if let literal = given.last(where: { $0.name.text == field.name })?.value,
                !isAbsent(literal, variables)
            {
                do throws(InputError) {
                    let value = try coerce(
                        literal, field.type, depth: depth, variables: variables)
                    result.append(field.name, value)
                } catch {
                    throw error.within(.name(field.name))
                }
            } else if let value = try defaultValue(of: field, in: type, depth: depth) {
                result.append(field.name, value)
            }
        }
        try checkOneOf(result, type)
        return .object(result)
    }

    private func isAbsent(_ literal: Literal, _ variables: (Text) -> JSONValue?) -> Bool {
        if case .variable(let name) = literal.kind { variables(name) == nil } else { false }
    }
}
