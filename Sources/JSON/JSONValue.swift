public import Bytes

/// Any JSON value, and the one vocabulary for values in all rooms above: GraphQL variables and
/// literals, fields of records, operands of filters.
///
/// Integers within 64 bits stay integers; every other number is a double. Text is compared by
/// bytes. Objects keep the order of their members.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case int(Int64)
    /// Any other number; always finite.
    case double(Double)
    /// A string.
    case string(Text)
    /// A list.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// What kind of value this is, in the words of an error message.
    public var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int, .double: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// Whether this is `null`.
    @inlinable public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The text, if this is a string.
    @inlinable public var text: Text? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, if this is one that fits 64 bits.
    @inlinable public var integer: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The number, integers included.
    @inlinable public var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The boolean, if this is one.
    @inlinable public var boolean: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The items, if this is a list.
    @inlinable public var items: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The object, if this is one.
    @inlinable public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The member of an object, or nil if this is no object or has no such member.
    @inlinable public subscript(name: Text) -> JSONValue? { object?[name] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string literal.
    public init(stringLiteral value: String) { self = .string(Text(value)) }
    /// An integer literal.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A literal with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A boolean literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// `nil` is `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A list literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object literal, in the written order.
    public init(dictionaryLiteral elements: (Text, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}

/// The members of a JSON object in their order. Look-up is linear: objects on the wire are small.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One name with its value.
    public struct Member: Sendable, Hashable {
        /// The name, unescaped.
        public var name: Text
        /// The value.
        public var value: JSONValue

        /// A member.
        @inlinable public init(name: Text, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// All members, in order.
    public var members: [Member]

    /// An object with these members, in this order.
    public init(_ members: [(Text, JSONValue)] = []) {
        self.members = members.map { Member(name: $0.0, value: $0.1) }
    }

    /// An object literal, in the written order.
    public init(dictionaryLiteral elements: (Text, JSONValue)...) { self.init(elements) }

    /// How many members there are.
    @inlinable public var count: Int { members.count }

    /// Whether there are none.
    @inlinable public var isEmpty: Bool { members.isEmpty }

    /// The value of the last member of that name. Assigning replaces it, appends, or with nil
    /// removes.
    public subscript(name: Text) -> JSONValue? {
        get { members.last { $0.name == name }?.value }
        set {
            guard let newValue else {
                members.removeAll { $0.name == name }
                return
            }
            if let index = members.lastIndex(where: { $0.name == name }) {
                members[index].value = newValue
            } else {
                members.append(Member(name: name, value: newValue))
            }
        }
    }

    /// Appends a member without looking for another of that name.
    @inlinable public mutating func append(_ name: Text, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }

    /// Equality does not ask for the order of members with different names.
    ///
    /// Members of one name keep their order: the last of them is the one that counts.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        guard one.members.count == other.members.count else { return false }
        if zip(one.members, other.members).allSatisfy({ $0 == $1 }) { return true }
        return zip(one.sorted(), other.sorted()).allSatisfy { $0 == $1 }
    }

    /// The members in the order of their names, those of one name in their own order.
    private func sorted() -> [Member] {
        members.enumerated().sorted { one, other in
            one.element.name == other.element.name
                ? one.offset < other.offset : one.element.name < other.element.name
        }
        .map(\.element)
    }

    /// Hash that does not ask for the order of the members.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members { sum &+= member.hashValue }
        hasher.combine(sum)
    }
}
