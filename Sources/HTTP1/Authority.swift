public import Bytes

/// Host and port as a Host field or an absolute target names them (RFC 9110 §7.2), made equal
/// where they mean the same.
///
/// For the hub, which compares it with what its operator allows and with a page's `WebOrigin`.
public struct Authority: Sendable, Hashable {
    /// The name or address in lower case, without a root's dot at the end; an IPv6 address in its
    /// brackets.
    public let host: Text
    /// The port; nil if none is named.
    public let port: UInt16?

    /// Reads `host[:port]`; nil if the text is not that, or has no host.
    public init?(_ text: Text) {
        let parsed = text.withBytes { bytes -> (Text, UInt16?)? in
            guard let parts = HostRule.parts(of: bytes[...]) else { return nil }
            var host = bytes[parts.host].map(ASCII.lowercased)
            if host.last == UInt8(ascii: "."), host.count > 1 { host.removeLast() }
            return (host.withUnsafeBytes { Text(utf8: $0) }, parts.port)
        }
        guard let parsed else { return nil }
        (host, port) = parsed
    }

    /// Whether the host is an address. An address cannot be made to lead elsewhere, as a name can
    /// by whoever owns it.
    public var isAddress: Bool {
        if host.hasPrefix("[") { return true }
        let parts = host.string.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(ASCII.isDigit)
                    && part.reduce(0) { $0 * 10 + Int($1 - 48) } <= 255
            }
    }

    /// Whether the host is a name that every system resolves to itself: `localhost` or one
    /// below it (RFC 6761 §6.3).
    public var isLocalName: Bool { host == "localhost" || host.string.hasSuffix(".localhost") }
}
