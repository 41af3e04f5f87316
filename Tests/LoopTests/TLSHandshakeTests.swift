import Glibc
import Loop
import Testing

@Suite struct TLSHandshakeTests {
    // MARK: Which certificate

    @Test func `the host name chooses the certificate and the first is the default`() throws {
        let rig = try TLSRig { authority in
            [
                try authority.pair("one.example"), try authority.pair("*.two.example"),
                try authority.pair("three.example"),
            ]
        }
        for name in ["one.example", "any.two.example", "three.example"] {
            #expect(rig.refusal(try rig.connect(to: name)) == "", "\(name)")
        }
        // The default is shown, and the client sees that it is not good for this name.
        #expect(rig.refusal(try rig.connect(to: "four.example")).contains("hostname mismatch"))
        // Addresses are no host names, so nothing is chosen; the default is good for this one.
        #expect(rig.refusal(try rig.connect(to: nil)) == "")
        #expect(rig.refusal(try rig.connect(to: "::1")).contains("IP address mismatch"))
    }

    @Test func `certificates in between are shown too`() throws {
        let rig = try TLSRig { [try $0.chainedPair("hub.example")] }
        #expect(rig.refusal(try rig.connect()) == "")
    }

    @Test func `a new certificate is shown after a reload and old connections stay`() throws {
        let rig = try TLSRig { [try $0.pair("before.example")] }
        let first = try rig.authority.pair("hub.example")
        let identity = try TLSServerIdentity([first])
        let loop = try TestLoop(.echo, tls: identity)
        let old = try rig.connect(port: loop.port)
        #expect(rig.outcome(old) == .connected(old))

        try rig.authority.replace(first, by: try rig.authority.pair("new.example"))
        try identity.reload()
        #expect(rig.refusal(try rig.connect(to: "new.example", port: loop.port)) == "")
        #expect(rig.refusal(try rig.connect(port: loop.port)).contains("hostname mismatch"))
        rig.client.write(old, [1, 2, 3])
        #expect(rig.client.log.received(old, count: 3) == [1, 2, 3])
    }

    @Test func `a reload that fails leaves all as it was`() throws {
        let rig = try TLSRig()
        let pair = try rig.authority.pair("hub.example")
        let identity = try TLSServerIdentity([pair])
        let loop = try TestLoop(.echo, tls: identity)
        unlink(pair.keyFile)
        #expect(throws: TLSError.unreadable(file: pair.keyFile, code: ENOENT)) {
            try identity.reload()
        }
        #expect(rig.refusal(try rig.connect(port: loop.port)) == "")
    }

    // MARK: Trust

    @Test func `an authority that nobody named is not trusted`() throws {
        let rig = try TLSRig()
        #expect(
            rig.refusal(try rig.connect(trust: .system))
                .hasPrefix("the other end's certificate is not trusted: unable to get local issuer")
        )
        #expect(rig.server.ask { $0.connectionCount != 99 } == true)
        let trusting = try rig.connect(to: "whatever.example", trust: .anybody)
        #expect(rig.refusal(trusting) == "")
    }

    @Test func `an expired certificate is warned of, served and refused`() throws {
        let rig = try TLSRig { [try $0.expiredPair()] }
        #expect(rig.identity.warnings.count == 1)
        #expect(rig.identity.warnings.first?.contains(" expired on ") == true)
        let refusal = rig.refusal(try rig.connect(to: "expired.example"))
        #expect(refusal.contains("certificate has expired"), "\(refusal)")
        let sound = try TLSServerIdentity([rig.authority.pair("hub.example")])
        #expect(sound.warnings.isEmpty)
    }

    // MARK: Versions and protocols

    @Test(arguments: [
        ("-tls1_3", "TLSv1.3"), ("-tls1_2", "TLSv1.2"), ("-tls1_1", nil), ("-tls1", nil),
    ])
    func `TLS 1.2 and 1.3 are spoken and nothing older`(flag: String, version: String?) throws {
        let rig = try TLSRig()
        let words = try rig.authority.openssl(
            [
                "s_client", "-connect", "127.0.0.1:\(rig.server.port)", flag, "-cipher",
                "ALL:@SECLEVEL=0",
            ], mayFail: true)
        if let version {
            #expect(words.contains("New, \(version), Cipher is"), "\(words)")
            #expect(words.contains("Compression: NONE"))
            #expect(rig.server.ask { $0.counters.handshakes } == 1)
        } else {
            #expect(words.contains("alert protocol version"), "\(words)")
            #expect(rig.server.ask { $0.counters.handshakesFailed } == 1)
            #expect(rig.server.log.all.isEmpty)
        }
    }

    @Test func `of the protocols that a client offers HTTP 1 is chosen`() throws {
        let rig = try TLSRig()
        func offer(_ protocols: String) throws -> String {
            try rig.authority.openssl(
                ["s_client", "-connect", "127.0.0.1:\(rig.server.port)", "-alpn", protocols],
                mayFail: true)
        }
        #expect(try offer("h2,http/1.1").contains("ALPN protocol: http/1.1"))
        #expect(try offer("h2").contains("no application protocol"))
    }

    @Test func `a session is resumed by its ticket`() throws {
        let rig = try TLSRig()
        let file = rig.authority.path("session-\(rig.server.port)")
        func connect(_ option: String, _ more: [String] = []) throws -> String {
            try rig.authority.openssl(
                [
                    "s_client", "-connect", "127.0.0.1:\(rig.server.port)", "-tls1_2", option, file,
                ] + more, mayFail: true)
        }
        #expect(try connect("-sess_out").contains("New, "))
        #expect(try connect("-sess_in").contains("Reused, "))
    }

    // MARK: Files

    @Test func `what is wrong with which file is said`() throws {
        let authority = try TestAuthority.shared.get()
        let (good, other) = (try authority.pair("a.example"), try authority.pair("b.example"))
        func error(_ certificate: String, _ key: String) -> TLSError? {
            do throws(TLSError) {
                _ = try TLSServerIdentity([
                    TLSKeyPair(certificateFile: certificate, keyFile: key)
                ])
                return nil
            } catch {
                return error
            }
        }
        let nothing = try authority.write("nothing of the kind")
        let locked = authority.path("locked.key")
        try authority.openssl([
            "pkey", "-in", good.keyFile, "-aes256", "-passout", "pass:secret", "-out", locked,
        ])
        let rsa = authority.path("rsa.key")
        try authority.openssl(["genrsa", "-out", rsa, "2048"])
        let (file, key) = (good.certificateFile, good.keyFile)
        #expect(error(file, key) == nil)
        #expect(error("/nowhere", key) == .unreadable(file: "/nowhere", code: ENOENT))
        #expect(error(file, "/nowhere") == .unreadable(file: "/nowhere", code: ENOENT))
        #expect(error("/tmp", key) == .unreadable(file: "/tmp", code: EISDIR))
        #expect(error(nothing, key) == .noCertificate(file: nothing))
        #expect(error(key, key) == .noCertificate(file: key))
        #expect(error(file, nothing) == .noKey(file: nothing))
        #expect(error(file, locked) == .lockedKey(file: locked))
        for wrong in [other.keyFile, rsa] {
            #expect(error(file, wrong) == .wrongKey(file: wrong, certificateFile: file))
        }
        #expect(throws: TLSError.noCertificate(file: nothing)) {
            _ = try TLSClientTrust(authoritiesIn: nothing)
        }
        #expect("\(TLSError.lockedKey(file: "k"))".hasPrefix("the key in k is locked"))
    }
}
