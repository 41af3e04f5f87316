public import Bytes
public import JSON

/// The coerced variables of one request. Equal ones give equal responses of an operation, so
/// that subscriptions with equal variables are answered together.
public struct Variables: Sendable, Hashable {
    /// One reference, however many variables: executions copy it often.
    private final class Storage: Sendable {
        let names: [Text]
        let values: [JSONValue?]
        let plan: Plan

        init(names: [Text], values: [JSONValue?], plan: Plan) {
            self.names = names
            self.values = values
            self.plan = plan
        }
    }

    private let storage: Storage

    /// Values in the order of their names; nil for no entry, which is not the same as null.
    init(names: [Text], values: [JSONValue?], plan: Plan) {
        storage = Storage(names: names, values: values, plan: plan)
    }

    /// The operation's plan under these values of `@skip` and `@include`.
    var plan: Plan { storage.plan }

    /// The value of a variable; nil if it has no entry.
    public subscript(name: Text) -> JSONValue? {
        guard let index = storage.names.firstIndex(of: name) else { return nil }
        return storage.values[index]
    }

    /// All entries, in the order of their declaration.
    public var object: JSONObject {
        var object = JSONObject()
        for (name, value) in zip(storage.names, storage.values) {
            if let value { object.append(name, value) }
        }
        return object
    }

    /// Equality of the values; only meaningful for the same operation.
    public static func == (one: Variables, other: Variables) -> Bool {
        one.storage === other.storage || one.storage.values == other.storage.values
    }

    /// Hash of the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.values) }
}
