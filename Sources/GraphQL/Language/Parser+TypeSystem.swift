import Bytes

extension Parser {
    /// A definition of a type system (GraphQL 3), from its keyword on.
    mutating func parseTypeSystem(
        _ description: Text?, _ offset: Int, isExtension: Bool
    ) throws(GraphQLError) -> Definition {
        if try skipKeyword("schema") {
            return .schema(try parseSchema(description, offset, isExtension: isExtension))
        }
        if isKeyword("directive"), !isExtension {
            try advance()
            return .directive(try parseDirectiveDefinition(description, offset))
        }
        guard let kind = typeKind() else {
            throw unexpected(isExtension ? "a type to extend" : "a definition")
        }
        try advance()
        var type = TypeDefinition(
            kind: kind, name: try parseName(), description: description,
            isExtension: isExtension, offset: offset)
        try parseBody(of: &type)
        if isExtension, type.isEmpty { throw unexpected("something to add") }
        return .type(type)
    }

    private func typeKind() -> TypeKind? {
        if isKeyword("type") { return .object }
        if isKeyword("input") { return .inputObject }
        if isKeyword("enum") { return .enumeration }
        if isKeyword("scalar") { return .scalar }
        if isKeyword("interface") { return .interface }
        if isKeyword("union") { return .union }
        return nil
    }

    private mutating func parseBody(of type: inout TypeDefinition) throws(GraphQLError) {
        if type.kind == .object || type.kind == .interface {
            type.interfaces = try parseInterfaces()
        }
        type.directives = try parseDirectives(isConstant: true)
        switch type.kind {
        case .scalar: break
        case .object, .interface: type.fields = try parseFields()
        case .union: type.members = try parseMembers()
        case .enumeration: type.values = try parseEnumValues()
        case .inputObject:
            type.inputFields = try parseInputValues(from: .braceOpen, to: .braceClose)
        }
    }

    private mutating func parseSchema(
        _ description: Text?, _ offset: Int, isExtension: Bool
    ) throws(GraphQLError) -> SchemaDefinition {
        let directives = try parseDirectives(isConstant: true)
        var schema = SchemaDefinition(
            description: description, isExtension: isExtension, directives: directives,
            roots: [], offset: offset)
        if isExtension, token.kind != .braceOpen {
            if directives.isEmpty { throw unexpected("something to add") }
            return schema
        }
        try expect(.braceOpen, "\"{\"")
        repeat {
            let rootOffset = token.start
            let kind = try parseOperationKind()
            try expect(.colon, "\":\"")
            schema.roots.append(
                SchemaDefinition.Root(kind: kind, type: try parseName(), offset: rootOffset))
        } while token.kind != .braceClose
        try advance()
        return schema
    }

    private mutating func parseInterfaces() throws(GraphQLError) -> [Name] {
        guard try skipKeyword("implements") else { return [] }
        _ = try skip(.ampersand)
        var names = [try parseName()]
        while try skip(.ampersand) { names.append(try parseName()) }
        return names
    }

    private mutating func parseMembers() throws(GraphQLError) -> [Name] {
        guard try skip(.equals) else { return [] }
        _ = try skip(.pipe)
        var names = [try parseName()]
        while try skip(.pipe) { names.append(try parseName()) }
        return names
    }

    private mutating func parseFields() throws(GraphQLError) -> [FieldDefinition] {
        guard try skip(.braceOpen) else { return [] }
        var fields: [FieldDefinition] = []
        repeat {
            let offset = token.start
            let description = try parseDescription()
            let name = try parseName()
            let arguments = try parseInputValues(from: .parenOpen, to: .parenClose)
            try expect(.colon, "\":\"")
            let type = try parseType()
            let directives = try parseDirectives(isConstant: true)
            fields.append(
                FieldDefinition(
                    name: name, type: type, description: description, arguments: arguments,
                    directives: directives, offset: offset))
        } while token.kind != .braceClose
        try advance()
        return fields
    }

    private mutating func parseInputValues(
        from open: Token.Kind, to close: Token.Kind
    ) throws(GraphQLError) -> [InputValueDefinition] {
        guard try skip(open) else { return [] }
        var values: [InputValueDefinition] = []
        repeat {
            let offset = token.start
            let description = try parseDescription()
            let name = try parseName()
            try expect(.colon, "\":\"")
            let type = try parseType()
            let hasDefault = try skip(.equals)
            let defaultValue = hasDefault ? try parseValue(isConstant: true) : nil
            let directives = try parseDirectives(isConstant: true)
            values.append(
                InputValueDefinition(
                    name: name, type: type, description: description,
                    defaultValue: defaultValue, directives: directives, offset: offset))
        } while token.kind != close
        try advance()
        return values
    }

    private mutating func parseEnumValues() throws(GraphQLError) -> [EnumValueDefinition] {
        guard try skip(.braceOpen) else { return [] }
        var values: [EnumValueDefinition] = []
        repeat {
            let offset = token.start
            let description = try parseDescription()
            if isKeyword("true") || isKeyword("false") || isKeyword("null") {
                throw unexpected("an enum value")
            }
            let name = try parseName()
            let directives = try parseDirectives(isConstant: true)
            values.append(
                EnumValueDefinition(
                    name: name, description: description, directives: directives,
                    offset: offset))
        } while token.kind != .braceClose
        try advance()
        return values
    }

    private mutating func parseDirectiveDefinition(
        _ description: Text?, _ offset: Int
    ) throws(GraphQLError) -> DirectiveDefinition {
        try expect(.at, "\"@\"")
        let name = try parseName()
        let arguments = try parseInputValues(from: .parenOpen, to: .parenClose)
        let isRepeatable = try skipKeyword("repeatable")
        guard try skipKeyword("on") else { throw unexpected("\"on\"") }
        _ = try skip(.pipe)
        var locations: [DirectiveLocation] = []
        repeat {
            guard token.kind == .name,
                let location = DirectiveLocation(rawValue: text(of: token).string)
            else { throw unexpected("a directive location") }
            locations.append(location)
            try advance()
        } while try skip(.pipe)
        return DirectiveDefinition(
            name: name, description: description, arguments: arguments,
            isRepeatable: isRepeatable, locations: locations, offset: offset)
    }
}

extension TypeDefinition {
    /// Whether it adds nothing to its name.
    fileprivate var isEmpty: Bool {
        interfaces.isEmpty && directives.isEmpty && fields.isEmpty && members.isEmpty
            && values.isEmpty && inputFields.isEmpty
    }
}
