import Bytes

/// A recursive-descent parser with one token of look-ahead. Its recursion is bounded by
/// `DocumentLimits.depthMax`, so that no document exhausts the stack.
struct Parser {
    private var lexer: Lexer
    private let limits: DocumentLimits
    private var depth = 0
    /// What has a limit of its own and was met so far.
    private var aliasCount = 0
    private var spreadCount = 0
    private var directiveCount = 0

    /// The token that is looked at.
    private(set) var token = Token(kind: .end, start: 0, end: 0)

    init(bytes: UnsafeRawBufferPointer, limits: DocumentLimits) {
        lexer = Lexer(bytes: bytes, tokensMax: limits.tokensMax)
        self.limits = limits
    }

    /// Reads the whole document: one definition at least.
    mutating func parseDocument() throws(GraphQLError) -> [Definition] {
        let count = lexer.bytes.count
        if count > limits.bytesMax {
            throw GraphQLError(
                "document of \(count) bytes is over the limit of \(limits.bytesMax)"
            ).reaching(.bytes, wayOut: "send it in parts, long values as variables")
        }
        try advance()
        var definitions: [Definition] = []
        repeat {
            definitions.append(try parseDefinition())
        } while token.kind != .end
        return definitions
    }

    private mutating func parseDefinition() throws(GraphQLError) -> Definition {
        let offset = token.start
        if token.kind == .braceOpen {
            return .operation(try parseShorthand())
        }
        let descriptionAt = token
        let description = try parseDescription()
        if description != nil, token.kind == .braceOpen {
            throw lexer.error("a shorthand query has no description", at: descriptionAt.start)
        }
        if description != nil, !canBeDescribed {
            throw lexer.error("a description stands before no definition", at: descriptionAt.start)
        }
        guard token.kind == .name else { throw unexpected("a definition") }
        if isKeyword("query") || isKeyword("mutation") || isKeyword("subscription") {
            return .operation(try parseOperation(description, offset))
        }
        if isKeyword("fragment") { return .fragment(try parseFragment(description, offset)) }
        if isKeyword("extend") {
            if description != nil {
                throw lexer.error(
                    "an extension has no description", at: descriptionAt.start)
            }
            try advance()
            return try parseTypeSystem(nil, offset, isExtension: true)
        }
        return try parseTypeSystem(description, offset, isExtension: false)
    }

    /// Whether a description may stand before the token, or the token itself is what is wrong.
    private var canBeDescribed: Bool {
        switch token.kind {
        case .name: Self.definitionKeywords.contains { isKeyword($0) }
        case .braceOpen: false
        default: true
        }
    }

    private static let definitionKeywords: [StaticString] = [
        "query", "mutation", "subscription", "fragment", "extend", "schema", "scalar", "type",
        "interface", "union", "enum", "input", "directive",
    ]

    // MARK: Tokens

    /// Goes to the next token.
    mutating func advance() throws(GraphQLError) { token = try lexer.next() }

    /// The text of a token.
    func text(of token: Token) -> Text {
        Text(utf8: UnsafeRawBufferPointer(rebasing: lexer.bytes[token.content]))
    }

    /// Whether the current token is this word.
    func isKeyword(_ word: StaticString) -> Bool {
        guard token.kind == .name, token.end - token.start == word.utf8CodeUnitCount else {
            return false
        }
        for index in 0..<word.utf8CodeUnitCount
        where lexer.bytes[token.start + index] != word.utf8Start[index] {
            return false
        }
        return true
    }

    /// Skips the word if it is there.
    mutating func skipKeyword(_ word: StaticString) throws(GraphQLError) -> Bool {
        guard isKeyword(word) else { return false }
        try advance()
        return true
    }

    /// Skips the token if it is there.
    mutating func skip(_ kind: Token.Kind) throws(GraphQLError) -> Bool {
        guard token.kind == kind else { return false }
        try advance()
        return true
    }

    /// Skips the token, which must be there.
    mutating func expect(
        _ kind: Token.Kind, _ what: StaticString
    ) throws(GraphQLError) {
        guard token.kind == kind else { throw unexpected("\(what)") }
        try advance()
    }

    /// The name that must be here.
    mutating func parseName() throws(GraphQLError) -> Name {
        guard token.kind == .name else { throw unexpected("a name") }
        let name = Name(text(of: token), offset: token.start)
        try advance()
        return name
    }

    /// A syntax error: something else was expected here.
    func unexpected(_ expected: String) -> GraphQLError {
        lexer.error("expected \(expected), found \(describeToken())", at: token.start)
    }

    /// A syntax error at a place.
    func error(_ message: String, at offset: Int) -> GraphQLError {
        lexer.error(message, at: offset)
    }

    private func describeToken() -> String {
        switch token.kind {
        case .end: "the end of the document"
        case .string, .blockString: "a string"
        case .int, .float: "a number"
        case .name where token.end - token.start > 100: "a name"
        default: "\"\(text(of: token).string)\""
        }
    }

    /// Goes one level down; every call is followed by `leave()` unless an error ends the parse.
    mutating func enter() throws(GraphQLError) {
        depth += 1
        if depth > limits.depthMax {
            throw lexer.error(
                "the document is nested deeper than \(limits.depthMax) levels", at: token.start
            ).reaching(.depth, wayOut: "ask for what lies deeper by its id")
        }
    }

    /// Goes one level up.
    mutating func leave() { depth -= 1 }

    // MARK: Counting

    /// Counts an alias, which is refused beyond its limit.
    mutating func countAlias(at offset: Int) throws(GraphQLError) {
        aliasCount += 1
        if aliasCount <= limits.aliasesMax { return }
        throw lexer.error("the document has more than \(limits.aliasesMax) aliases", at: offset)
            .reaching(.aliases, wayOut: "ask in several requests")
    }

    /// Counts the spread of a named fragment, which is refused beyond its limit.
    mutating func countSpread(at offset: Int) throws(GraphQLError) {
        spreadCount += 1
        if spreadCount <= limits.spreadsMax { return }
        throw lexer.error(
            "the document spreads fragments more than \(limits.spreadsMax) times", at: offset
        ).reaching(.spreads, wayOut: "write short fragments out, or ask in several requests")
    }

    private mutating func countDirective(
        at offset: Int, beside count: Int
    ) throws(GraphQLError) {
        directiveCount += 1
        if count >= limits.directivesPerPlaceMax {
            throw lexer.error(
                "more than \(limits.directivesPerPlaceMax) directives stand at one place",
                at: offset
            ).reaching(.directivesPerPlace, wayOut: "one or two are enough")
        }
        if directiveCount <= limits.directivesMax { return }
        throw lexer.error(
            "the document has more than \(limits.directivesMax) directives", at: offset
        ).reaching(.directives, wayOut: "put one on a fragment instead of on each field")
    }

    // MARK: Parts that all definitions share

    /// A description, if a string stands here.
    mutating func parseDescription() throws(GraphQLError) -> Text? {
        guard token.kind == .string || token.kind == .blockString else { return nil }
        return try parseString()
    }

    /// The string that stands here.
    mutating func parseString() throws(GraphQLError) -> Text {
        let value = try stringValue()
        try advance()
        return value
    }

    private func stringValue() throws(GraphQLError) -> Text {
        if token.kind == .blockString {
            let raw = UnsafeRawBufferPointer(rebasing: lexer.bytes[token.content])
            return StringValue.block(raw, hasEscape: token.hasEscape)
        }
        if !token.hasEscape { return text(of: token) }
        do throws(StringValue.EscapeError) {
            return try StringValue.unescape(lexer.bytes, token.content)
        } catch {
            throw lexer.error(error.message, at: error.offset)
        }
    }

    /// A type: a name, a list of a type, either with a non-null mark.
    mutating func parseType() throws(GraphQLError) -> TypeReference {
        var type: TypeReference
        if token.kind == .bracketOpen {
            let offset = token.start
            try enter()
            try advance()
            type = .list(try parseType(), offset: offset)
            try expect(.bracketClose, "\"]\"")
            leave()
        } else {
            type = .named(try parseName())
        }
        if try skip(.bang) { type = .nonNull(type) }
        return type
    }

    /// Directives, if some stand here.
    mutating func parseDirectives(isConstant: Bool) throws(GraphQLError) -> [Directive] {
        var directives: [Directive] = []
        while token.kind == .at {
            let offset = token.start
            try countDirective(at: offset, beside: directives.count)
            try advance()
            let name = try parseName()
            let arguments = try parseArguments(isConstant: isConstant)
            directives.append(Directive(name: name, arguments: arguments, offset: offset))
        }
        return directives
    }

    /// Arguments in parentheses, if they stand here; then at least one.
    mutating func parseArguments(isConstant: Bool) throws(GraphQLError) -> [Argument] {
        guard try skip(.parenOpen) else { return [] }
        var arguments: [Argument] = []
        repeat {
            let name = try parseName()
            try expect(.colon, "\":\"")
            arguments.append(Argument(name: name, value: try parseValue(isConstant: isConstant)))
        } while token.kind != .parenClose
        try advance()
        return arguments
    }
}
