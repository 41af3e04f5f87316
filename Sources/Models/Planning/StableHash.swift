import Bytes
import JSON
import Records

/// A 64-bit hash that is the same in every process (FNV-1a), unlike Swift's `Hasher`: what a page
/// token carries must still fit after a restart. Not for secrets.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    mutating func combine(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { for byte in $0 { combine(byte) } }
    }

    mutating func combine(_ bytes: some Collection<UInt8>) {
        combine(bytes.count)
        for byte in bytes { combine(byte) }
    }

    mutating func combine(_ text: Text) { text.withBytes { combine($0) } }

    mutating func combine(_ value: JSONValue) { combine(value.jsonBytes) }

    mutating func combine(_ values: [JSONValue]) {
        combine(values.count)
        for value in values { combine(value) }
    }
}

extension StableHash {
    /// What binds a page token to its query: everything but the page's size and place.
    static func binding(of query: RecordQuery, in layout: DataLayout) -> UInt64 {
        var hash = StableHash()
        let model = layout.models[query.model]
        hash.combine(model.name)
        switch query.source {
        case .all: hash.combine(0 as UInt8)
        case .key(let value):
            hash.combine(1 as UInt8)
            hash.combine(value)
        case .index(let index, let values):
            hash.combine(2 as UInt8)
            hash.combine(model.indexes[index].name)
            hash.combine(values)
        }
        hash.combine(query.isDescending ? 1 : 0)
        if let sort = query.sort {
            hash.combine(sort.equal)
            if let test = sort.test { hash.combine(test) }
        }
        hash.combine(query.filter)
        return hash.value
    }

    private mutating func combine(_ filter: Filter) {
        switch filter {
        case .all: combine(10 as UInt8)
        case .test(let path, let test):
            combine(11 as UInt8)
            combine(path.relations.count)
            for step in path.relations { combine(step) }
            combine(path.slot)
            combine(test)
        case .and(let parts), .or(let parts):
            if case .and = filter { combine(12 as UInt8) } else { combine(13 as UInt8) }
            combine(parts.count)
            for part in parts { combine(part) }
        case .not(let inner):
            combine(14 as UInt8)
            combine(inner)
        }
    }

    private mutating func combine(_ test: Filter.Test) {
        let (tag, operands): (UInt8, [JSONValue]) =
            switch test {
            case .equal(let value): (20, [value])
            case .notEqual(let value): (21, [value])
            case .less(let value): (22, [value])
            case .lessOrEqual(let value): (23, [value])
            case .greater(let value): (24, [value])
            case .greaterOrEqual(let value): (25, [value])
            case .between(let low, let high): (26, [low, high])
            case .beginsWith(let prefix): (27, [.string(prefix)])
            case .contains(let value): (28, [value])
            case .notContains(let value): (29, [value])
            case .isIn(let values): (30, values)
            case .isNotIn(let values): (31, values)
            case .containsAny(let values): (32, values)
            case .exists(let wanted): (33, [.bool(wanted)])
            case .hasType(let type): (34, [.string(Text(type.rawValue))])
            case .size(let test): Self.parts(of: test)
            }
        combine(tag)
        combine(operands)
    }

    private static func parts(of test: Filter.SizeTest) -> (UInt8, [JSONValue]) {
        switch test {
        case .equal(let size): (40, [.int(size)])
        case .notEqual(let size): (41, [.int(size)])
        case .less(let size): (42, [.int(size)])
        case .lessOrEqual(let size): (43, [.int(size)])
        case .greater(let size): (44, [.int(size)])
        case .greaterOrEqual(let size): (45, [.int(size)])
        case .between(let low, let high): (46, [.int(low), .int(high)])
        }
    }
}
