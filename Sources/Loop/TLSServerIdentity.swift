internal import COpenSSL
internal import Glibc

/// The files of a certificate and its key, in PEM form.
public struct TLSKeyPair: Sendable, Hashable {
    /// The certificate, followed by those that lead to an authority which clients know.
    public var certificateFile: String
    /// The certificate's private key, without a passphrase.
    public var keyFile: String

    /// A pair.
    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}

/// Who a TLS listener says it is: a certificate, or several for different host names.
///
/// A client that names a host (SNI, RFC 6066 §3) gets the first certificate that is good for
/// it, all others get the first of all. Share one among the listeners of a process; `reload` may be
/// called from any thread.
public final class TLSServerIdentity: Sendable {
    private let pairs: [TLSKeyPair]
    private let loaded: Guarded<TLSCertificates>

    /// Reads the files.
    ///
    /// - Parameter pairs: At least one; the first is the default.
    /// - Throws: `TLSError`: what is wrong with which file.
    public init(_ pairs: [TLSKeyPair]) throws(TLSError) {
        precondition(!pairs.isEmpty, "a TLS identity without a certificate")
        self.pairs = pairs
        loaded = Guarded(try TLSCertificates(pairs))
    }

    /// Reads the files again, for connections that come from now on. Those that are open, or in
    /// their handshake, keep what they have. Tickets of earlier sessions are not taken any more.
    ///
    /// - Throws: `TLSError`, and then all stays as it was.
    public func reload() throws(TLSError) {
        let fresh = try TLSCertificates(pairs)
        loaded.withLock { $0 = fresh }
    }

    /// Sentences about certificates that are in use although clients will not take them: they
    /// have expired, or are not valid yet.
    public var warnings: [String] {
        zip(pairs, current.contexts).compactMap { pair, context in
            guard let certificate = SSL_CTX_get0_certificate(context.pointer) else { return nil }
            if X509_cmp_time(X509_get0_notAfter(certificate), nil) < 0 {
                let day = dayText(X509_get0_notAfter(certificate))
                return "the certificate in \(pair.certificateFile) expired on \(day): clients will "
                    + "refuse it"
            }
            if X509_cmp_time(X509_get0_notBefore(certificate), nil) > 0 {
                let day = dayText(X509_get0_notBefore(certificate))
                return "the certificate in \(pair.certificateFile) is not valid before \(day): "
                    + "clients will refuse it until then"
            }
            return nil
        }
    }

    /// What a new connection is served with.
    var current: TLSCertificates { loaded.withLock { $0 } }
}

/// Certificates and keys as they were read at one time.
final class TLSCertificates: Sendable {
    let contexts: [TLSContext]

    init(_ pairs: [TLSKeyPair]) throws(TLSError) {
        var contexts: [TLSContext] = []
        for pair in pairs {
            let context = TLSContext(isServer: true)
            try context.load(pair)
            SSL_CTX_set_alpn_select_cb(context.pointer, chooseProtocol, nil)
            // One ticket resumes one connection, and our clients open one at a time.
            SSL_CTX_set_num_tickets(context.pointer, 1)
            contexts.append(context)
        }
        self.contexts = contexts
        if contexts.count > 1 {
            // The first is what every session starts with, so it is the one that is asked.
            copenssl_set_server_name_callback(contexts[0].pointer, chooseCertificate)
        }
    }

    /// The context for a host name; nil if none is made for it.
    func context(for name: UnsafePointer<CChar>) -> TLSContext? {
        contexts.first { context in
            X509_check_host(SSL_CTX_get0_certificate(context.pointer), name, 0, 0, nil) == 1
        }
    }
}

/// OpenSSL asks, within a handshake, which certificate the client is to be shown.
private func chooseCertificate(
    _ session: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?,
    _ unused: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session, let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name),
        let certificates = TLSChannel.certificates(of: session),
        let context = certificates.context(for: name)
    else { return SSL_TLSEXT_ERR_NOACK }
    SSL_set_SSL_CTX(session, context.pointer)
    return SSL_TLSEXT_ERR_OK
}

/// OpenSSL asks which of the protocols that the client offers (ALPN) is to be spoken: HTTP/1.1.
private func chooseProtocol(
    _ session: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32, _ unused: UnsafeMutableRawPointer?
) -> Int32 {
    let names = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var at = 0
    while at < names.count {
        let count = Int(names[at])
        guard at + 1 + count <= names.count else { break }
        let name = names[(at + 1)..<(at + 1 + count)]
        if name.elementsEqual("http/1.1".utf8) {
            // The answer must outlive this call, so it points into the client's own list.
            chosen?.pointee = offered.map { $0 + at + 1 }
            chosenCount?.pointee = UInt8(count)
            return SSL_TLSEXT_ERR_OK
        }
        at += 1 + count
    }
    // RFC 7301 §3.2: a server that speaks none of them says so and ends the handshake.
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// `2026-03-01`, for a certificate's bounds.
private func dayText(_ time: UnsafePointer<ASN1_TIME>?) -> String {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "a day that cannot be read" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
}
