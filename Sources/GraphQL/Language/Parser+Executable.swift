import Bytes

extension Parser {
    /// `{ … }` alone: a query without name, variables and directives.
    mutating func parseShorthand() throws(GraphQLError) -> OperationDefinition {
        let offset = token.start
        let selections = try parseSelections()
        return OperationDefinition(
            kind: .query, variables: [], directives: [], selections: selections, offset: offset)
    }

    /// An operation from its keyword on.
    mutating func parseOperation(
        _ description: Text?, _ offset: Int
    ) throws(GraphQLError) -> OperationDefinition {
        let kind = try parseOperationKind()
        let name: Name? = token.kind == .name ? try parseName() : nil
        let variables = try parseVariables()
        let directives = try parseDirectives(isConstant: false)
        let selections = try parseSelections()
        return OperationDefinition(
            description: description, kind: kind, name: name, variables: variables,
            directives: directives, selections: selections, offset: offset)
    }

    /// The keyword of an operation or root.
    mutating func parseOperationKind() throws(GraphQLError) -> OperationKind {
        if try skipKeyword("query") { return .query }
        if try skipKeyword("mutation") { return .mutation }
        if try skipKeyword("subscription") { return .subscription }
        throw unexpected("\"query\", \"mutation\" or \"subscription\"")
    }

    private mutating func parseVariables() throws(GraphQLError) -> [VariableDefinition] {
        guard try skip(.parenOpen) else { return [] }
        var variables: [VariableDefinition] = []
        repeat {
            let offset = token.start
            let description = try parseDescription()
            try expect(.dollar, "\"$\"")
            let name = try parseName()
            try expect(.colon, "\":\"")
            let type = try parseType()
            let hasDefault = try skip(.equals)
            let defaultValue = hasDefault ? try parseValue(isConstant: true) : nil
            let directives = try parseDirectives(isConstant: true)
            variables.append(
                VariableDefinition(
                    description: description, name: name, type: type, defaultValue: defaultValue,
                    directives: directives, offset: offset))
        } while token.kind != .parenClose
        try advance()
        return variables
    }

    /// A fragment from its keyword on.
    mutating func parseFragment(
        _ description: Text?, _ offset: Int
    ) throws(GraphQLError) -> FragmentDefinition {
        try advance()
        if isKeyword("on") { throw unexpected("a fragment's name") }
        let name = try parseName()
        guard try skipKeyword("on") else { throw unexpected("\"on\"") }
        let condition = try parseName()
        let directives = try parseDirectives(isConstant: false)
        let selections = try parseSelections()
        return FragmentDefinition(
            description: description, name: name, typeCondition: condition,
            directives: directives, selections: selections, offset: offset)
    }

    /// A selection set, which has one selection at least.
    mutating func parseSelections() throws(GraphQLError) -> [Selection] {
        try enter()
        try expect(.braceOpen, "\"{\"")
        var selections: [Selection] = []
        repeat {
            selections.append(
                token.kind == .spread ? try parseFragmentUse() : .field(try parseField()))
        } while token.kind != .braceClose
        try advance()
        leave()
        return selections
    }

    private mutating func parseField() throws(GraphQLError) -> FieldSelection {
        let first = try parseName()
        var alias: Name?
        var name = first
        if try skip(.colon) {
            try countAlias(at: first.offset)
            alias = first
            name = try parseName()
        }
        let arguments = try parseArguments(isConstant: false)
        let directives = try parseDirectives(isConstant: false)
        let selections = token.kind == .braceOpen ? try parseSelections() : []
        return FieldSelection(
            alias: alias, name: name, arguments: arguments, directives: directives,
            selections: selections, offset: first.offset)
    }

    private mutating func parseFragmentUse() throws(GraphQLError) -> Selection {
        let offset = token.start
        try advance()
        if token.kind == .name, !isKeyword("on") {
            try countSpread(at: offset)
            let name = try parseName()
            let directives = try parseDirectives(isConstant: false)
            return .spread(FragmentSpread(name: name, directives: directives, offset: offset))
        }
        let hasCondition = try skipKeyword("on")
        let condition = hasCondition ? try parseName() : nil
        let directives = try parseDirectives(isConstant: false)
        let selections = try parseSelections()
        return .inline(
            InlineFragment(
                typeCondition: condition, directives: directives, selections: selections,
                offset: offset))
    }
}
