import Bytes
import JSON
import Records

/// The `nextToken` of a page: where it ended, bound to the query that it belongs to.
///
/// Base64url of one version byte, the query's hash and a checksum (8 bytes each, network order),
/// then JSON `[sequence, sort values…]`. A token is no permission: it names a place in an order,
/// and every record behind that place passes the same filters as without it.
enum PageToken {
    /// Why a token is refused; always the caller's fault.
    enum Fault: Error, Hashable {
        /// Not one of our tokens, or a damaged one.
        case unreadable
        /// A token of another query.
        case otherQuery

        /// The sentence for the caller, who sees no part of the token in it.
        var message: String {
            switch self {
            case .unreadable:
                "nextToken is not a token of this API; leave it out to read from the start"
            case .otherQuery:
                "nextToken belongs to a query with other arguments; "
                    + "use it with the arguments that it came from"
            }
        }
    }

    /// Longer tokens are not even looked at: sort values are the fields of one record.
    static let bytesMax = 65_536

    private static let version: UInt8 = 1
    private static let headCount = 17

    /// The token for the page that ends at `cursor`.
    static func encode(_ cursor: RecordQuery.Cursor, binding: UInt64) -> Text {
        let body = JSONValue.array([.int(cursor.sequence)] + cursor.sort).jsonBytes
        var bytes = ByteQueue()
        bytes.append(version)
        bytes.append(bigEndian: binding)
        bytes.append(bigEndian: checksum(body, binding: binding))
        bytes.append(body)
        return Text(String(decoding: Base64.encode(bytes.array, as: .urlSafe), as: UTF8.self))
    }

    /// The place that a token names; `sortCount` is how many sort values the query's order has.
    static func decode(
        _ token: Text, binding: UInt64, sortCount: Int
    ) throws(Fault) -> RecordQuery.Cursor {
        guard token.byteCount <= bytesMax,
            let bytes = token.withBytes({ Base64.decode($0) }),
            bytes.count > headCount, bytes[0] == version
        else { throw .unreadable }
        let body = bytes[headCount...]
        let bound = number(bytes[1..<9])
        guard number(bytes[9..<17]) == checksum(body, binding: bound) else { throw .unreadable }
        guard bound == binding else { throw .otherQuery }
        let text = String(decoding: body, as: UTF8.self)
        // Why a body with the right checksum does not parse is of no use to the caller.
        guard let items = (try? JSONValue(parsing: text))?.items,
            let sequence = items.first?.integer, items.count == sortCount + 1
        else { throw .unreadable }
        return RecordQuery.Cursor(sort: Array(items.dropFirst()), sequence: sequence)
    }

    private static func checksum(_ body: some Collection<UInt8>, binding: UInt64) -> UInt64 {
        var hash = StableHash()
        hash.combine(Int(truncatingIfNeeded: binding))
        hash.combine(body)
        return hash.value
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
