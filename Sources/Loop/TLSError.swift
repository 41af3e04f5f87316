internal import Glibc

/// Why certificates or keys cannot be used: the operator's or the world's fault.
public enum TLSError: Error, Sendable, Hashable {
    /// A file cannot be read. `code` is the system's error number.
    case unreadable(file: String, code: Int32)
    /// A file holds no certificate in PEM form.
    case noCertificate(file: String)
    /// A file holds no private key in PEM form.
    case noKey(file: String)
    /// A private key is locked with a passphrase.
    case lockedKey(file: String)
    /// A private key is not the one that the certificate was made for.
    case wrongKey(file: String, certificateFile: String)
    /// A certificate is refused by the TLS library's policy, for a key that is too short say.
    case refusedCertificate(file: String, reason: String)
}

extension TLSError: CustomStringConvertible {
    /// One sentence for the operator.
    public var description: String {
        switch self {
        case .unreadable(let file, let code):
            "\(file) cannot be read: \(systemErrorText(code))"
        case .noCertificate(let file):
            "\(file) holds no certificate (a PEM file is wanted: -----BEGIN CERTIFICATE-----)"
        case .noKey(let file):
            "\(file) holds no private key (a PEM file is wanted: -----BEGIN PRIVATE KEY-----)"
        case .lockedKey(let file):
            "the key in \(file) is locked with a passphrase (unlock it: openssl pkey -in LOCKED "
                + "-out FILE, and keep FILE for this user's eyes only)"
        case .wrongKey(let file, let certificateFile):
            "the key in \(file) is not the key of the certificate in \(certificateFile)"
        case .refusedCertificate(let file, let reason):
            "the certificate in \(file) cannot be used: \(reason)"
        }
    }
}
