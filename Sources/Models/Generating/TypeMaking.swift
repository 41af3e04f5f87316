import Bytes
import GraphQL

extension TypeReference {
    /// A type as it is written in SDL, such as `[ID!]!`.
    init(written text: String) {
        if text.hasSuffix("!") {
            self = .nonNull(TypeReference(written: String(text.dropLast())))
        } else if text.hasPrefix("[") {
            self = .list(TypeReference(written: String(text.dropFirst().dropLast())), offset: 0)
        } else {
            self = .named(Name(Text(text)))
        }
    }
}

extension InputValueDefinition {
    /// An argument or input field: `("limit", "Int")`.
    init(_ name: String, _ type: String) {
        self.init(name: Name(Text(name)), type: TypeReference(written: type))
    }
}

extension FieldDefinition {
    /// An output field.
    init(_ name: String, _ type: String, arguments: [InputValueDefinition] = []) {
        self.init(
            name: Name(Text(name)), type: TypeReference(written: type), arguments: arguments)
    }
}

extension TypeDefinition {
    /// An input object made of names and types.
    static func input(
        _ name: String, _ fields: [(String, String)]
    ) -> TypeDefinition {
        TypeDefinition(
            kind: .inputObject, name: Name(Text(name)),
            inputFields: fields.map { InputValueDefinition($0.0, $0.1) })
    }

    /// An enum made of names.
    static func enumeration(_ name: String, _ values: [String]) -> TypeDefinition {
        TypeDefinition(
            kind: .enumeration, name: Name(Text(name)),
            values: values.map { EnumValueDefinition(name: Name(Text($0))) })
    }
}
