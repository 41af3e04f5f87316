import Foundation
import Loop

/// Certificates of an authority that only the tests know, made by `openssl` when first needed.
final class TestAuthority: Sendable {
    struct Failure: Error {
        var words: String
    }

    static let shared = Result { try TestAuthority() }

    let folder: URL
    /// The authority's own certificate: what clients are told to trust.
    var file: String { path("ca.crt") }

    private init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("loop-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try openssl(
            newKey("ca") + [
                "-x509", "-days", "2", "-subj", "/CN=Test Authority", "-addext",
                "keyUsage=critical,keyCertSign",
            ])
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A pair good for a name and for 127.0.0.1, signed by the authority or by `issuer`.
    func pair(_ name: String, issuer: String = "ca") throws -> TLSKeyPair {
        let file = UUID().uuidString
        try openssl(
            newKey(file) + [
                "-x509", "-CA", path("\(issuer).crt"), "-CAkey", path("\(issuer).key"), "-days",
                "1", "-subj", "/CN=\(name)", "-addext", "basicConstraints=critical,CA:FALSE",
                "-addext", "subjectAltName=DNS:\(name),IP:127.0.0.1",
            ])
        return TLSKeyPair(certificateFile: path("\(file).crt"), keyFile: path("\(file).key"))
    }

    /// A pair whose time is over.
    func expiredPair() throws -> TLSKeyPair {
        let pair = try pair("expired.example")
        let request = path(UUID().uuidString)
        try openssl([
            "req", "-new", "-key", pair.keyFile, "-subj", "/CN=old", "-out", request, "-addext",
            "subjectAltName=DNS:expired.example",
        ])
        try openssl([
            "x509", "-req", "-in", request, "-CA", file, "-CAkey", path("ca.key"), "-days", "-1",
            "-copy_extensions", "copy", "-out", pair.certificateFile,
        ])
        return pair
    }

    /// A pair whose certificate is signed by one that the authority signed; both are in the file.
    func chainedPair(_ name: String) throws -> TLSKeyPair {
        try openssl(
            newKey("middle") + [
                "-x509", "-CA", file, "-CAkey", path("ca.key"), "-days", "1", "-subj",
                "/CN=Middle", "-addext", "basicConstraints=critical,CA:TRUE",
            ])
        let pair = try pair(name, issuer: "middle")
        let files = [pair.certificateFile, path("middle.crt")]
        let chain = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        try chain.write(toFile: pair.certificateFile, atomically: true, encoding: .utf8)
        return pair
    }

    /// Puts the first pair's files in the second's place.
    func replace(_ old: TLSKeyPair, by new: TLSKeyPair) throws {
        for (old, new) in [
            (old.certificateFile, new.certificateFile), (old.keyFile, new.keyFile),
        ] {
            try Data(contentsOf: URL(fileURLWithPath: new)).write(to: URL(fileURLWithPath: old))
        }
    }

    func write(_ text: String) throws -> String {
        let file = path(UUID().uuidString)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    private func newKey(_ file: String) -> [String] {
        [
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            path("\(file).key"), "-out", path("\(file).crt"),
        ]
    }

    /// Runs `openssl` to its end and returns what it printed.
    @discardableResult
    func openssl(_ arguments: [String], mayFail: Bool = false) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "60", "openssl"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let words = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 || mayFail else { throw Failure(words: words) }
        return words
    }
}

/// A TLS server under test and a client loop beside it.
struct TLSRig {
    let authority: TestAuthority
    let identity: TLSServerIdentity
    let server: TestLoop
    let client: TestLoop

    init(
        _ pairs: ((TestAuthority) throws -> [TLSKeyPair])? = nil,
        server script: TestHandler.Script = .echo, limits: LoopLimits = LoopLimits(),
        client clientScript: TestHandler.Script = .init(),
        clientLimits: LoopLimits = LoopLimits()
    ) throws {
        authority = try TestAuthority.shared.get()
        identity = try TLSServerIdentity(
            try pairs?(authority) ?? [authority.pair("hub.example")])
        server = try TestLoop(script, limits, tls: identity)
        client = try TestLoop(clientScript, clientLimits)
    }

    /// Begins to connect.
    func connect(
        to name: String? = "hub.example", port: UInt16? = nil, trust: TLSClientTrust? = nil
    ) throws -> UInt64 {
        let trust = try trust ?? TLSClientTrust(authoritiesIn: authority.file)
        let port = port ?? server.port
        let connection = client.ask { loop in
            loop.connect(host: "127.0.0.1", port: port, tls: trust, name: name)
        }
        return connection ?? 0
    }

    /// Connects and waits for the handshake's end.
    func open(port: UInt16? = nil) throws -> UInt64 {
        let connection = try connect(port: port)
        guard outcome(connection) == .connected(connection) else {
            throw TestAuthority.Failure(words: "no handshake")
        }
        return connection
    }

    /// What became of an attempt to connect.
    func outcome(_ connection: UInt64) -> EventLog.Event? {
        var found: EventLog.Event?
        _ = client.log.wait { events in
            found = events.first { event in
                switch event {
                case .connected(connection), .failed(connection, _): true
                default: false
                }
            }
            return found != nil
        }
        return found
    }

    /// The words of a refusal; empty for a success.
    func refusal(_ connection: UInt64) -> String {
        guard case .failed(_, let error)? = outcome(connection) else { return "" }
        return error.description
    }
}

extension EventLog {
    /// All bytes of a connection so far, once there are `count` of them.
    func received(_ connection: UInt64, count: Int) -> [UInt8] {
        _ = wait { _ in receivedCount(connection) >= count }
        return all.flatMap { event -> [UInt8] in
            if case .received(connection, let bytes) = event { bytes } else { [] }
        }
    }
}
