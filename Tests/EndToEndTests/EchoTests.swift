import Foundation
import Testing

/// `websocket-echo` as built: what conformance suites run against.
@Suite struct EchoTests {
    /// `WEBSOCKET_ECHO`, or what `make conformance` leaves.
    private var binary: String {
        ProcessInfo.processInfo.environment["WEBSOCKET_ECHO"]
            ?? repository.appendingPathComponent(".build/release/websocket-echo").path
    }

    private func run(
        _ arguments: [String]
    ) throws -> (code: Int32, output: String, errors: String) {
        let program = try Program(binary, arguments)
        let code = try program.waitForExit(seconds: 20)
        return (code, program.standardOutput, program.standardError)
    }

    @Test func `the websockets library gets its messages back, by TLS and in both roles`() throws {
        let client = try Program(gqlPython, ["Tests/EndToEndTests/Clients/echo.py", binary])
        let code = try client.waitForExit(seconds: 120)
        #expect(code == 0, "\(client.standardOutput)\(client.standardError)")
    }

    @Test(arguments: [
        (["--port"], "--port has no value"), (["--port", "x"], "--port: x is no number"),
        (["--port", "1", "--port", "2"], "--port is given twice"), (["--loud", "1"], "--loud"),
        (["--tls-cert", "a"], "go together"), (["--agent", "a"], "goes with --connect"),
        (["--tls-cert", "/none", "--tls-key", "/none"], "/none cannot be read"),
        (["--connect", "tcp://a"], "does not begin with ws://"),
        (["--connect", "ws://a", "--agent", "a b"], "--agent: only letters"),
        (["--connect", "ws://a", "--port", "1"], "--port does not go with --connect"),
        (["--connect", "wss://a", "--ca-file", "/none"], "/none cannot be read"),
    ])
    func `a wrong command line is refused with the reason`(
        arguments: [String], says: String
    ) throws {
        let result = try run(arguments)
        #expect(result.code == 2)
        #expect(result.errors.hasPrefix("websocket-echo: "))
        #expect(result.errors.contains(says), "\(result.errors)")
        #expect(result.errors.contains("usage: websocket-echo"))
        #expect(result.output == "")
    }

    @Test func `exit codes tell what went wrong`() throws {
        #expect(try run(["--help"]).code == 0)
        let server = try Program(binary, [])
        let address = try server.line(startingWith: "listening ws://127.0.0.1:")
        let port = try #require(address.dropLast().split(separator: ":").last)
        let taken = try run(["--port", String(port)])
        #expect(taken.code == 3 && taken.errors.contains("websocket-echo: "))
        #expect(try run(["--connect", "ws://127.0.0.1:1"]).code == 4)
        server.signal(SIGTERM)
    }
}
