public import Bytes
public import JSON

/// The coerced variables of one request. Equal ones give equal responses of an operation, so
/// that subscriptions with equal variables are answered together.
public struct Variables: Sendable, Hashable {
    /// One reference, however many variables: executions copy it often.
    private final class Storage: Sendable {
        let names: VariableNames
        let values: [JSONValue?]
        let plan: Plan
        let cost: Int

        init(names: VariableNames, values: [JSONValue?], plan: Plan, cost: Int) {
            self.names = names
            self.values = values
            self.plan = plan
            self.cost = cost
        }
    }

    private let storage: Storage

    /// Values in the order of their names; nil for no entry, which is not the same as null.
    init(names: VariableNames, values: [JSONValue?], plan: Plan, cost: Int) {
        storage = Storage(names: names, values: values, plan: plan, cost: cost)
    }

    /// The operation's plan under these values of `@skip` and `@include`.
    var plan: Plan { storage.plan }

    /// What the operation costs with them, by estimate: fields, and questions to the store, those
    /// below lists as often as the lists may have items.
    public var cost: Int { storage.cost }

    /// The value of a variable; nil if it has no entry.
    public subscript(name: Text) -> JSONValue? {
        guard let index = storage.names.place(of: name) else { return nil }
        return storage.values[index]
    }

    /// All entries, in the order of their declaration.
    public var object: JSONObject {
        var object = JSONObject()
        for (name, value) in zip(storage.names.names, storage.values) {
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
