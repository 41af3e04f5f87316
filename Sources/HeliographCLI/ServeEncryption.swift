import Loop

/// The TLS of `heliograph serve`: its options, its files, and reading them again.
enum ServeEncryption {
    static let options: (heading: String, options: [Option]) = (
        "encryption",
        [
            Option(
                "--tls-cert", "FILE",
                "PEM file of a certificate and its chain; the port then speaks TLS only",
                isRepeatable: true),
            Option(
                "--tls-key", "FILE",
                "its key; further pairs are chosen by host name; SIGHUP reads all again",
                isRepeatable: true),
        ]
    )

    /// The pairs that were given, read; nil if none was.
    static func identity(_ arguments: Arguments) throws(CommandFailure) -> TLSServerIdentity? {
        let certificates = arguments.lists["--tls-cert"] ?? []
        let keys = arguments.lists["--tls-key"] ?? []
        guard certificates.count == keys.count else {
            throw .usage(
                "--tls-cert and --tls-key come in pairs, in the same order: "
                    + "\(certificates.count) of the first and \(keys.count) of the second are given"
            )
        }
        guard !certificates.isEmpty else { return nil }
        let pairs = zip(certificates, keys).map { TLSKeyPair(certificateFile: $0, keyFile: $1) }
        do throws(TLSError) {
            return try TLSServerIdentity(pairs)
        } catch {
            throw CommandFailure(code: .cannotStart, message: "TLS: \(error)")
        }
    }

    /// Tells the operator what clients will not like.
    static func announce(_ identity: TLSServerIdentity) {
        for warning in identity.warnings { Console.err("  warning  \(warning)") }
    }

    /// Reads the files again for new connections. If they are of no use, the old ones serve on.
    static func reload(_ identity: TLSServerIdentity) {
        do throws(TLSError) {
            try identity.reload()
            Console.err("TLS certificates read again; new connections get them")
            announce(identity)
        } catch {
            Console.err("TLS certificates stay as they were: \(error)")
        }
    }
}
