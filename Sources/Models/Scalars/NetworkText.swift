import Bytes

/// Addresses of people and machines in the forms of the AWS scalars (AppSync contract 5).
enum NetworkText {
    /// `local@domain` as RFC 822 has it in practice: dotted words on both sides, no quoting.
    static func isEmail(_ text: Text) -> Bool {
        let bytes = text.withBytes { Array($0) }
        guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else {
            return false
        }
        let local = bytes[..<at]
        guard local.count <= 64, isDotted(local, part: { $0.allSatisfy(isLocalByte) }) else {
            return false
        }
        return isDotted(bytes[(at + 1)...], part: isHostLabel)
    }

    /// A scheme, a colon and something behind it without spaces and control characters
    /// (RFC 1738 §2.1; the host may be anything and the path need not begin with `//`).
    static func isURL(_ text: Text) -> Bool {
        let bytes = text.withBytes { Array($0) }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
            isLetter(first), colon + 1 < bytes.count
        else { return false }
        let isScheme = bytes[..<colon].allSatisfy {
            isLetter($0) || isDigit($0) || "+-.".utf8.contains($0)
        }
        return isScheme && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"<>\"".utf8.contains($0) }
    }

    /// Digits with spaces and hyphens between them: `+` and a country code before 4 to 15 digits,
    /// or 10 digits (11 with the leading 1) as North America numbers them, with an area code
    /// in parentheses if wished.
    static func isPhone(_ text: Text) -> Bool {
        var digits: [UInt8] = []
        var isInternational = false
        var openParentheses = 0
        for (index, byte) in text.withBytes({ Array($0) }).enumerated() {
            switch byte {
            case UInt8(ascii: "+") where index == 0: isInternational = true
            case UInt8(ascii: "("): openParentheses += 1
            case UInt8(ascii: ")"): openParentheses -= 1
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."): break
            default:
                guard isDigit(byte) else { return false }
                digits.append(byte)
            }
            if openParentheses < 0 || openParentheses > 1 { return false }
        }
        guard openParentheses == 0, let first = digits.first else { return false }
        if isInternational { return (5...15).contains(digits.count) && first != UInt8(ascii: "0") }
        return digits.count == 10 || (digits.count == 11 && first == UInt8(ascii: "1"))
    }

    /// An address of version 4 or 6, with an optional `/` and length of the network's prefix.
    static func isIPAddress(_ text: Text) -> Bool {
        let parts = text.withBytes { Array($0) }.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let address = parts.first, parts.count <= 2 else { return false }
        let prefixMax: Int
        if isIPv4(address) {
            prefixMax = 32
        } else if isIPv6(address) {
            prefixMax = 128
        } else {
            return false
        }
        return parts.count == 1 || decimal(parts[1], max: prefixMax) != nil
    }

    private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { decimal($0, max: 255) != nil }
    }

    /// RFC 4291 §2.2: eight groups, one run of zeros written `::`, the last 32 bits also as
    /// version 4.
    private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        var halves: [ArraySlice<UInt8>] = [bytes]
        for index in bytes.indices.dropLast() where bytes[index] == colon {
            guard bytes[index + 1] == colon else { continue }
            halves = [bytes[..<index], bytes[(index + 2)...]]
            break
        }
        var groups = 0
        for (place, half) in halves.enumerated() where !half.isEmpty {
            let isLastHalf = place == halves.count - 1
            guard let count = ipv6Groups(half, mayEndInIPv4: isLastHalf) else { return false }
            groups += count
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }

    private static func ipv6Groups(_ half: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
        let parts = half.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups = 0
        for (index, part) in parts.enumerated() {
            if (1...4).contains(part.count) && part.allSatisfy(isHexDigit) {
                groups += 1
            } else if mayEndInIPv4 && index == parts.count - 1 && isIPv4(part) {
                groups += 2
            } else {
                return nil
            }
        }
        return groups
    }

    private static func decimal(_ digits: ArraySlice<UInt8>, max: Int) -> Int? {
        guard (1...3).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
        if digits.count > 1 && digits.first == UInt8(ascii: "0") { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value <= max ? value : nil
    }

    private static func isDotted(
        _ bytes: ArraySlice<UInt8>, part: (ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && part($0) }
    }

    private static func isLocalByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte >= 0x80 || "!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }

    private static func isHostLabel(_ label: ArraySlice<UInt8>) -> Bool {
        label.count <= 63 && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy {
                isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 >= 0x80
            }
    }
}
