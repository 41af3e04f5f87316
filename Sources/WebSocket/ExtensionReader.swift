/// Takes one line of Sec-WebSocket-Extensions apart (RFC 6455 §9.1):
///
///     1#( token *( ";" token [ "=" ( token | quoted-string ) ] ) )
///
/// One pass from left to right: the time is linear whatever stands there.
struct ExtensionReader {
    /// What does not follow the grammar.
    struct Malformed: Error {}

    /// A part of the line.
    enum Part {
        /// An extension begins.
        case name(UnsafeRawBufferPointer)
        /// A parameter of the last named extension.
        case parameter(UnsafeRawBufferPointer, value: [UInt8]?)
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var isInExtension = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next part, or nil at the end of the line.
    mutating func next() throws(Malformed) -> Part? {
        skipBlanks()
        if isInExtension {
            if skip(";") { return try parameter() }
            guard position < bytes.count else { return nil }
            guard skip(",") else { throw Malformed() }
            isInExtension = false
            skipBlanks()
        }
        // Lists may have empty members (RFC 9110 §5.6.1.2).
        while skip(",") { skipBlanks() }
        guard position < bytes.count else { return nil }
        isInExtension = true
        return .name(try token())
    }

    private mutating func parameter() throws(Malformed) -> Part {
        skipBlanks()
        let name = try token()
        skipBlanks()
        guard skip("=") else { return .parameter(name, value: nil) }
        skipBlanks()
        if skip("\"") { return .parameter(name, value: try quoted()) }
        return .parameter(name, value: Array(try token()))
    }

    private mutating func token() throws(Malformed) -> UnsafeRawBufferPointer {
        let start = position
        while position < bytes.count && Self.isTokenByte(bytes[position]) { position += 1 }
        guard position > start else { throw Malformed() }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// The value of a quoted string, which "MUST conform to the 'token' ABNF" (§9.1).
    private mutating func quoted() throws(Malformed) -> [UInt8] {
        var value: [UInt8] = []
        while !skip("\"") {
            _ = skip("\\")
            guard position < bytes.count, Self.isTokenByte(bytes[position]) else {
                throw Malformed()
            }
            value.append(bytes[position])
            position += 1
        }
        guard !value.isEmpty else { throw Malformed() }
        return value
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
            position += 1
        }
    }

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    /// `tchar` of RFC 9110 §5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        // ^ _ ` and the small letters stand side by side.
        case UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "#")...UInt8(ascii: "'"): true
        case UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
        case UInt8(ascii: "."), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
