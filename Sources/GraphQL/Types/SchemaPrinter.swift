import Bytes
import JSON

extension Schema {
    /// The schema as text that parses to an equal schema. Built-in and introspection's types
    /// and built-in directives are left out, as is a `schema` definition that says nothing new.
    public func printSDL() -> String {
        var printer = SchemaPrinter(schema: self)
        return printer.print()
    }

    /// One part of the schema as it stands in the text: what a coordinate leads to.
    public func printSDL(of element: SchemaElement) -> String {
        var printer = SchemaPrinter(schema: self)
        return printer.print(element)
    }
}

/// Writes a schema's definitions in their order (GraphQL 3).
private struct SchemaPrinter {
    let schema: Schema
    private var output = ""

    init(schema: Schema) { self.schema = schema }

    mutating func print() -> String {
        printSchemaDefinition()
        for directive in schema.directives
        where !BuiltIns.directiveNames.contains(directive.name) {
            separate()
            print(directive)
        }
        let own = BuiltIns.Scalar.allCases.count..<schema.introspectionTypes.lowerBound
        for type in schema.types[own] {
            separate()
            print(type)
        }
        return output
    }

    mutating func print(_ element: SchemaElement) -> String {
        switch element {
        case .type(let type): print(type)
        case .field(let field): print(field, indent: "")
        case .enumValue(let value, _): print(value, indent: "")
        case .directive(let directive): print(directive)
        case .inputField(let value, _), .argument(let value, _), .directiveArgument(let value, _):
            printDescription(value.description, indent: "")
            print(value)
            output += "\n"
        }
        return output
    }

    private mutating func separate() { if !output.isEmpty { output += "\n" } }

    private mutating func printSchemaDefinition() {
        let roots = OperationKind.allCases.compactMap { kind in
            schema.rootType(kind).map { (kind.rawValue, schema.types[$0].name.string) }
        }
        let isUsual =
            roots.allSatisfy { $0.1 == $0.0.prefix(1).uppercased() + $0.0.dropFirst() }
            && ["Mutation", "Subscription"].allSatisfy { name in
                schema.typeID(Text(name)) == nil || roots.contains { $0.1 == name }
            }
        if isUsual, schema.description == nil { return }
        printDescription(schema.description, indent: "")
        output += "schema {\n"
        for root in roots { output += "  \(root.0): \(root.1)\n" }
        output += "}\n"
    }

    private mutating func print(_ directive: SchemaDirective) {
        printDescription(directive.description, indent: "")
        output += "directive @\(directive.name)"
        printArguments(directive.arguments, indent: "")
        if directive.isRepeatable { output += " repeatable" }
        let locations = directive.locations.map(\.rawValue).joined(separator: " | ")
        output += " on \(locations)\n"
    }

    private mutating func print(_ type: SchemaType) {
        printDescription(type.description, indent: "")
        switch type.kind {
        case .scalar:
            output += "scalar \(type.name)"
            if let url = type.specifiedByURL {
                output += " @specifiedBy(url: \(quoted(url)))"
            }
            output += "\n"
        case .object, .interface:
            output += type.kind == .object ? "type \(type.name)" : "interface \(type.name)"
            if !type.interfaces.isEmpty {
                let names = type.interfaces.map { schema.types[$0].name.string }
                output += " implements \(names.joined(separator: " & "))"
            }
            printFields(type.fields)
        case .union:
            let names = type.possibleTypes.map { schema.types[$0].name.string }
            output += "union \(type.name) = \(names.joined(separator: " | "))\n"
        case .enumeration: printEnum(type)
        case .inputObject:
            output += "input \(type.name)\(type.isOneOf ? " @oneOf" : "") {\n"
            for field in type.inputFields {
                printDescription(field.description, indent: "  ")
                output += "  "
                print(field)
                output += "\n"
            }
            output += "}\n"
        }
    }

    private mutating func printFields(_ fields: [FieldID]) {
        output += " {\n"
        for id in fields { print(schema.fields[id], indent: "  ") }
        output += "}\n"
    }

    private mutating func print(_ field: SchemaField, indent: String) {
        printDescription(field.description, indent: indent)
        output += "\(indent)\(field.name)"
        printArguments(field.arguments, indent: indent)
        output += ": \(field.type.text(in: schema))"
        printDeprecation(field.deprecationReason)
        output += "\n"
    }

    private mutating func printEnum(_ type: SchemaType) {
        output += "enum \(type.name) {\n"
        for value in type.enumValues { print(value, indent: "  ") }
        output += "}\n"
    }

    private mutating func print(_ value: EnumValue, indent: String) {
        printDescription(value.description, indent: indent)
        output += "\(indent)\(value.name)"
        printDeprecation(value.deprecationReason)
        output += "\n"
    }

    /// On one line, or one line each if one of them has a description.
    private mutating func printArguments(_ arguments: [InputValue], indent: String) {
        if arguments.isEmpty { return }
        let isLong = arguments.contains { $0.description != nil }
        output += "("
        for (index, argument) in arguments.enumerated() {
            if isLong {
                output += "\n"
                printDescription(argument.description, indent: indent + "  ")
                output += indent + "  "
            } else if index > 0 {
                output += ", "
            }
            print(argument)
        }
        output += isLong ? "\n\(indent))" : ")"
    }

    private mutating func print(_ value: InputValue) {
        output += "\(value.name): \(value.type.text(in: schema))"
        if let defaultValue = value.defaultValue {
            output += " = \(schema.literalText(of: defaultValue, value.type))"
        }
        printDeprecation(value.deprecationReason)
    }

    private mutating func printDeprecation(_ reason: Text?) {
        guard let reason else { return }
        output += " @deprecated"
        if reason != "No longer supported" { output += "(reason: \(quoted(reason)))" }
    }

    private mutating func printDescription(_ description: Text?, indent: String) {
        guard let description else { return }
        output += indent + quoted(description) + "\n"
    }

    /// A plain string literal: JSON's escapes are GraphQL's too (GraphQL 2.9.4).
    private func quoted(_ text: Text) -> String {
        var queue = ByteQueue()
        queue.append(json: text)
        return String(decoding: queue.array, as: UTF8.self)
    }
}
