import Bytes

extension Parser {
    /// A value (GraphQL 2.9); constants hold no variables.
    mutating func parseValue(isConstant: Bool) throws(GraphQLError) -> Literal {
        let offset = token.start
        let kind: Literal.Kind
        switch token.kind {
        case .int: kind = .int(text(of: token))
        case .float: kind = .float(text(of: token))
        case .string, .blockString: return Literal(.string(try parseString()), offset: offset)
        case .name: kind = nameValue()
        case .dollar:
            if isConstant {
                throw error("a variable cannot stand in a constant value", at: offset)
            }
            try advance()
            return Literal(.variable(try parseName().text), offset: offset)
        case .bracketOpen: return try parseList(isConstant: isConstant)
        case .braceOpen: return try parseObject(isConstant: isConstant)
        default: throw unexpected("a value")
        }
        try advance()
        return Literal(kind, offset: offset)
    }

    private func nameValue() -> Literal.Kind {
        if isKeyword("true") { return .boolean(true) }
        if isKeyword("false") { return .boolean(false) }
        if isKeyword("null") { return .null }
        return .enumValue(text(of: token))
    }

    private mutating func parseList(isConstant: Bool) throws(GraphQLError) -> Literal {
        let offset = token.start
        try enter()
        try advance()
        var items: [Literal] = []
        while token.kind != .bracketClose {
            items.append(try parseValue(isConstant: isConstant))
        }
        try advance()
        leave()
        return Literal(.list(items), offset: offset)
    }

    private mutating func parseObject(isConstant: Bool) throws(GraphQLError) -> Literal {
        let offset = token.start
        try enter()
        try advance()
        var fields: [Argument] = []
        while token.kind != .braceClose {
            let name = try parseName()
            try expect(.colon, "\":\"")
            fields.append(Argument(name: name, value: try parseValue(isConstant: isConstant)))
        }
        try advance()
        leave()
        return Literal(.object(fields), offset: offset)
    }
}
