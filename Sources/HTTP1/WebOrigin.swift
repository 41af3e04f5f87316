public import Bytes

/// Where a web page comes from, as its browser says in the field Origin: scheme, host and port
/// (RFC 6454 §6), made equal where they mean the same.
///
/// For the hub, which compares it with what its operator allows.
public struct WebOrigin: Sendable, Hashable {
    /// The longest text that is read; far beyond what a host may have.
    public static let bytesMax = 512

    /// In lower case.
    public let scheme: Text
    /// In lower case; an IPv6 address in its brackets.
    public let host: Text
    /// The port, also where it is the scheme's own and was left out; nil if the scheme has none.
    public let port: UInt16?

    /// Reads `scheme://host[:port]` without a path; nil if the text is not that. `null` is not.
    public init?(_ text: Text) {
        guard text.byteCount <= Self.bytesMax, let mark = text.string.firstRange(of: "://")
        else { return nil }
        let scheme = text.string[..<mark.lowerBound].utf8
        guard let first = scheme.first, ASCII.isLetter(first),
            scheme.allSatisfy(Self.isSchemeByte),
            let authority = Authority(Text(String(text.string[mark.upperBound...])))
        else { return nil }
        self.scheme = Text(String(decoding: scheme.map(ASCII.lowercased), as: UTF8.self))
        host = authority.host
        port = authority.port ?? Self.defaultPort(of: self.scheme)
    }

    /// Whether a request to that host came from a page of the same host and port, or from a
    /// client that is no browser and names as its origin where it connects to: several WebSocket
    /// clients do, with the scheme `http` or `ws`. The scheme is not compared, because a hub
    /// behind a proxy cannot know by which one it was reached.
    public func isSame(as authority: Authority) -> Bool {
        guard let standard = Self.defaultPort(of: scheme) else { return false }
        return host == authority.host && port == authority.port ?? standard
    }

    private static func defaultPort(of scheme: Text) -> UInt16? {
        switch scheme {
        case "http", "ws": 80
        case "https", "wss": 443
        default: nil
        }
    }

    /// `scheme` of RFC 3986 §3.1 behind its first letter.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}

extension WebOrigin: CustomStringConvertible {
    /// As a browser writes it.
    public var description: String {
        let isDefault = port == Self.defaultPort(of: scheme)
        return "\(scheme)://\(host)" + (isDefault ? "" : port.map { ":\($0)" } ?? "")
    }
}
