internal import COpenSSL

/// Whom a client believes to be who they say they are. Share one among all connections.
public final class TLSClientTrust: Sendable {
    /// The authorities that the system trusts.
    public static let system = TLSClientTrust { context in
        // Reads nothing yet: the authority is looked for when a certificate names it.
        SSL_CTX_set_default_verify_paths(context)
    }

    /// Anybody: the connection is encrypted, but whoever answers is believed. For tools that talk
    /// to a hub on the same machine.
    public static let anybody = TLSClientTrust { context in
        SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
    }

    let context: TLSContext

    private init(_ prepare: (OpaquePointer) -> Void) {
        context = Self.makeContext()
        prepare(context.pointer)
    }

    /// The authorities in a file, and no others.
    ///
    /// - Throws: `TLSError` if the file cannot be read or holds no certificate.
    public init(authoritiesIn file: String) throws(TLSError) {
        context = Self.makeContext()
        try context.trust(authoritiesIn: file)
    }

    private static func makeContext() -> TLSContext {
        let context = TLSContext(isServer: false)
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        let offer: StaticString = "\u{8}http/1.1"
        // Zero stands for success with this one function.
        let refusal = SSL_CTX_set_alpn_protos(
            context.pointer, offer.utf8Start, UInt32(offer.utf8CodeUnitCount))
        precondition(refusal == 0, "OpenSSL has no memory for a client")
        return context
    }
}
