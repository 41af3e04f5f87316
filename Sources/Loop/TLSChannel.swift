internal import COpenSSL

/// The secret side of one connection; a slab entry has one only if its connection is encrypted.
struct TLSChannel {
    /// What a call of OpenSSL came to.
    enum Outcome: Equatable {
        case done
        /// More must come first; all that came was read.
        case needsInput
        /// The peer said that it sends no more (close_notify).
        case peerFinished
        /// The session is over: the peer broke the protocol, or said that we did.
        case failed
    }

    /// OpenSSL's session.
    let session: OpaquePointer
    let isServer: Bool
    /// Who connected, kept until the handler is told.
    let peer: PeerAddress?
    /// Whether the handshake is through and the handler knows of the connection.
    var isOpen = false
    /// Whether our close_notify is on its way, or a fatal alert that stands for it.
    var isCloseSaid = false
    /// Keeps alive what OpenSSL's calls back need during the handshake.
    private var certificates: Unmanaged<TLSCertificates>?

    private init(
        _ context: TLSContext, isServer: Bool, peer: PeerAddress?,
        _ wire: UnsafeMutablePointer<TLSWire>
    ) {
        guard let session = SSL_new(context.pointer) else {
            preconditionFailure("no memory for a TLS session")
        }
        self.session = session
        self.isServer = isServer
        self.peer = peer
        let end = TLSWire.makeEnd(wire)
        SSL_set_bio(session, end, end)
    }

    /// The side that was connected to.
    static func server(
        _ identity: TLSServerIdentity, peer: PeerAddress, _ wire: UnsafeMutablePointer<TLSWire>
    ) -> TLSChannel {
        let certificates = identity.current
        var channel = TLSChannel(certificates.contexts[0], isServer: true, peer: peer, wire)
        let kept = Unmanaged.passRetained(certificates)
        channel.certificates = kept
        SSL_set_ex_data(channel.session, 0, kept.toOpaque())
        SSL_set_accept_state(channel.session)
        return channel
    }

    /// The side that connects. The peer's certificate must be good for `name`, a host name or a
    /// numeric address.
    static func client(
        _ trust: TLSClientTrust, name: String, _ wire: UnsafeMutablePointer<TLSWire>
    ) -> TLSChannel {
        let channel = TLSChannel(trust.context, isServer: false, peer: nil, wire)
        let rules = SSL_get0_param(channel.session)
        X509_VERIFY_PARAM_set_hostflags(rules, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        if X509_VERIFY_PARAM_set1_ip_asc(rules, name) != 1 {
            // No address, so a name; RFC 6066 §3 has only names told to the server.
            let isSet = SSL_set1_host(channel.session, name) == 1
            precondition(isSet, "no memory for a host name")
            _ = copenssl_set_server_name(channel.session, name)
        }
        SSL_set_connect_state(channel.session)
        return channel
    }

    /// The certificates that a session began with.
    static func certificates(of session: OpaquePointer) -> TLSCertificates? {
        SSL_get_ex_data(session, 0).map {
            Unmanaged<TLSCertificates>.fromOpaque($0).takeUnretainedValue()
        }
    }

    func free() {
        SSL_free(session)
        certificates?.release()
    }

    // MARK: OpenSSL's verbs

    mutating func shakeHands() -> Outcome {
        ERR_clear_error()
        let result = SSL_do_handshake(session)
        guard result == 1 else { return outcome(result) }
        isOpen = true
        // Only a handshake asks for it.
        SSL_set_ex_data(session, 0, nil)
        certificates?.release()
        certificates = nil
        return .done
    }

    /// Deciphers until nothing is left, and returns how many bytes there are.
    mutating func read(into target: UnsafeMutableRawBufferPointer) -> (Int, Outcome) {
        var count = 0
        while count < target.count {
            ERR_clear_error()
            let got = SSL_read(
                session, target.baseAddress! + count, Int32(clamping: target.count - count))
            guard got > 0 else { return (count, outcome(got)) }
            count += Int(got)
        }
        preconditionFailure("more was deciphered than one read and one record can hold")
    }

    /// Enciphers all of it; the wire takes whatever comes.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let count = SSL_write(session, bytes.baseAddress, Int32(bytes.count))
        return Int(count) == bytes.count ? .done : outcome(count)
    }

    /// Says that we send no more, once.
    mutating func sayClose() {
        guard !isCloseSaid else { return }
        isCloseSaid = true
        ERR_clear_error()
        SSL_shutdown(session)
    }

    private mutating func outcome(_ result: Int32) -> Outcome {
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .peerFinished
        default:
            // OpenSSL has written the alert that says why, and allows nothing more.
            isCloseSaid = true
            return .failed
        }
    }

    /// Why the last call failed, for a client's owner.
    var failure: LoopError {
        let verdict = Int32(truncatingIfNeeded: SSL_get_verify_result(session))
        if verdict != X509_V_OK, SSL_get_verify_mode(session) != SSL_VERIFY_NONE {
            return .certificateRefused(
                reason: String(cString: X509_verify_cert_error_string(Int(verdict))),
                isAuthorityUnknown: [
                    X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                    X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
                ].contains(verdict))
        }
        return .handshakeFailed(reason: tlsErrorText(ERR_peek_error()))
    }
}
