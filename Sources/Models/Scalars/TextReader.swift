import Bytes

/// Reads a short text byte by byte: what the scalars' checks are written with.
struct TextReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: Text) { bytes = text.withBytes { Array($0) } }

    /// Whether everything is read.
    var isAtEnd: Bool { position == bytes.count }

    /// The next byte, not yet read.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Reads the byte if it comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Reads exactly `count` digits as a number.
    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<(position + count)] {
            guard isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += count
        return value
    }

    /// Reads all digits that follow, at least one and at most `limit`; gives how many.
    mutating func skipDigits(limit: Int) -> Int? {
        var count = 0
        while let byte = next, isDigit(byte) {
            count += 1
            position += 1
            if count > limit { return nil }
        }
        return count > 0 ? count : nil
    }
}

func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
}

func isHexDigit(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return isDigit(byte) || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f"))
}
