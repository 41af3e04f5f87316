import Bytes
import JSON

/// Values of Correct Type (GraphQL 5.6.1): a literal has a form that its place takes, including
/// the exactly one field of a `@oneOf` input object.
///
/// Messages tell the kind of the value and never the value: it may be a user's.
enum ValuesOfCorrectTypeRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.value.append { value, place, context in
            guard let type = place.type else { return }
            if case .variable = value.kind { return }
            if value.isNull {
                guard type.isNonNull else { return }
                context.report(
                    context.words(
                        "Expected value of type \"\(context.text(of: type))\", found null.",
                        hidden: "Expected value of a non-null type, found null."),
                    at: value.offset)
                return
            }
            // A list is judged item by item; anything else in a list's place is its only item.
            if case .list = value.kind, type.isList { return }
            let types = context.schema.types
            switch types[type.named].kind {
            case .inputObject: check(value, inputObject: types[type.named], context)
            case .enumeration: check(value, enumeration: types[type.named], context)
            case .scalar: check(value, scalar: type.named, context)
            default: break
            }
        }
    }

    private static func check(
        _ value: Literal, inputObject type: SchemaType, _ context: ValidationContext
    ) {
        guard case .object(let fields) = value.kind else {
            report(
                "Expected value of type \"\(type.name)\" to be an object, "
                    + "found \(value.kindName).", value, context)
            return
        }
        guard type.isOneOf else { return }
        if fields.count == 1, !fields[0].value.isNull,
            type.inputField(fields[0].name.text) != nil
        {
            return
        }
        let place = context.words("type \"\(type.name)\", ", hidden: "")
        context.report(
            "Within OneOf Input Object \(place)exactly one field must be specified, and the "
                + "value for that field must be non-null.",
            at: value.offset)
    }

    private static func check(
        _ value: Literal, enumeration type: SchemaType, _ context: ValidationContext
    ) {
        guard case .enumValue(let name) = value.kind else {
            report(
                "Enum \"\(type.name)\" cannot represent non-enum value: \(value.kindName)."
                    + hint(value, type, context), value, context)
            return
        }
        if type.enumValue(name) != nil { return }
        report(
            "Value \"\(name)\" does not exist in \"\(type.name)\" enum."
                + question(name, type, context), value, context)
    }

    /// Reports a value of a wrong kind. Without types it is only told what was found.
    private static func report(
        _ message: @autoclosure () -> String, _ value: Literal, _ context: ValidationContext
    ) {
        context.report(
            context.words(
                message(), hidden: "Expected value of another type, found \(value.kindName)."),
            at: value.offset)
    }

    /// A string in an enum's place is most often the right value in needless quotes.
    private static func hint(
        _ value: Literal, _ type: SchemaType, _ context: ValidationContext
    ) -> String {
        value.string.map { question($0, type, context) } ?? ""
    }

    private static func question(
        _ name: Text, _ type: SchemaType, _ context: ValidationContext
    ) -> String {
        let near = Suggestions.near(name, among: type.enumValues.lazy.map(\.name))
        return Suggestions.question(near, kind: "the enum value")
    }

    private static func check(
        _ value: Literal, scalar: TypeID, _ context: ValidationContext
    ) {
        let fault =
            if let builtIn = BuiltIns.Scalar(rawValue: scalar) {
                BuiltInLiteral.fault(of: value, as: builtIn)
            } else {
                customFault(of: value, context.schema.types[scalar])
            }
        if let fault { report(fault, value, context) }
    }

    /// What the scalar's own coercion says. A value with variables is judged when they are known.
    private static func customFault(of value: Literal, _ type: SchemaType) -> String? {
        guard let coercion = type.coercion, !value.hasVariables else { return nil }
        guard let plain = value.untyped({ _ in nil }) else {
            return "Expected value of type \"\(type.name)\", found a number out of range."
        }
        guard case .failure(let error) = coercion.input(plain) else { return nil }
        return "Expected value of type \"\(type.name)\", found \(value.kindName); "
            + "\(error.message)."
    }
}

/// The literals that the built-in scalars take (GraphQL 3.5).
private enum BuiltInLiteral {
    /// What is wrong with a literal, or nil.
    static func fault(of value: Literal, as scalar: BuiltIns.Scalar) -> String? {
        switch (scalar, value.kind) {
        case (.int, .int(let digits)):
            Int32(digits.string) == nil
                ? "Int cannot represent non 32-bit signed integer value" : nil
        case (.float, .int(let digits)), (.float, .float(let digits)):
            (Double(digits.string) ?? .infinity).isFinite
                ? nil : "Float cannot represent non numeric value: a number out of range"
        case (.string, .string), (.boolean, .boolean), (.id, .string), (.id, .int): nil
        default: "\(takes(scalar)): \(value.kindName)"
        }
    }

    private static func takes(_ scalar: BuiltIns.Scalar) -> String {
        switch scalar {
        case .int: "Int cannot represent non-integer value"
        case .float: "Float cannot represent non numeric value"
        case .string: "String cannot represent a non string value"
        case .boolean: "Boolean cannot represent a non boolean value"
        case .id: "ID cannot represent a non-string and non-integer value"
        }
    }
}
