/// A string that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift's `String` takes "é" and "e" + U+0301 for equal; the database and every peer do not.
/// Ids, field values and operation ids are therefore `Text` in all rooms. Order is the order of
/// the bytes, which is SQLite's BINARY collation and the order of Unicode scalars.
public struct Text: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The same characters as a Swift string.
    public var string: String

    /// Takes over a Swift string.
    @inlinable public init(_ string: String) { self.string = string }

    /// A literal.
    @inlinable public init(stringLiteral value: String) { string = value }

    /// Decodes UTF-8 that has been checked already; broken sequences become U+FFFD.
    @inlinable public init(utf8 bytes: UnsafeRawBufferPointer) {
        string = String(decoding: bytes, as: UTF8.self)
    }

    /// The characters themselves, without quotes.
    public var description: String { string }

    /// Length in UTF-8 bytes.
    @inlinable public var byteCount: Int { string.utf8.count }

    /// Whether there is not a single character.
    @inlinable public var isEmpty: Bool { string.isEmpty }

    /// Lends the UTF-8 bytes. Free of copies for every native Swift string.
    @inlinable public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        if let result = string.utf8.withContiguousStorageIfAvailable({
            body(UnsafeRawBufferPointer($0))
        }) {
            return result
        }
        var copy = string
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Whether the bytes begin with those of `prefix`.
    public func hasPrefix(_ prefix: Text) -> Bool {
        withBytes { whole in
            prefix.withBytes { part in
                whole.count >= part.count && whole.prefix(part.count).elementsEqual(part)
            }
        }
    }

    /// Whether the bytes of `part` stand anywhere in this text. Empty parts always do.
    ///
    /// Cost: length of the text times length of the part at worst.
    public func contains(_ part: Text) -> Bool {
        withBytes { whole in
            part.withBytes { needle in
                guard let first = needle.first else { return true }
                guard whole.count >= needle.count else { return false }
                for start in 0...(whole.count - needle.count) where whole[start] == first {
                    let candidate = whole[start..<(start + needle.count)]
                    if candidate.elementsEqual(needle) { return true }
                }
                return false
            }
        }
    }
}

extension Text: Hashable, Comparable {
    /// Equality by bytes.
    @inlinable public static func == (one: Text, other: Text) -> Bool {
        // Most unequal texts differ in length, which a native string knows.
        if one.string.utf8.count != other.string.utf8.count { return false }
        return one.withBytes { a in
            other.withBytes { b in a.hasSameBytes(as: b) }
        }
    }

    /// Order by bytes.
    public static func < (one: Text, other: Text) -> Bool {
        one.withBytes { a in other.withBytes { b in a.lexicographicallyPrecedes(b) } }
    }

    /// Hash of the bytes.
    @inlinable public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xff as UInt8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes, compared eight at a time.
    @inlinable public func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var at = 0
        while at + 8 <= count {
            let one = loadUnaligned(fromByteOffset: at, as: UInt64.self)
            if one != other.loadUnaligned(fromByteOffset: at, as: UInt64.self) { return false }
            at += 8
        }
        while at < count {
            if self[at] != other[at] { return false }
            at += 1
        }
        return true
    }
}

extension ByteQueue {
    /// Appends the text's UTF-8 bytes.
    @inlinable public mutating func append(utf8 text: Text) {
        text.withBytes { append($0) }
    }
}
