public import Bytes
import HTTP1

/// Which web pages may use a hub from elsewhere, and under which names it is asked at all. For
/// browsers only: no other client is kept out by what it says of itself.
///
/// Made by the operator's door, asked by the shards for each request.
public struct SiteRules: Sendable, Hashable {
    /// The pages that are let in beside those of the hub's own host.
    private var origins: Set<WebOrigin> = []
    private var admitsAllOrigins = false
    /// The names a request may be for beside addresses and local names; nil for any name.
    private var hostNames: Set<Text>?

    /// No page from elsewhere, any name.
    public init() {}

    /// Lets in the pages of an origin, `https://app.example`; `*` stands for all.
    ///
    /// - Throws: the operator's fault, as a sentence.
    public mutating func admit(origin text: Text) throws(SiteRuleError) {
        if text == "*" {
            admitsAllOrigins = true
            return
        }
        guard text != "null" else {
            throw SiteRuleError(
                "null is what every sandboxed page calls itself: serve the page over HTTP and "
                    + "name where")
        }
        guard let origin = WebOrigin(text), !text.contains("*") else {
            throw SiteRuleError(
                "an origin is scheme://host or scheme://host:port in ASCII, without a path or "
                    + "wildcard, such as https://app.example or http://localhost:5173")
        }
        origins.insert(origin)
    }

    /// Has the hub asked under this name, and no longer under any.
    ///
    /// - Throws: the operator's fault, as a sentence.
    public mutating func admit(hostName text: Text) throws(SiteRuleError) {
        let authority = Authority(text) ?? Authority(Text("[\(text)]"))
        guard let authority, authority.port == nil, !text.contains("*") else {
            throw SiteRuleError(
                "a host name stands alone and in ASCII, without scheme, port, path or wildcard, "
                    + "such as hub.example")
        }
        admitLocalNamesOnly()
        hostNames?.insert(authority.host)
    }

    /// Has the hub asked under addresses, `localhost`, and the names that are admitted, if any.
    ///
    /// Somebody's web page can have the name it was loaded from lead to this machine (DNS
    /// rebinding). To the browser, the hub is then the page's own. It cannot do that to an
    /// address, nor to a name that never leaves the machine.
    public mutating func admitLocalNamesOnly() {
        if hostNames == nil { hostNames = [] }
    }

    // MARK: Asked

    /// Why the request is for somebody else, or nil if it is for the hub (RFC 9110 §7.4).
    func misdirection(of head: HTTPHead) -> String? {
        guard let hostNames else { return nil }
        guard let authority = Authority(head.host) else {
            return "the request names no host, and this hub has to be asked by name or address"
        }
        if authority.isAddress || authority.isLocalName || hostNames.contains(authority.host) {
            return nil
        }
        return "this hub is not known as \(authority.host): if that name is yours, start it with "
            + "--host-name \(authority.host)"
    }

    /// Why the page that sent the request may not have its answer, or nil if it may. Clients
    /// that are no browsers name no origin, or the one that they connect to.
    func refusal(of head: HTTPHead) -> String? {
        let count = head.count(of: "Origin")
        guard count > 0 else { return nil }
        guard count == 1, let text = head.value(of: "Origin") else {
            return "the request has more than one Origin header"
        }
        if admitsAllOrigins { return nil }
        guard let origin = WebOrigin(text) else {
            return "pages without an origin of their own are not let in: serve the page over HTTP, "
                + "and start the hub with --cors-origin and its scheme://host:port"
        }
        if origins.contains(origin) || Authority(head.host).map(origin.isSame) == true {
            return nil
        }
        return "pages of \(origin) are not let in: start the hub with --cors-origin \(origin) to "
            + "let them in"
    }

    /// The fields by which a browser lets a page from elsewhere have the answer (Fetch standard,
    /// CORS protocol). None while no page from elsewhere is let in.
    ///
    /// There is no `Access-Control-Allow-Credentials`: a page shows its key or token itself, and
    /// cookies count for nothing here.
    func fields(for head: HTTPHead) -> [HTTPField] {
        if admitsAllOrigins { return [HTTPField("Access-Control-Allow-Origin", "*")] }
        if origins.isEmpty { return [] }
        var fields = [HTTPField("Vary", "Origin")]
        if head.count(of: "Origin") == 1, let text = head.value(of: "Origin"),
            let origin = WebOrigin(text), origins.contains(origin)
        {
            fields.append(HTTPField("Access-Control-Allow-Origin", text))
        }
        return fields
    }

    // MARK: Preflight

    /// Whether a browser asks what a page may send (Fetch standard, CORS-preflight request).
    func isPreflight(_ head: HTTPHead) -> Bool {
        head.isMethod("OPTIONS") && head.count(of: "Origin") > 0
            && head.count(of: "Access-Control-Request-Method") > 0
    }

    /// What a page that is let in may send: besides the names below also those that it asks for,
    /// since the hub looks at none but its own.
    func preflightFields(for head: HTTPHead, methods: Text) -> [HTTPField] {
        var names = Self.requestFields
        var seen = Set(names.split(separator: ", ").map(String.init))
        head.forEachMember(of: "Access-Control-Request-Headers") { member in
            let name = String(decoding: member, as: UTF8.self).lowercased()
            guard HTTPField.isName(Text(name)), seen.insert(name).inserted else { return }
            names += ", \(name)"
        }
        return [
            HTTPField("Access-Control-Allow-Methods", methods),
            HTTPField("Access-Control-Allow-Headers", Text(names)),
            HTTPField("Access-Control-Max-Age", Self.preflightSeconds),
        ]
    }

    /// What GraphQL clients in browsers send: credentials, Amplify's and Apollo's own fields.
    private static let requestFields = """
        content-type, accept, authorization, x-api-key, x-amz-user-agent, x-amz-date, \
        x-amz-security-token, x-amz-content-sha256, x-amzn-requestid, apollo-require-preflight, \
        apollographql-client-name, apollographql-client-version, graphql-preflight, \
        x-requested-with
        """

    /// Seconds that a browser need not ask again; more than this Chromium does not take.
    private static let preflightSeconds: Text = "7200"
}

/// Why a name or an origin cannot be admitted: a sentence for the operator.
public struct SiteRuleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
