/// The grammar of a chunk's extensions:
/// `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 §7.1.1).
///
/// Nobody uses them but those who look for two recipients that read them differently, so they
/// are checked to the letter before they are dropped.
struct ChunkExtensions {
    private var rest: Slice<UnsafeRawBufferPointer>

    /// Whether the bytes behind a chunk's size are extensions, or nothing.
    static func areValid(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        var reader = ChunkExtensions(rest: bytes)
        while !reader.rest.isEmpty {
            guard reader.skipsMark(UInt8(ascii: ";")), reader.skipsToken() else { return false }
            if reader.skipsMark(UInt8(ascii: "=")) {
                guard reader.skipsToken() || reader.skipsQuoted() else { return false }
            }
        }
        return true
    }

    /// Passes over a mark with the blanks around it; without the mark nothing is passed over.
    private mutating func skipsMark(_ mark: UInt8) -> Bool {
        let behind = rest.drop(while: ASCII.isBlank)
        guard behind.first == mark else { return false }
        rest = behind.dropFirst().drop(while: ASCII.isBlank)
        return true
    }

    private mutating func skipsToken() -> Bool {
        let token = rest.prefix { ASCII.isTokenByte($0) }
        rest = rest[token.endIndex...]
        return !token.isEmpty
    }

    private mutating func skipsQuoted() -> Bool {
        guard rest.first == UInt8(ascii: "\"") else { return false }
        var index = rest.startIndex + 1
        while index < rest.endIndex {
            switch rest[index] {
            case UInt8(ascii: "\""):
                rest = rest[(index + 1)...]
                return true
            // What is escaped is one byte, whichever: control characters are refused before.
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return false
    }
}
