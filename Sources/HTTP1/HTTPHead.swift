public import Bytes

/// The head of a request or response: its start line and fields.
///
/// The floor's common form of a head: `HTTPReader` makes it, the hub and the WebSocket
/// handshake ask it. It owns its bytes in one array; a field is two ranges of it. Names are
/// compared without case and look-ups by literal allocate nothing but the text they return.
public struct HTTPHead: Sendable {
    struct Field: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    enum StartLine: Sendable {
        case request(method: Range<Int>, target: Range<Int>, parts: TargetParts)
        case response(status: Int, reason: Range<Int>)
    }

    let bytes: [UInt8]
    let startLine: StartLine
    let fields: [Field]
    /// The digit behind the dot of the version: 0 for HTTP/1.0, 1 for HTTP/1.1.
    public let minorVersion: Int

    /// How many field lines there are.
    public var fieldCount: Int { fields.count }

    // MARK: Start line

    /// A request's method; empty for a response.
    public var method: Text {
        if case .request(let method, _, _) = startLine { text(method) } else { "" }
    }

    /// Whether it is a request of that method. Methods have case (RFC 9110 §9.1).
    public func isMethod(_ method: StaticString) -> Bool {
        guard case .request(let range, _, _) = startLine else { return false }
        return ASCII.equalsExactly(bytes[range], method)
    }

    /// A request's target as it was sent; empty for a response.
    public var target: Text {
        if case .request(_, let target, _) = startLine { text(target) } else { "" }
    }

    /// The target's path, still percent-encoded. `/` where an absolute target has none, `*` for
    /// the server as a whole.
    public var path: Text {
        guard case .request(_, _, let parts) = startLine else { return "" }
        return parts.path.isEmpty ? "/" : text(parts.path)
    }

    /// What stands behind the target's question mark, still percent-encoded; empty if nothing.
    public var query: Text {
        guard case .request(_, _, let parts) = startLine, let query = parts.query else { return "" }
        return text(query)
    }

    /// The members of the target's query, decoded, or nil for broken percent-encoding or UTF-8.
    ///
    /// - Parameter plusIsSpace: true for forms as browsers send them, false for plain URIs.
    public func queryItems(plusIsSpace: Bool = true) -> [QueryItem]? {
        guard case .request(_, _, let parts) = startLine, let query = parts.query else { return [] }
        return bytes[query].withUnsafeBytes { QueryItem.items(of: $0, plusIsSpace: plusIsSpace) }
    }

    /// Host and port the request is for: from an absolute target, which wins over the Host field
    /// (RFC 9112 §3.2.2), or else from that field. Empty if there is none.
    public var host: Text {
        if case .request(_, _, let parts) = startLine, let authority = parts.authority {
            return text(authority)
        }
        return value(of: "Host") ?? ""
    }

    /// A response's status code; 0 for a request.
    public var status: Int {
        if case .response(let status, _) = startLine { status } else { 0 }
    }

    // MARK: Fields

    /// The value of the first field of that name, without blanks around it, or nil.
    ///
    /// Bytes that are not UTF-8 become U+FFFD.
    public func value(of name: StaticString) -> Text? {
        firstField(name).map { text($0.value) }
    }

    /// Lends the value of the first field of that name as it was sent.
    public func withValue<R>(
        of name: StaticString, _ body: (UnsafeRawBufferPointer) -> R
    ) -> R? {
        guard let field = firstField(name) else { return nil }
        return bytes[field.value].withUnsafeBytes(body)
    }

    /// The values of all fields of that name, in order.
    public func values(of name: StaticString) -> [Text] {
        fields.filter { hasName($0, name) }.map { text($0.value) }
    }

    /// How many lines have that name.
    public func count(of name: StaticString) -> Int {
        var count = 0
        for field in fields where hasName(field, name) { count += 1 }
        return count
    }

    /// Whether a comma-separated list, over all lines of that name, has the member; case does
    /// not matter. For `Connection: keep-alive, Upgrade` and its like (RFC 9110 §5.6.1).
    public func contains(_ token: StaticString, in name: StaticString) -> Bool {
        var isFound = false
        forEachMember(of: name) { member in
            if ASCII.equals(member, token) { isFound = true }
        }
        return isFound
    }

    /// The members of a comma-separated list, over all lines of that name. Empty ones are left
    /// out (RFC 9110 §5.6.1.2). Quoted commas are not looked for.
    public func members(of name: StaticString) -> [Text] {
        var members: [Text] = []
        forEachMember(of: name) { members.append(Text(utf8: $0)) }
        return members
    }

    /// Lends the members of a comma-separated list one after the other, as `members` has them.
    public func forEachMember(of name: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for field in fields where hasName(field, name) {
                var start = field.value.lowerBound
                for index in field.value.lowerBound...field.value.upperBound {
                    guard index == field.value.upperBound || bytes[index] == UInt8(ascii: ",")
                    else { continue }
                    let member = ASCII.trimmed(start..<index) { bytes[$0] }
                    if !member.isEmpty { body(UnsafeRawBufferPointer(rebasing: bytes[member])) }
                    start = index + 1
                }
            }
        }
    }

    /// Calls `body` with name and value of each field line, in order.
    public func forEachField(_ body: (Text, Text) -> Void) {
        for field in fields { body(text(field.name), text(field.value)) }
    }

    // MARK: What the fields mean

    /// Whether the connection goes on after this message and its answer (RFC 9112 §9.3).
    public var keepsConnection: Bool {
        if contains("close", in: "Connection") { return false }
        return minorVersion >= 1 || contains("keep-alive", in: "Connection")
    }

    /// Bytes of a request's body as the head announces them: 0 if there is none, nil if its
    /// chunks will tell (RFC 9112 §6.3). Of a head that an `HTTPReader` gave out.
    public var bodyBytes: Int? {
        if count(of: "Transfer-Encoding") > 0 { return nil }
        return withValue(of: "Content-Length", BodyFraming.number) ?? 0
    }

    // MARK: Private help

    private func text(_ range: Range<Int>) -> Text {
        bytes.withUnsafeBytes { Text(utf8: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func hasName(_ field: Field, _ name: StaticString) -> Bool {
        // The length first, and no slice of the array: that costs a reference count.
        field.name.count == name.utf8CodeUnitCount
            && bytes.withUnsafeBytes {
                ASCII.equals(UnsafeRawBufferPointer(rebasing: $0[field.name]), name)
            }
    }

    private func firstField(_ name: StaticString) -> Field? {
        for field in fields where hasName(field, name) { return field }
        return nil
    }
}
