/// Rules for a request's head beyond its grammar.
enum RequestRules {
    /// Exactly one legal Host in HTTP/1.1, at most one in HTTP/1.0 (RFC 9112 §3.2).
    static func checkHost(_ head: HTTPHead) throws(HTTPError) {
        let count = head.count(of: "Host")
        guard count <= 1 else { throw .severalHosts }
        guard count == 1 else {
            if head.minorVersion >= 1 { throw .missingHost }
            return
        }
        let isValid = head.withValue(of: "Host") { HostRule.isValid($0[...]) }
        guard isValid == true else { throw .malformedHost }
    }

    /// Whether the client waits for 100 (Continue). HTTP/1.0 has no such thing
    /// (RFC 9110 §10.1.1).
    static func expectsContinue(_ head: HTTPHead) throws(HTTPError) -> Bool {
        guard head.minorVersion >= 1 else { return false }
        var expectations = 0
        head.forEachMember(of: "Expect") { _ in expectations += 1 }
        if expectations == 0 { return false }
        guard expectations == 1, head.contains("100-continue", in: "Expect") else {
            throw .unsupportedExpectation
        }
        return true
    }
}
