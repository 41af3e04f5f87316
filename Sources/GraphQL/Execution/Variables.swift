public import Bytes
public import JSON

/// The coerced variables of one request. Equal ones give equal responses of an operation, so
/// that subscriptions with equal variables are answered together.
public struct Variables: Sendable, Hashable {
    /// Names in the order of their declaration.
    let names: [Text]
    /// Values in the same order; nil for no entry, which is not the same as null.
    let values: [JSONValue?]
    /// The operation's plan under these values of `@skip` and `@include`.
    let plan: Plan

    /// The value of a variable; nil if it has no entry.
    public subscript(name: Text) -> JSONValue? {
        guard let index = names.firstIndex(of: name) else { return nil }
        return values[index]
    }

    /// All entries, in the order of their declaration.
    public var object: JSONObject {
        var object = JSONObject()
        for (name, value) in zip(names, values) {
            if let value { object.append(name, value) }
        }
        return object
    }

    /// Equality of the values; only meaningful for the same operation.
    public static func == (one: Variables, other: Variables) -> Bool {
        one.values == other.values
    }

    /// Hash of the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
