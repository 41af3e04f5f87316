import Bytes
import JSON
import Records

/// How much memory things hold, near enough for a limit. Costs a step a value.
extension Change {
    var bytesRoughly: Int {
        related.reduce(record.bytesRoughly + (previous?.bytesRoughly ?? 0)) { sum, related in
            sum + (related.record?.bytesRoughly ?? 0)
        }
    }
}

extension Record {
    var bytesRoughly: Int { values.reduce(128) { $0 + $1.bytesRoughly } }
}

extension JSONValue {
    var bytesRoughly: Int {
        switch self {
        case .null, .bool, .int, .double: 16
        case .string(let text): 32 + text.byteCount
        case .array(let items): items.reduce(32) { $0 + $1.bytesRoughly }
        case .object(let object):
            object.members.reduce(32) { $0 + $1.name.byteCount + $1.value.bytesRoughly }
        }
    }
}
