public import Bytes
public import JSON

/// A predicate on a record and on the records that its belongs-to relations lead to.
///
/// The one form that queries, conditions of mutations and subscriptions share; evaluated here
/// and nowhere else. Stores may use parts of it to read less, never to decide.
public indirect enum Filter: Sendable, Hashable {
    /// Matches everything.
    case all
    /// A test of one field.
    case test(FieldPath, Test)
    /// All must match. Empty matches everything.
    case and([Filter])
    /// One must match. Empty matches nothing.
    case or([Filter])
    /// Matches what the inner filter does not.
    case not(Filter)

    /// Which field is tested: a slot of the record at the end of a way of belongs-to relations.
    public struct FieldPath: Sendable, Hashable {
        /// Indexes into `ModelLayout.relations`, step by step; empty for the record's own field.
        public var relations: [Int]
        /// The slot of the field.
        public var slot: Int

        /// A path.
        public init(relations: [Int] = [], slot: Int) {
            self.relations = relations
            self.slot = slot
        }
    }

    /// One test of a value. Comparisons of values of different kinds are false; a null field
    /// passes only `equal(.null)`, `notEqual` to another value, `exists(false)`, the negative
    /// list tests and `hasType(.null)`.
    public enum Test: Sendable, Hashable {
        /// `eq`; with null: the field is null or absent.
        case equal(JSONValue)
        /// `ne`.
        case notEqual(JSONValue)
        /// `lt`.
        case less(JSONValue)
        /// `le`.
        case lessOrEqual(JSONValue)
        /// `gt`.
        case greater(JSONValue)
        /// `ge`.
        case greaterOrEqual(JSONValue)
        /// `between`, both ends included.
        case between(JSONValue, JSONValue)
        /// `beginsWith`.
        case beginsWith(Text)
        /// `contains`: part of a text, or item of a list.
        case contains(JSONValue)
        /// `notContains`.
        case notContains(JSONValue)
        /// `in`.
        case isIn([JSONValue])
        /// `notIn`.
        case isNotIn([JSONValue])
        /// `containsAny`: the list field shares an item with this list.
        case containsAny([JSONValue])
        /// `attributeExists`.
        case exists(Bool)
        /// `attributeType`.
        case hasType(AttributeType)
        /// `size`: a test of the text's length in bytes or the list's count.
        case size(SizeTest)
    }

    /// The types that `attributeType` can ask for (AppSync contract 4.4).
    public enum AttributeType: String, Sendable, Hashable, CaseIterable {
        /// Binary data, which no field has.
        case binary
        /// A set of binary data, which no field has.
        case binarySet
        /// A boolean.
        case bool
        /// A list.
        case list
        /// An object.
        case map
        /// A number.
        case number
        /// A set of numbers, which no field has.
        case numberSet
        /// A text.
        case string
        /// A set of texts, which no field has.
        case stringSet
        /// Null or absent; `_null` in the API.
        case null = "_null"
    }

    /// A test of a size.
    public enum SizeTest: Sendable, Hashable {
        /// `eq`.
        case equal(Int64)
        /// `ne`.
        case notEqual(Int64)
        /// `lt`.
        case less(Int64)
        /// `le`.
        case lessOrEqual(Int64)
        /// `gt`.
        case greater(Int64)
        /// `ge`.
        case greaterOrEqual(Int64)
        /// `between`, both ends included.
        case between(Int64, Int64)
    }
}

extension Filter {
    /// Whether the record passes. Fields behind relations are null here; see `matches(_:related:)`.
    public func matches(_ record: Record) -> Bool {
        matches(record) { steps in steps.isEmpty ? record : nil }
    }

    /// Whether the change's record, with what its relations lead to, passes.
    public func matches(_ change: Change) -> Bool {
        matches(change.record) { change.related(along: $0) }
    }

    /// Whether the record passes, with `related` giving the record at the end of a path.
    public func matches(_ record: Record, related: ([Int]) -> Record?) -> Bool {
        switch self {
        case .all: return true
        case .test(let path, let test):
            if path.relations.isEmpty { return test.passes(record.values[path.slot]) }
            return test.passes(related(path.relations)?.values[path.slot] ?? .null)
        case .and(let parts): return parts.allSatisfy { $0.matches(record, related: related) }
        case .or(let parts): return parts.contains { $0.matches(record, related: related) }
        case .not(let inner): return !inner.matches(record, related: related)
        }
    }

    /// All paths of relations that the filter looks along, each once.
    public var relationPaths: Set<[Int]> {
        switch self {
        case .all: []
        case .test(let path, _): path.relations.isEmpty ? [] : [path.relations]
        case .and(let parts), .or(let parts):
            parts.reduce(into: []) { $0.formUnion($1.relationPaths) }
        case .not(let inner): inner.relationPaths
        }
    }

    /// The same filter without needless levels: one-part lists opened, nested lists joined,
    /// constants folded.
    public var simplified: Filter {
        switch self {
        case .all, .test: return self
        case .not(let inner):
            // Once only: twice at each level would double the work with each level.
            let inner = inner.simplified
            if case .not(let core) = inner { return core }
            return .not(inner)
        case .and(let parts):
            var flat: [Filter] = []
            for part in parts.map(\.simplified) {
                switch part {
                case .all: continue
                case .and(let inner): flat += inner
                case .or(let inner) where inner.isEmpty: return .or([])
                default: flat.append(part)
                }
            }
            return flat.isEmpty ? .all : flat.count == 1 ? flat[0] : .and(flat)
        case .or(let parts):
            var flat: [Filter] = []
            for part in parts.map(\.simplified) {
                switch part {
                case .all: return .all
                case .or(let inner): flat += inner
                default: flat.append(part)
                }
            }
            return flat.count == 1 ? flat[0] : .or(flat)
        }
    }
}

extension Filter.Test {
    /// Whether a field's value passes this test.
    public func passes(_ value: JSONValue) -> Bool {
        switch self {
        case .equal(let other): return FieldOrder.equal(value, other)
        case .notEqual(let other): return !FieldOrder.equal(value, other)
        case .less(let other): return FieldOrder.compare(value, other).map { $0 < 0 } ?? false
        case .lessOrEqual(let other):
            return FieldOrder.compare(value, other).map { $0 <= 0 } ?? false
        case .greater(let other): return FieldOrder.compare(value, other).map { $0 > 0 } ?? false
        case .greaterOrEqual(let other):
            return FieldOrder.compare(value, other).map { $0 >= 0 } ?? false
        case .between(let low, let high):
            guard let above = FieldOrder.compare(value, low),
                let below = FieldOrder.compare(value, high)
            else { return false }
            return above >= 0 && below <= 0
        case .beginsWith(let prefix): return value.text?.hasPrefix(prefix) ?? false
        case .contains(let part): return Self.contains(value, part)
        case .notContains(let part): return !Self.contains(value, part)
        case .isIn(let list): return list.contains { FieldOrder.equal(value, $0) }
        case .isNotIn(let list): return !list.contains { FieldOrder.equal(value, $0) }
        case .containsAny(let list): return list.contains { Self.contains(value, $0) }
        case .exists(let wanted): return value.isNull != wanted
        case .hasType(let type): return type == Self.type(of: value)
        case .size(let test): return Self.size(of: value).map(test.passes) ?? false
        }
    }

    private static func contains(_ value: JSONValue, _ part: JSONValue) -> Bool {
        switch value {
        case .string(let text): part.text.map(text.contains) ?? false
        case .array(let items): items.contains { FieldOrder.equal($0, part) }
        default: false
        }
    }

    private static func type(of value: JSONValue) -> Filter.AttributeType {
        switch value {
        case .null: .null
        case .bool: .bool
        case .int, .double: .number
        case .string: .string
        case .array: .list
        case .object: .map
        }
    }

    private static func size(of value: JSONValue) -> Int64? {
        switch value {
        case .string(let text): Int64(text.byteCount)
        case .array(let items): Int64(items.count)
        case .object(let object): Int64(object.count)
        default: nil
        }
    }
}

extension Filter.SizeTest {
    /// Whether a size passes this test.
    public func passes(_ size: Int64) -> Bool {
        switch self {
        case .equal(let other): size == other
        case .notEqual(let other): size != other
        case .less(let other): size < other
        case .lessOrEqual(let other): size <= other
        case .greater(let other): size > other
        case .greaterOrEqual(let other): size >= other
        case .between(let low, let high): size >= low && size <= high
        }
    }
}
