/// Where the parts of a request target stand (RFC 9112 §3.2, RFC 3986 §3).
struct TargetParts: Sendable, Hashable {
    /// Host and port; only absolute targets have them.
    var authority: Range<Int>?
    /// The path; empty where an absolute target has none.
    var path: Range<Int>
    /// What stands behind the question mark.
    var query: Range<Int>?

    /// Takes a target apart: `/path?query`, `http://host/path?query` or `*` for OPTIONS.
    ///
    /// - Parameter range: where it stands in `bytes`; it has at least one byte.
    init(
        parsing range: Range<Int>, in bytes: UnsafeRawBufferPointer, isOptions: Bool
    ) throws(HTTPError) {
        for index in range {
            // Visible ASCII only; a fragment never travels (RFC 9110 §7.1).
            guard bytes[index] > 0x20, bytes[index] < 0x7f, bytes[index] != UInt8(ascii: "#") else {
                throw .malformedTarget
            }
        }
        var pathStart = range.lowerBound
        if bytes[pathStart] == UInt8(ascii: "*") {
            guard isOptions && range.count == 1 else { throw .malformedTarget }
        } else if bytes[pathStart] != UInt8(ascii: "/") {
            let authority = try Self.authority(of: range, in: bytes)
            self.authority = authority
            pathStart = authority.upperBound
        }
        let mark = bytes[pathStart..<range.upperBound].firstIndex(of: UInt8(ascii: "?"))
        path = pathStart..<(mark ?? range.upperBound)
        query = mark.map { ($0 + 1)..<range.upperBound }
    }

    /// The authority of an absolute target with a scheme that we can be asked by.
    private static func authority(
        of range: Range<Int>, in bytes: UnsafeRawBufferPointer
    ) throws(HTTPError) -> Range<Int> {
        for scheme: StaticString in ["http://", "https://", "ws://", "wss://"] {
            let start = range.lowerBound + scheme.utf8CodeUnitCount
            guard start < range.upperBound,
                ASCII.equals(bytes[range.lowerBound..<start], scheme)
            else { continue }
            let rest = bytes[start..<range.upperBound]
            let end =
                rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
                ?? range.upperBound
            guard HostRule.parts(of: bytes[start..<end]) != nil else { throw .malformedTarget }
            return start..<end
        }
        throw .malformedTarget
    }
}
