public import Bytes
public import JSON

/// What the hub answers to a WebSocket upgrade request.
public struct SubprotocolChoice: Sendable, Hashable {
    /// Credentials of AppSync's kind in the upgrade request, other than its header fields.
    public enum Credentials: Sendable, Hashable {
        /// There were none; header fields or `connection_init` may have them.
        case none
        /// The authorization object, with the members of AppSync contract 1.2.
        case object(JSONObject)
        /// Something that is not base64 of a JSON object. The upgrade should be completed and
        /// `Violation.initMalformed` reported: native clients cannot read a refused upgrade.
        case malformed
    }

    /// The dialect to speak. Without a common subprotocol: the one whose reaction to
    /// `Violation.subprotocolNotAcceptable` fits the client best.
    public var dialect: Dialect
    /// The value for `Sec-WebSocket-Protocol`; nil if none of the offered ones is spoken. Then
    /// the field is left out, and the connection is closed right after the upgrade.
    public var subprotocol: StaticText?
    /// Credentials in the query or in a `header-…` subprotocol.
    public var credentials: Credentials
}

extension Dialect {
    /// Chooses the dialect of a connection from its upgrade request.
    ///
    /// `graphql-transport-ws` is preferred whenever it is listed; else `graphql-ws`, which is
    /// AppSync's variant if the path ends in `/realtime`, if the query has `header` or `payload`,
    /// if a subprotocol `header-…` is listed or if the request has one of AWS's fields. The rest
    /// begins as legacy; see `following(_:)`.
    ///
    /// - Parameters:
    ///   - offered: the values of all `Sec-WebSocket-Protocol` fields, in order; each may be a
    ///     comma-separated list.
    ///   - path: the request target's path, without the query.
    ///   - query: what stands behind the `?`, still percent-encoded.
    ///   - hasAmazonFields: whether the request has a field `x-amz-date` or `x-amz-user-agent`.
    public static func choose(
        offered: [String], path: String, query: String = "", hasAmazonFields: Bool = false
    ) -> SubprotocolChoice {
        let names = offered.flatMap { list in
            list.utf8.split(separator: UInt8(ascii: ",")).map { trimmed($0) }
        }
        // The names are case-sensitive.
        if names.contains("graphql-transport-ws") {
            return SubprotocolChoice(
                dialect: .transportWS, subprotocol: "graphql-transport-ws", credentials: .none)
        }
        let encodedHeader = names.first { $0.utf8.starts(with: "header-".utf8) }
        let header = parameter("header", of: query)
        let payload = parameter("payload", of: query)
        let isAppSync =
            isRealtime(path) || encodedHeader != nil || header != nil || payload != nil
            || hasAmazonFields
        let isLegacy = names.contains("graphql-ws")
        guard isLegacy || isAppSync else {
            return SubprotocolChoice(dialect: .transportWS, subprotocol: nil, credentials: .none)
        }
        var credentials = SubprotocolChoice.Credentials.none
        if let encoded = encodedHeader.map({ String($0.dropFirst(7)) }) ?? header {
            credentials = decodeCredentials(encoded)
        }
        if let payload, decodeCredentials(payload) == .malformed { credentials = .malformed }
        return SubprotocolChoice(
            dialect: isAppSync ? .appSync : .legacyWS, subprotocol: isLegacy ? "graphql-ws" : nil,
            credentials: credentials)
    }

    private static func isRealtime(_ path: String) -> Bool {
        path.hasSuffix("/realtime") || path.hasSuffix("/realtime/")
    }

    private static func trimmed(_ item: Substring.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = item.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(start[...last]))
    }

    private static func decodeCredentials(_ encoded: String) -> SubprotocolChoice.Credentials {
        guard let bytes = Base64.decode(encoded.utf8),
            let object = try? JSONValue(parsing: bytes.span.bytes, depthMax: 8).object
        else { return .malformed }
        return .object(object)
    }

    /// The decoded value of a query's parameter. A `+` stays one: base64 needs it more often
    /// than anybody needs the space of HTML forms here.
    private static func parameter(_ name: String, of query: String) -> String? {
        for part in query.split(separator: "&") {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces[0] == name else { continue }
            return pieces.count == 2 ? percentDecoded(pieces[1].utf8) : ""
        }
        return nil
    }

    private static func percentDecoded(_ text: Substring.UTF8View) -> String {
        var output: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                output.append(value)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension JSONObject {
    /// The text of the first member of that name in any letter case: credentials are HTTP field
    /// names, and clients write `x-api-key`, `X-Api-Key` and `authorization` as they like. A
    /// member `headers` is searched too; some clients nest them there.
    public func credential(_ name: StaticString) -> Text? {
        let wanted = "\(name)".lowercased()
        for member in members where member.name.string.lowercased() == wanted {
            if let text = member.value.text { return text }
        }
        return self["headers"]?.object?.credential(name)
    }
}
