import Bytes

/// A type's place in `Schema.types`.
public typealias TypeID = Int

/// A field definition's place in `Schema.fields`: dense over all types of a schema.
public typealias FieldID = Int

/// A named type within lists and non-null marks, after names have become numbers.
///
/// The wrappings are kept in one word, two bits each, the outermost lowest: 01 is a list, 10 a
/// non-null mark. At most 15 list levels with their marks fit.
public struct TypeUse: Sendable, Hashable {
    /// The type within all wrappings.
    public let named: TypeID
    @usableFromInline let wrappings: UInt64

    private init(named: TypeID, wrappings: UInt64) {
        self.named = named
        self.wrappings = wrappings
    }

    /// A bare type.
    public init(_ named: TypeID) { self.init(named: named, wrappings: 0) }

    /// How many list levels a reference may have.
    static let listsMax = 15

    /// What is written, or nil for an unknown name or more than 15 list levels.
    public init?(_ reference: TypeReference, typeID: (TypeReference) -> TypeID?) {
        var lists = 0
        var wrappings: UInt64 = 0
        var places: UInt64 = 0
        var rest = reference
        while true {
            switch rest {
            case .named:
                guard let id = typeID(rest) else { return nil }
                self.init(named: id, wrappings: wrappings)
                return
            case .list(let inner, _):
                lists += 1
                if lists > Self.listsMax { return nil }
                wrappings |= 1 << places
                rest = inner
            case .nonNull(let inner):
                wrappings |= 2 << places
                rest = inner
            }
            places += 2
        }
    }

    /// Whether null is no value of it.
    @inlinable public var isNonNull: Bool { wrappings & 3 == 2 }

    /// Whether it is a list, non-null or not.
    public var isList: Bool { nullable.wrappings & 3 == 1 }

    /// The same type without an outer non-null mark.
    public var nullable: TypeUse {
        isNonNull ? TypeUse(named: named, wrappings: wrappings >> 2) : self
    }

    /// The type of a list's items, or nil if this is no list.
    public var item: TypeUse? {
        let inner = nullable.wrappings
        return inner & 3 == 1 ? TypeUse(named: named, wrappings: inner >> 2) : nil
    }

    /// The type with an outer non-null mark.
    public var nonNull: TypeUse {
        isNonNull ? self : TypeUse(named: named, wrappings: wrappings << 2 | 2)
    }

    /// A list of this type.
    public var list: TypeUse { TypeUse(named: named, wrappings: wrappings << 2 | 1) }

    /// One wrapping less: the type within the outermost list or non-null mark, or nil.
    var inner: TypeUse? {
        wrappings == 0 ? nil : TypeUse(named: named, wrappings: wrappings >> 2)
    }

    /// As it is written, such as `[ID!]!`.
    public func text(in schema: Schema) -> String {
        guard let inner else { return schema.types[named].name.string }
        return isNonNull ? "\(inner.text(in: schema))!" : "[\(inner.text(in: schema))]"
    }
}
