public import Bytes

/// One member of a target's query or of a form (`name=value`), decoded.
public struct QueryItem: Sendable, Hashable {
    /// What stands before the first equals sign.
    public var name: Text
    /// What stands behind it; empty if there is none.
    public var value: Text

    /// An item.
    public init(name: Text, value: Text) {
        self.name = name
        self.value = value
    }

    /// Takes `a=1&b=2` apart (WHATWG URL, application/x-www-form-urlencoded parsing).
    ///
    /// Also for a body of that type. Nil for broken percent-encoding or UTF-8, where the
    /// standard would repair: a repaired query is not what the client wrote.
    public static func items(
        of bytes: UnsafeRawBufferPointer, plusIsSpace: Bool = true
    ) -> [QueryItem]? {
        var items: [QueryItem] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = equals == part.endIndex ? part[equals...] : part[(equals + 1)...]
            guard let name = PercentCoding.text(part[..<equals], plusIsSpace: plusIsSpace),
                let value = PercentCoding.text(value, plusIsSpace: plusIsSpace)
            else { return nil }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }
}

extension [QueryItem] {
    /// The value of the first item of that name.
    public func value(of name: Text) -> Text? { first { $0.name == name }?.value }
}
