/// Reads a head line by line while it arrives, so that a bad one is refused at its first bad
/// byte and no byte is looked at twice.
struct HeadParser {
    /// Empty lines before a start line that are passed over (RFC 9112 §2.2).
    static let emptyLinesMax = 4

    private var startLine: HTTPHead.StartLine?
    private var minorVersion = 0
    private var fields: [HTTPHead.Field] = []
    private var lineStart = 0
    private var scanned = 0
    private var emptyLines = 0

    /// Goes on reading at the start of `bytes`, which hold all of the head that is there.
    ///
    /// - Returns: the head and its length, or nil if it is not whole yet.
    mutating func advance(
        _ bytes: UnsafeRawBufferPointer, role: HTTPRole, limits: HTTPLimits
    ) throws(HTTPError) -> (head: HTTPHead, byteCount: Int)? {
        while true {
            // The window ends at the limit, whatever has arrived: the same bytes are refused
            // for the same reason however they are cut.
            let limit = windowEnd(limits)
            let window = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, limit)])
            let found = try LineScan.end(in: window, from: scanned, lineStart: lineStart)
            guard let lineEnd = found else {
                scanned = window.count
                if window.count == limit { throw overflow(limits) }
                return nil
            }
            let line = lineStart..<lineEnd
            (lineStart, scanned) = (lineEnd + 2, lineEnd + 2)
            guard let startLine else {
                try readStartLine(line, bytes, role: role, limits: limits)
                continue
            }
            if line.isEmpty {
                let head = HTTPHead(
                    bytes: Array(bytes[..<lineStart]), startLine: startLine, fields: fields,
                    minorVersion: minorVersion)
                return (head, lineStart)
            } else {
                guard fields.count < limits.fieldCountMax else {
                    throw .tooManyFields(limit: limits.fieldCountMax)
                }
                if fields.isEmpty { fields.reserveCapacity(16) }
                fields.append(try Self.field(line, bytes))
            }
        }
    }

    /// Offset behind the last byte that the line being read may have.
    private func windowEnd(_ limits: HTTPLimits) -> Int {
        guard startLine == nil else { return limits.headBytesMax }
        // Method, two spaces, version and line end beside the target.
        return min(limits.headBytesMax, lineStart + limits.targetBytesMax + 64)
    }

    private func overflow(_ limits: HTTPLimits) -> HTTPError {
        startLine == nil
            ? .targetTooLong(limit: limits.targetBytesMax)
            : .headTooLarge(limit: limits.headBytesMax)
    }

    private mutating func readStartLine(
        _ line: Range<Int>, _ bytes: UnsafeRawBufferPointer, role: HTTPRole, limits: HTTPLimits
    ) throws(HTTPError) {
        if line.isEmpty {
            emptyLines += 1
            guard emptyLines <= Self.emptyLinesMax else { throw .malformedStartLine }
            return
        }
        switch role {
        case .server: try readRequestLine(line, bytes, limits)
        case .client: try readStatusLine(line, bytes)
        }
    }

    /// `method SP request-target SP HTTP-version` (RFC 9112 §3), with exactly these two spaces.
    private mutating func readRequestLine(
        _ line: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ limits: HTTPLimits
    ) throws(HTTPError) {
        let text = bytes[line]
        guard let first = text.firstIndex(of: ASCII.space), ASCII.isToken(text[..<first]),
            let last = text.lastIndex(of: ASCII.space), last > first + 1
        else { throw .malformedStartLine }
        let target = (first + 1)..<last
        try readVersion((last + 1)..<line.upperBound, bytes)
        guard target.count <= limits.targetBytesMax else {
            throw .targetTooLong(limit: limits.targetBytesMax)
        }
        if ASCII.equalsExactly(text[..<first], "CONNECT") { throw .unsupportedMethod }
        let parts = try TargetParts(
            parsing: target, in: bytes,
            isOptions: ASCII.equalsExactly(text[..<first], "OPTIONS"))
        startLine = .request(method: line.lowerBound..<first, target: target, parts: parts)
    }

    /// `HTTP-version SP status-code SP [reason]` (RFC 9112 §4). The second space may be missing
    /// where there is no reason: some servers forget it and nothing hangs on it.
    private mutating func readStatusLine(
        _ line: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) throws(HTTPError) {
        let codeStart = line.lowerBound + 9
        let codeEnd = codeStart + 3
        guard line.upperBound >= codeEnd, bytes[codeStart - 1] == ASCII.space,
            bytes[codeStart..<codeEnd].allSatisfy(ASCII.isDigit),
            line.upperBound == codeEnd || bytes[codeEnd] == ASCII.space
        else { throw .malformedStartLine }
        try readVersion(line.lowerBound..<(codeStart - 1), bytes)
        let status = bytes[codeStart..<codeEnd].reduce(0) { $0 * 10 + Int($1 - 48) }
        guard (100...599).contains(status) else { throw .malformedStartLine }
        startLine = .response(
            status: status, reason: min(codeEnd + 1, line.upperBound)..<line.upperBound)
    }

    /// `HTTP/1.x`. A higher minor version than ours is read as ours (RFC 9110 §2.5).
    private mutating func readVersion(
        _ range: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) throws(HTTPError) {
        let start = range.lowerBound
        guard range.count == 8, ASCII.equalsExactly(bytes[start..<(start + 5)], "HTTP/"),
            ASCII.isDigit(bytes[start + 5]), bytes[start + 6] == UInt8(ascii: "."),
            ASCII.isDigit(bytes[start + 7])
        else { throw .malformedStartLine }
        guard bytes[start + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        minorVersion = bytes[start + 7] == UInt8(ascii: "0") ? 0 : 1
    }

    /// `name ":" OWS value OWS` (RFC 9112 §5). No blank before the colon (§5.1), no folding.
    static func field(
        _ line: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) throws(HTTPError) -> HTTPHead.Field {
        if ASCII.isBlank(bytes[line.lowerBound]) { throw .foldedField }
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")),
            ASCII.isToken(bytes[line.lowerBound..<colon])
        else { throw .malformedField }
        let value = ASCII.trimmed((colon + 1)..<line.upperBound) { bytes[$0] }
        return HTTPHead.Field(name: line.lowerBound..<colon, value: value)
    }
}
