import Foundation
import Testing

/// `heliograph serve` as an operator meets it: readiness, key, data folder, stopping.
@Suite(.serialized) struct ServeTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `standard output is the ready line, standard error the banner`() throws {
        let hub = try RunningHub(["--memory", "--no-auth", "--shards", "3"])
        let ready = "listening \(hub.base)/graphql ws://127.0.0.1:\(hub.port)/graphql\n"
        let health = try hub.request("GET /healthz")
        #expect(health.status == 200)
        #expect(health.body == "ok\n" || health.body == "ok")
        try hub.stop()
        #expect(hub.program.standardOutput == ready)
        let banner = hub.program.standardError
        #expect(banner.hasPrefix("heliograph "))
        #expect(banner.contains("schema   \(exampleSchema): User, Thread, Message, Reply, "))
        #expect(banner.contains("store    in memory: records are gone when the hub stops"))
        #expect(banner.contains("shards   3"))
        #expect(banner.contains("access   everybody on this machine (--no-auth)"))
        #expect(banner.contains("stopping: finishing what is in flight, for at most 10 s; "))
        #expect(banner.contains("\nstopped: 0 connections closed in 0."))
    }

    @Test func `the API key is made once, kept with mode 600, printed once and used again`() throws
    {
        try withTemporaryFolder { folder in
            let data = folder.file("data")
            let first = try RunningHub(["--data", data])
            let key = try String(contentsOfFile: data + "/api-key", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
            #expect(key.hasPrefix("da2-") && key.count >= 30)
            #expect(try mode(data + "/api-key") == 0o600)
            #expect(try mode(data + "/heliograph.sqlite") == 0o600)
            #expect(try mode(data) == 0o700)
            #expect(try first.run("{ __typename }", key: key).status == 200)
            let refused = try first.run("{ __typename }", key: nil)
            #expect(refused.status == 401)
            #expect(try first.run("{ __typename }", key: key + "x").status == 401)
            try first.stop()
            let banner = first.program.standardError
            #expect(banner.components(separatedBy: key).count == 2)
            #expect(banner.contains("shown this once and kept in \(data)/api-key: \(key)\n"))

            let second = try RunningHub(["--data", data])
            #expect(try second.run("{ __typename }", key: key).status == 200)
            try second.stop()
            #expect(!second.program.standardError.contains(key))
            #expect(second.program.standardError.contains("the API key in \(data)/api-key\n"))
        }
    }

    @Test func `a key that is given is neither kept nor printed`() throws {
        try withTemporaryFolder { folder in
            let hub = try RunningHub(["--data", folder.path, "--api-key", testKey])
            #expect(try hub.run("{ __typename }").status == 200)
            try hub.stop()
            #expect(!hub.program.standardError.contains(testKey))
            #expect(!FileManager.default.fileExists(atPath: folder.file("api-key")))
        }
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.2", "::1"])
    func `without keys a hub opens on loopback addresses`(host: String) throws {
        let program = try Program(
            heliographBinary,
            ["serve", exampleSchema, "--memory", "--no-auth", "--port", "0", "--host", host])
        let shown = host.contains(":") ? "[\(host)]" : host
        _ = try program.line(startingWith: "listening http://\(shown):")
        program.signal(SIGTERM)
        #expect(try program.waitForExit() == 0)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1"])
    func `without keys no other address is opened`(host: String) throws {
        let outcome = try heliograph(
            "serve", exampleSchema, "--memory", "--no-auth", "--port", "0", "--host", host)
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("on loopback addresses only, not on \(host)"))
        #expect(outcome.errors.contains("leave it out, or listen on 127.0.0.1"))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a stop finishes what is in flight and sends the sockets away to come again`(
        signal: Int32
    ) throws {
        try withTemporaryFolder { folder in
            let hub = try RunningHub(
                ["--data", folder.path, "--api-key", testKey, "--drain-seconds", "1"])
            let listener = try SocketClient(hub)
            try listener.subscribe("1", "subscription { onCreateUser { id } }")
            let legacy = try SocketClient(hub, "graphql-ws")
            let idle = try SocketClient(hub, key: nil)
            let writer = try SocketClient(hub)
            let ids = (0..<200).map { "u\($0)" }
            try writer.send(frame: ids.flatMap { SocketClient.frame(Self.creation(of: $0)) })
            // The first answer shows that the others are on their way.
            let first = try #require(try writer.next())
            try hub.stop(by: signal)

            let (messages, close) = try writer.rest()
            #expect(Self.isRestart(close))
            let acknowledged = ([first] + messages.map { .text($0) }).compactMap(Self.createdID)
            #expect(!acknowledged.isEmpty)
            for client in [listener, idle, legacy] {
                #expect(Self.isRestart(try client.rest().close))
            }
            #expect(throws: ProgramFailure.self) { try RawConnection(port: hub.port) }

            let again = try RunningHub(["--data", folder.path, "--api-key", testKey])
            let kept = try again.userIDs()
            #expect(Set(acknowledged).subtracting(kept).isEmpty)
            try again.stop()
        }
    }

    private static func isRestart(_ close: SocketClient.Answer?) -> Bool {
        guard case .close(1012, let reason)? = close else { return false }
        return reason.hasPrefix("Service Restart; retry after ")
    }

    private static func creation(of id: String) -> String {
        SocketClient.subscribe(
            id, "mutation { createUser(input: {id: \"\(id)\", username: \"ada\"}) { id } }")
    }

    /// The id in the answer to a creation, if the message is one.
    private static func createdID(_ answer: SocketClient.Answer) -> String? {
        guard case .text(let text) = answer, text.contains("\"createUser\":{\"id\":\"") else {
            return nil
        }
        return text.components(separatedBy: "\"createUser\":{\"id\":\"").last?
            .components(separatedBy: "\"").first
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `records outlive the hub, however it ends`(signal: Int32) throws {
        try withTemporaryFolder { folder in
            for round in 1...3 {
                let hub = try RunningHub(["--data", folder.path, "--api-key", testKey])
                try hub.createUser("u\(round)")
                #expect(try hub.userIDs() == (1...round).map { "u\($0)" })
                hub.program.signal(signal)
                _ = try? hub.program.waitForExit()  // A killed one has no exit code.
            }
        }
    }

    @Test func `the small schemas are served or refused as they should be`() throws {
        let hub = try RunningHub(
            schema: "Examples/CashFlow/schema.graphql", ["--memory", "--api-key", testKey])
        let created = try hub.run(
            "mutation { createAccount(input: {balance: 12.5}) { balance createdAt } }")
        #expect(created.body.hasPrefix("{\"data\":{\"createAccount\":{\"balance\":12.5,\"cre"))
        try hub.stop()
        let check = try heliograph("check", "Examples/CashFlow/schema.graphql")
        #expect(check.code == 0)
        #expect(check.output.contains("createAccount, updateAccount, deleteAccount"))
        #expect(check.errors.isEmpty)
    }

    @Test func `a schema with @auth is checked with a note and not served`() throws {
        let schema = "Examples/Notes/schema.graphql"
        let check = try heliograph("check", schema)
        #expect(check.code == 0)
        #expect(check.output.contains("createNote, updateNote, deleteNote"))
        let why =
            "\(schema), line 1: @auth on Note restricts access, which this server does not enforce "
            + "yet; it does not serve such a schema, because everybody could read and change what "
            + "the rule protects"
        #expect(check.errors == "note: \(why)\n")
        let serve = try heliograph("serve", schema, "--memory", "--port", "0")
        #expect(serve.code == 3)
        #expect(serve.output.isEmpty)
        #expect(serve.errors.hasPrefix("heliograph: \(why) (take "))
        #expect(serve.errors.split(separator: "\n").count == 1)
    }
}
