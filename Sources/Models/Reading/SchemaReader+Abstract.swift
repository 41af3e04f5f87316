import Bytes
import GraphQL

/// Interfaces and unions that the SDL declares (GraphQL 3.7, 3.8).
///
/// Every type may implement interfaces. A field may be of an interface or union whose types all
/// live inside records; a type with `@model` is reached by a relation instead.
extension SchemaReader {
    /// The object types that a value of an interface or union may have, in the SDL's order.
    func possibleTypes(of type: TypeDefinition) -> [String] {
        if type.kind == .union { return type.members.map(\.text.string) }
        return document.definitions.compactMap { definition in
            guard case .type(let object) = definition, object.kind == .object,
                object.interfaces.contains(where: { $0.text == type.name.text })
            else { return nil }
            return object.name.text.string
        }
    }

    /// Checks that what types implement are interfaces, each named once.
    mutating func checkImplementations() {
        for definition in document.definitions {
            guard case .type(let type) = definition else { continue }
            var seen: Set<Text> = []
            for interface in type.interfaces {
                check(interface, is: .interface, "an interface", of: "\(type.name.text)")
                if !seen.insert(interface.text).inserted {
                    errors.add(
                        "\(type.name.text) implements \(interface.text) twice",
                        at: interface.offset)
                }
            }
        }
    }

    /// Checks the fields of interfaces and the members of unions.
    mutating func checkAbstract() {
        for type in abstract {
            if type.kind == .union {
                checkMembers(of: type)
            } else {
                for field in type.fields { check(field, of: type) }
            }
        }
    }

    private mutating func checkMembers(of type: TypeDefinition) {
        var seen: Set<Text> = []
        for member in type.members {
            check(member, is: .object, "a type with fields", of: "\(type.name.text)")
            if !seen.insert(member.text).inserted {
                errors.add(
                    "\(type.name.text) has the member \(member.text) twice", at: member.offset)
            }
        }
        if type.members.isEmpty {
            errors.add("\(type.name.text) has no members", at: type.name.offset)
        }
    }

    private mutating func check(_ field: FieldDefinition, of type: TypeDefinition) {
        let place = "\(type.name.text).\(field.name.text)"
        checkName(of: field, in: type)
        for directive in check(
            field.directives, on: .fieldDefinition, of: type, field: field.name)
        where directive.name != "deprecated" {
            errors.add(
                "@\(directive.name) cannot stand on a field of an interface", at: directive.offset)
        }
        if let argument = field.arguments.first {
            errors.add("\(place) cannot have arguments", at: argument.offset)
        }
        let name = field.type.name
        if types[name.text.string]?.kind == .object { return }
        _ = base(of: name, place: place)
    }

    private mutating func check(
        _ name: Name, is kind: TypeKind, _ words: String, of owner: String
    ) {
        guard let type = types[name.text.string] else {
            let known = types.values.filter { $0.kind == kind }.map(\.name.text.string)
            errors.add("unknown type \(name.text) of \(owner)", at: name, among: known.sorted())
            return
        }
        if type.kind != kind {
            errors.add("\(name.text) is not \(words)", at: name.offset)
        }
    }

    /// Whether values of an interface or union can live inside a record; notes why not.
    mutating func canBeEmbedded(_ name: Name, place: String) -> Bool {
        guard let type = types[name.text.string] else { return false }
        let possible = possibleTypes(of: type)
        if let model = possible.first(where: { modelIDs[$0] != nil }) {
            errors.add(
                "\(place) cannot be of \(name.text), because \(model) has @model", at: name.offset,
                suggestion: "lead to it by a relation, or leave it out of \(name.text)")
            return false
        }
        if possible.isEmpty {
            errors.add("no type implements \(name.text), the type of \(place)", at: name.offset)
        }
        return !possible.isEmpty
    }
}
