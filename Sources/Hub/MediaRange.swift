/// One media type, or range of them, as header fields name it: `application/json; q=0.9`. Lent,
/// and read as bytes: every request has two of them.
struct MediaRange {
    /// The type without its parameters and the blanks around it.
    private let type: UnsafeRawBufferPointer
    /// What stands behind the first semicolon.
    private let parameters: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
        type = UnsafeRawBufferPointer(rebasing: bytes[..<end]).withoutBlanks
        parameters = UnsafeRawBufferPointer(rebasing: bytes[end...].dropFirst())
    }

    /// Whether it is this one, which is given in lower case. Case does not matter in the field.
    func isType(_ name: StaticString) -> Bool {
        guard type.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<type.count where type[index].lowercased != name.utf8Start[index] {
            return false
        }
        return true
    }

    /// The parameter `q`: 1 if it is missing, 0 if it is no number (RFC 9110 §12.4.2).
    var quality: Double {
        for part in parameters.split(separator: UInt8(ascii: ";")) {
            let parameter = UnsafeRawBufferPointer(rebasing: part).withoutBlanks
            guard parameter.count >= 2, parameter[0].lowercased == UInt8(ascii: "q"),
                parameter[1] == UInt8(ascii: "=")
            else { continue }
            return Double(String(decoding: parameter.dropFirst(2), as: UTF8.self)) ?? 0
        }
        return 1
    }
}

extension UnsafeRawBufferPointer {
    /// Without blanks at both ends.
    fileprivate var withoutBlanks: UnsafeRawBufferPointer {
        var rest = self[...]
        while let first = rest.first, first.isBlank { rest.removeFirst() }
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return UnsafeRawBufferPointer(rebasing: rest)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    fileprivate var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
