public import Bytes

/// A parsed document: operations and fragments, or definitions of a type system, in the order
/// of the text (GraphQL 2.2, 3).
///
/// Parsing checks the grammar only; validation and schema building check what the names mean.
///
///     let document = try Document(parsing: "{ hello }")
///     for definition in document.definitions { … }
///
/// Nodes carry byte offsets into `source`; `location(at:)` turns one into line and column.
public struct Document: Sendable {
    /// The text that was parsed. Empty for documents made in code.
    public var source: Text
    /// All definitions, at least one after parsing.
    public var definitions: [Definition]

    /// A document made in code.
    public init(definitions: [Definition], source: Text = "") {
        self.source = source
        self.definitions = definitions
    }

    /// Parses a whole document of the September 2025 grammar. Cost: linear in the text.
    ///
    /// - Throws: a `GraphQLError` with one location: a syntax error or a limit reached.
    public init(
        parsing source: Text, limits: DocumentLimits = DocumentLimits()
    ) throws(GraphQLError) {
        let parsed: Result<[Definition], GraphQLError> = source.withBytes { bytes in
            var parser = Parser(bytes: bytes, limits: limits)
            do throws(GraphQLError) {
                return .success(try parser.parseDocument())
            } catch {
                return .failure(error)
            }
        }
        self.source = source
        definitions = try parsed.get()
    }

    /// Parses lent bytes, which must be UTF-8.
    ///
    /// - Throws: a `GraphQLError`: a syntax error, a limit reached or broken UTF-8.
    public init(
        parsing bytes: RawSpan, limits: DocumentLimits = DocumentLimits()
    ) throws(GraphQLError) {
        let text: Text? = bytes.withUnsafeBytes { UTF8Check.isValid($0) ? Text(utf8: $0) : nil }
        guard let text else {
            throw GraphQLError("Syntax Error: the document is not valid UTF-8")
        }
        try self.init(parsing: text, limits: limits)
    }

    /// Line and column of a node's byte offset. Cost: linear in the offset.
    public func location(at offset: Int) -> SourceLocation {
        source.withBytes { SourceLocation(of: offset, in: $0) }
    }
}

extension SourceLocation {
    /// The place of a byte. Line ends are LF, CR and CR LF (GraphQL 2.1.4).
    init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
        var line = 1
        var column = 1
        let end = min(offset, bytes.count)
        var index = 0
        while index < end {
            let byte = bytes[index]
            index += 1
            if byte == 0x0a || byte == 0x0d {
                if byte == 0x0d, index < bytes.count, bytes[index] == 0x0a {
                    if index == end { break }
                    index += 1
                }
                line += 1
                column = 1
            } else if byte & 0xc0 != 0x80 {
                column += 1
            }
        }
        self.init(line: line, column: column)
    }
}

/// One definition of a document.
public enum Definition: Sendable {
    /// A query, mutation or subscription.
    case operation(OperationDefinition)
    /// A named fragment.
    case fragment(FragmentDefinition)
    /// `schema { … }` or `extend schema`.
    case schema(SchemaDefinition)
    /// A type, or an extension of one.
    case type(TypeDefinition)
    /// A directive's definition.
    case directive(DirectiveDefinition)

    /// Where the definition begins, its description included.
    public var offset: Int {
        switch self {
        case .operation(let definition): definition.offset
        case .fragment(let definition): definition.offset
        case .schema(let definition): definition.offset
        case .type(let definition): definition.offset
        case .directive(let definition): definition.offset
        }
    }
}

/// A name where it stands in the text.
public struct Name: Sendable, ExpressibleByStringLiteral {
    /// The name itself.
    public var text: Text
    /// Its first byte in the document.
    public var offset: Int

    /// A name; made in code it stands at 0.
    public init(_ text: Text, offset: Int = 0) {
        self.text = text
        self.offset = offset
    }

    /// A name made in code.
    public init(stringLiteral value: String) { self.init(Text(value)) }
}
