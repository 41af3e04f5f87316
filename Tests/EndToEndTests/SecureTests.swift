import Foundation
import Testing

/// The built binary with `--tls-cert` and `--tls-key`, and other people's TLS against it.
@Suite(.serialized) struct SecureTests {
    /// Runs a program to its end and returns its exit code and all it printed.
    private func run(_ command: String...) throws -> (code: Int32, output: String) {
        let program = try Program("/usr/bin/env", command)
        let code = try program.waitForExit(seconds: 60)
        return (code, program.standardOutput + program.standardError)
    }

    /// Makes an authority, and pairs that it signed for the names.
    private func makeCertificates(_ folder: URL, names: [String]) throws {
        func path(_ file: String) -> String { folder.appendingPathComponent(file).path }
        func make(_ name: String, _ more: [String]) throws {
            let command =
                [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=\(name)",
                    "-keyout", path("\(name).key"), "-out", path("\(name).crt"),
                ] + more
            let program = try Program("/usr/bin/env", command)
            let code = try program.waitForExit(seconds: 60)
            #expect(code == 0, "\(program.standardError)")
        }
        try make("ca", ["-addext", "keyUsage=critical,keyCertSign"])
        for name in names {
            try make(
                name,
                [
                    "-CA", path("ca.crt"), "-CAkey", path("ca.key"), "-addext",
                    "basicConstraints=critical,CA:FALSE", "-addext",
                    "subjectAltName=DNS:\(name),IP:127.0.0.1",
                ])
        }
    }

    private func withSecureHub(
        names: [String], spare: [String] = [], options: [String] = [],
        _ body: (RunningHub, (String) -> String) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            try makeCertificates(folder, names: names + spare)
            func path(_ file: String) -> String { folder.appendingPathComponent(file).path }
            let pairs = names.flatMap {
                ["--tls-cert", path("\($0).crt"), "--tls-key", path("\($0).key")]
            }
            let hub = try RunningHub(["--memory", "--no-auth"] + options + pairs)
            try body(hub, path)
            if hub.program.isRunning { try hub.stop() }
        }
    }

    @Test func `curl and our own commands reach a hub over TLS and check who it is`() throws {
        try withSecureHub(names: ["hub.example"]) { hub, path in
            let health = "\(hub.base)/healthz"
            #expect(try run("curl", "-sS", "--cacert", path("ca.crt"), health) == (0, "ok\n"))
            #expect(try run("curl", "-sS", "-k", health) == (0, "ok\n"))
            // 60: the certificate's authority is not known; 52: no answer.
            #expect(try run("curl", "-sS", health).code == 60)
            #expect(try run("curl", "-sS", "http://127.0.0.1:\(hub.port)/healthz").code == 52)
            let url = "wss://127.0.0.1:\(hub.port)/graphql"
            let query = "{ __typename }"
            let answer = "{\"data\":{\"__typename\":\"Query\"}}\n"
            func publish(_ more: String...) throws -> (code: Int32, output: String) {
                let program = try Program(
                    heliographBinary, ["publish", query, "--url", url] + more)
                let code = try program.waitForExit(seconds: 60)
                return (code, program.standardOutput + program.standardError)
            }
            #expect(try publish("--ca-file", path("ca.crt")) == (0, answer))
            #expect(try publish("--insecure") == (0, answer))
            let refused = try publish()
            #expect(refused.code == 4)
            #expect(refused.output.contains("certificate is not trusted"), "\(refused.output)")
        }
    }

    @Test func `SIGHUP gives new sockets the new certificate and old ones go on`() throws {
        try withSecureHub(names: ["old.example"], spare: ["new.example"]) { hub, path in
            let (code, output) = try run(
                gqlPython, "Tests/EndToEndTests/Clients/secure.py", "\(hub.port)",
                "\(hub.program.processID)", path("ca.crt"), path("old.example.crt"),
                path("old.example.key"), path("new.example.crt"), path("new.example.key"))
            #expect(code == 0, "\(output)")
            #expect(output.hasPrefix("TLSv1.3: "), "\(output)")
        }
    }

    @Test func `a hub that is full turns the next away, and one that stops says so to all`()
        throws
    {
        let options = ["--drain-seconds", "2", "--limit", "connections-max=4"]
        try withSecureHub(names: ["hub.example"], options: options) { hub, path in
            let (code, output) = try run(
                gqlPython, "Tests/EndToEndTests/Clients/secure_end.py", "\(hub.port)",
                "\(hub.program.processID)", path("ca.crt"), "4")
            #expect(code == 0, "\(output)")
            let lines = output.split(separator: "\n")
            #expect(lines.first == "one too many is turned away")
            #expect(lines.dropFirst().count == 4)
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("closed 1012 Service Restart") })
            #expect(try hub.program.waitForExit(seconds: 20) == 0)
            let line = try hub.program.errorLine(startingWith: "heliograph: limit reached")
            #expect(line.contains("connections-max=4"))
        }
    }

    @Test func `who never finishes the handshake is let go, counted and logged`() throws {
        let options = ["--limit", "handshake-seconds-max=1"]
        try withSecureHub(names: ["hub.example"], options: options) { hub, path in
            let silent = try RawConnection(port: hub.port)
            // The first bytes of a record that goes no further.
            try silent.send([0x16, 0x03, 0x01])
            #expect(try silent.takeAll() == "")
            let line = try hub.program.errorLine(startingWith: "heliograph: limit reached")
            #expect(line.contains("handshake-seconds-max=1"))
            let page = try run("curl", "-sS", "--cacert", path("ca.crt"), "\(hub.base)/metrics")
            let sample = "heliograph_limit_reached_total{limit=\"handshake-seconds-max\"} 1\n"
            #expect(page.output.contains(sample))
        }
    }

    @Test func `several pairs are chosen by host name`() throws {
        try withSecureHub(names: ["one.example", "two.example"]) { hub, path in
            for name in ["one.example", "two.example"] {
                let url = "https://\(name):\(hub.port)/healthz"
                let resolve = "\(name):\(hub.port):127.0.0.1"
                let answer = try run(
                    "curl", "-sS", "--cacert", path("ca.crt"), "--resolve", resolve, url)
                #expect(answer == (0, "ok\n"))
            }
        }
    }

    @Test func `files that are of no use are named before anything starts`() throws {
        func serve(_ options: String...) throws -> (code: Int32, output: String) {
            let program = try Program(
                heliographBinary,
                ["serve", exampleSchema, "--memory", "--no-auth", "--port", "0"] + options)
            let code = try program.waitForExit(seconds: 60)
            return (code, program.standardOutput + program.standardError)
        }
        let alone = try serve("--tls-cert", "chain.pem")
        #expect(alone.code == 2)
        #expect(alone.output.contains("come in pairs"))
        let missing = try serve("--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.key")
        #expect(missing.code == 3)
        #expect(
            missing.output.contains("/nowhere.pem cannot be read: No such file or directory"))
    }
}
