import Bytes

/// A type as it is written: a name within lists and non-null marks (GraphQL 2.11).
public indirect enum TypeReference: Sendable {
    /// A type by its name.
    case named(Name)
    /// `[T]`; the offset is that of the bracket.
    case list(TypeReference, offset: Int)
    /// `T!`; the inner one is never non-null itself.
    case nonNull(TypeReference)

    /// The name within all wrappings.
    public var name: Name {
        switch self {
        case .named(let name): name
        case .list(let inner, _), .nonNull(let inner): inner.name
        }
    }

    /// Its first byte.
    public var offset: Int {
        switch self {
        case .named(let name): name.offset
        case .list(_, let offset): offset
        case .nonNull(let inner): inner.offset
        }
    }

    /// Whether the outermost wrapping is a non-null mark.
    public var isNonNull: Bool { if case .nonNull = self { true } else { false } }

    /// As it is written, such as `[ID!]!`.
    public var text: String {
        switch self {
        case .named(let name): name.text.string
        case .list(let inner, _): "[\(inner.text)]"
        case .nonNull(let inner): "\(inner.text)!"
        }
    }
}
