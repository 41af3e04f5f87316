public import Bytes

/// Where a hub is: the parts of its URL.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// Host name or address, without the brackets of an IPv6 address.
    public var host: Text
    /// The TCP port.
    public var port: UInt16
    /// Path and query for the request line; begins with a slash.
    public var target: Text
    /// Whether the connection is to be encrypted.
    public var isSecure: Bool

    /// An endpoint from its parts.
    public init(host: Text, port: UInt16, target: Text = "/graphql", isSecure: Bool = false) {
        self.host = host
        self.port = port
        self.target = target
        self.isSecure = isSecure
    }

    /// The endpoint of a `ws`, `wss`, `http` or `https` URL. Without a path it is `/graphql`.
    ///
    /// - Throws: what is wrong with the URL: the caller's fault.
    public init(_ url: Text) throws(EndpointError) {
        let schemes: [(prefix: String, isSecure: Bool)] = [
            ("ws://", false), ("http://", false), ("wss://", true), ("https://", true),
        ]
        let whole = url.string
        let start = whole.prefix(8).lowercased()
        guard let scheme = schemes.first(where: { start.hasPrefix($0.prefix) }) else {
            throw .unknownScheme
        }
        isSecure = scheme.isSecure
        let rest = whole.dropFirst(scheme.prefix.count).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest[authority.endIndex...]
        guard !authority.contains("@") else { throw .hasUserInfo }
        let (host, port) = try Self.hostAndPort(authority)
        self.host = Text(String(host))
        self.port = port ?? (isSecure ? 443 : 80)
        switch tail.first {
        case nil: target = "/graphql"
        case "?": target = Text("/graphql" + tail)
        default: target = Text(tail == "/" ? "/graphql" : String(tail))
        }
    }

    /// Splits `host:port` and `[address]:port`.
    private static func hostAndPort(
        _ authority: Substring
    ) throws(EndpointError) -> (Substring, UInt16?) {
        var host = authority
        var port: Substring?
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw .badHost }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { throw .badHost }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty else { throw .badHost }
        guard let port, !port.isEmpty else { return (host, nil) }
        guard let number = UInt16(port), number > 0,
            port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw .badPort
        }
        return (host, number)
    }

    /// The value for the Host field; the scheme's own port is left out.
    public var authority: Text {
        let host = host.string.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host.string
        return port == (isSecure ? 443 : 80) ? Text(host) : Text("\(host):\(port)")
    }

    /// The URL, with the WebSocket scheme.
    public var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(target)" }
}

/// Why a text is not the URL of a hub.
public enum EndpointError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Not `ws`, `wss`, `http` or `https`.
    case unknownScheme
    /// A user name before the host; credentials are given as headers.
    case hasUserInfo
    /// No host, or brackets that do not close.
    case badHost
    /// A port that is no number from 1 to 65535.
    case badPort

    /// A sentence without the URL itself, which may hold secrets.
    public var description: String {
        switch self {
        case .unknownScheme: "the URL does not begin with ws://, wss://, http:// or https://"
        case .hasUserInfo: "the URL has a user name before the host (give credentials as headers)"
        case .badHost: "the URL has no host (ws://host:port/graphql)"
        case .badPort: "the URL's port is no number from 1 to 65535"
        }
    }
}
