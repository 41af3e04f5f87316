import Bytes

/// A part of a schema, as a coordinate names it.
public enum SchemaElement: Sendable {
    /// A type.
    case type(SchemaType)
    /// A field of an object or interface.
    case field(SchemaField)
    /// A field of an input object.
    case inputField(InputValue, of: SchemaType)
    /// A value of an enum.
    case enumValue(EnumValue, of: SchemaType)
    /// An argument of a field.
    case argument(InputValue, of: SchemaField)
    /// A directive.
    case directive(SchemaDirective)
    /// An argument of a directive.
    case directiveArgument(InputValue, of: SchemaDirective)
}

extension Schema {
    /// The part of the schema that a coordinate names (GraphQL 2.15). Nil if the type, field or
    /// directive before the last name has no part of that name.
    ///
    /// - Throws: what is wrong if something before the last name does not exist, or has no such
    ///   parts; with near spellings.
    public func element(
        at coordinate: SchemaCoordinate
    ) throws(GraphQLError) -> SchemaElement? {
        switch coordinate {
        case .type(let name): return type(named: name).map { .type($0) }
        case .member(let type, let name): return member(name, of: try container(type))
        case .argument(let type, let name, let argument):
            let owner = try container(type)
            guard case .field(let field)? = member(name, of: owner) else {
                throw unknown(
                    "field", "\(type).\(name)", name,
                    among: owner.fields.map { fields[$0].name })
            }
            return field.argument(argument).map { .argument($0, of: field) }
        case .directive(let name): return directive(named: name).map { .directive($0) }
        case .directiveArgument(let name, let argument):
            guard let directive = directive(named: name) else {
                throw unknown("directive", "@\(name)", name, among: directives.map(\.name))
            }
            return directive.argument(argument).map { .directiveArgument($0, of: directive) }
        }
    }

    /// The coordinates near to one that names nothing, for "Did you mean".
    public func coordinates(near coordinate: SchemaCoordinate) -> [SchemaCoordinate] {
        switch coordinate {
        case .type(let name):
            return Suggestions.near(name, among: types.map(\.name)).map { .type($0) }
        case .directive(let name):
            return Suggestions.near(name, among: directives.map(\.name)).map { .directive($0) }
        case .member(let type, let name):
            guard let owner = self.type(named: type) else { return [] }
            let names =
                owner.fields.map { fields[$0].name } + owner.inputFields.map(\.name)
                + owner.enumValues.map(\.name)
            return Suggestions.near(name, among: names).map { .member(type: type, name: $0) }
        case .argument(let type, let field, let name):
            guard let id = typeID(type).flatMap({ self.field(named: field, on: $0) }) else {
                return []
            }
            return Suggestions.near(name, among: fields[id].arguments.map(\.name))
                .map { .argument(type: type, field: field, name: $0) }
        case .directiveArgument(let directive, let name):
            let arguments = self.directive(named: directive)?.arguments ?? []
            return Suggestions.near(name, among: arguments.map(\.name))
                .map { .directiveArgument(directive: directive, name: $0) }
        }
    }

    private func container(_ name: Text) throws(GraphQLError) -> SchemaType {
        guard let type = type(named: name) else {
            throw unknown("type", name.string, name, among: types.map(\.name))
        }
        switch type.kind {
        case .object, .interface, .inputObject, .enumeration: return type
        case .scalar, .union:
            throw GraphQLError("type \"\(name)\" has neither fields nor values")
        }
    }

    private func member(_ name: Text, of type: SchemaType) -> SchemaElement? {
        switch type.kind {
        case .inputObject: return type.inputField(name).map { .inputField($0, of: type) }
        case .enumeration: return type.enumValue(name).map { .enumValue($0, of: type) }
        default: return field(named: name, on: type.id).map { .field(fields[$0]) }
        }
    }

    private func unknown(
        _ kind: String, _ coordinate: String, _ name: Text, among names: [Text]
    ) -> GraphQLError {
        GraphQLError(
            "unknown \(kind) \"\(coordinate)\"."
                + Suggestions.question(Suggestions.near(name, among: names)))
    }
}
