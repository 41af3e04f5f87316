internal import COpenSSL
internal import Glibc

/// An OpenSSL context: what all connections of one side with one certificate have in common.
///
/// Finished by whoever makes it before anybody else sees it; from then on OpenSSL only counts
/// references to it and reads it, which it does from any thread.
// Sendable for that reason: the pointer never changes and what it names is not changed any more.
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer

    /// TLS 1.2 at least, with forward secrecy and authenticated encryption only; no compression
    /// and no renegotiation.
    init(isServer: Bool) {
        guard let pointer = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()),
            copenssl_set_min_version(pointer, TLS1_2_VERSION) == 1,
            SSL_CTX_set_cipher_list(pointer, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
        else { preconditionFailure("OpenSSL has no memory, or none of the ciphers of TLS 1.2") }
        self.pointer = pointer
        copenssl_set_strict_options(pointer)
        // An idle connection gives its record buffers back: 14 KB instead of 47 KB each.
        copenssl_set_mode(pointer, Int(SSL_MODE_RELEASE_BUFFERS))
        // What resumes a session travels in the client's ticket; nothing is kept here for it.
        copenssl_disable_session_cache(pointer)
    }

    deinit { SSL_CTX_free(pointer) }

    // MARK: Loading

    /// Takes a certificate with its chain, and the certificate's key.
    func load(_ pair: TLSKeyPair) throws(TLSError) {
        try checkReadable(pair.certificateFile)
        try checkReadable(pair.keyFile)
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(pointer, pair.certificateFile) == 1 else {
            throw Self.certificateError(pair.certificateFile)
        }
        let key = try Self.key(in: pair.keyFile)
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(pointer, key) == 1, SSL_CTX_check_private_key(pointer) == 1
        else {
            throw .wrongKey(file: pair.keyFile, certificateFile: pair.certificateFile)
        }
    }

    /// Trusts the authorities in a PEM file.
    func trust(authoritiesIn file: String) throws(TLSError) {
        try checkReadable(file)
        guard SSL_CTX_load_verify_file(pointer, file) == 1 else {
            throw .noCertificate(file: file)
        }
    }

    /// OpenSSL's own word for a missing file names neither the file nor the reason.
    private func checkReadable(_ file: String) throws(TLSError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(file: file, code: errno) }
        var information = stat()
        let isFolder =
            fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
        close(descriptor)
        if isFolder { throw .unreadable(file: file, code: EISDIR) }
    }

    /// Whether the file holds nothing like a certificate, or one that OpenSSL's policy refuses.
    private static func certificateError(_ file: String) -> TLSError {
        let error = ERR_peek_last_error()
        let isPolicy = [SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_KEY_TOO_SMALL, SSL_R_CA_MD_TOO_WEAK]
            .contains(copenssl_error_reason(error))
        guard isPolicy else { return .noCertificate(file: file) }
        return .refusedCertificate(file: file, reason: tlsErrorText(error))
    }

    private static func key(in file: String) throws(TLSError) -> OpaquePointer {
        guard let source = BIO_new_file(file, "r") else {
            throw .unreadable(file: file, code: errno)
        }
        defer { BIO_free(source) }
        // Without an answer of ours OpenSSL would ask for the passphrase on the terminal.
        var isLocked = false
        let key = PEM_read_bio_PrivateKey(
            source, nil,
            { _, _, _, isLocked in
                isLocked?.assumingMemoryBound(to: Bool.self).pointee = true
                return -1
            }, &isLocked)
        guard let key else { throw isLocked ? .lockedKey(file: file) : .noKey(file: file) }
        return key
    }
}

/// OpenSSL's words for an error.
func tlsErrorText(_ error: UInt) -> String {
    guard let text = ERR_reason_error_string(error) else { return "error \(error)" }
    return String(cString: text)
}
