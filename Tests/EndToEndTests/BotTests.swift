import Bytes
import Foundation
import JSON
import Testing

/// The demo bot as built, beside a running hub.
@Suite(.serialized) struct BotTests {
    /// It stands beside the hub's binary.
    private static var binary: String {
        URL(fileURLWithPath: heliographBinary).deletingLastPathComponent()
            .appendingPathComponent("IsolationNationBot").path
    }

    private func query(_ text: String, on hub: RunningHub) throws -> JSONValue {
        let program = try Program(
            heliographBinary, ["publish", text, "--url", "ws://127.0.0.1:\(hub.port)/graphql"])
        #expect(try program.waitForExit() == 0, "\(program.standardError)")
        return try JSONValue(parsing: program.standardOutput)
    }

    private func say(_ body: String, on hub: RunningHub) throws {
        _ = try query(
            """
            mutation { createMessage(input: {
              body: "\(body)", messageThreadId: "thread-SW1A", messageAuthorId: "ada"}) { id } }
            """, on: hub)
    }

    private func start(_ words: [String], on hub: RunningHub) throws -> Program {
        let bot = try Program(
            Self.binary, words + ["--url", "ws://127.0.0.1:\(hub.port)/graphql"])
        _ = try bot.line(startingWith: "listening in SW1A as Iris")
        return bot
    }

    @Test func `the bot opens its area's thread and answers each message once`() throws {
        try withTemporaryFolder { folder in
            let options = ["--data", folder.path, "--no-auth"]
            let hub = try RunningHub(options)
            _ = try query(
                #"mutation { createUser(input: {id: "ada", username: "Ada"}) { id } }"#, on: hub)
            let bot = try start(["sw1a1aa"], on: hub)
            try say("Hello!", on: hub)
            try bot.line(containing: "↳ Iris: Welcome to SW1A, Ada. Hello Ada")
            // It comes back after a restart, and finds what was sent before it was back.
            try hub.stop()
            let again = try RunningHub(options, port: hub.port)
            try say("I need milk", on: again)
            try bot.line(containing: "↳ Iris: Who in SW1A is going to the shops")
            bot.signal(SIGINT)
            #expect(try bot.waitForExit() == 0)
            #expect(
                bot.standardOutput.hasPrefix("created the user Iris\ncreated the thread of SW1A\n"))

            // A second visit finds user and thread, and has no more to say about old messages.
            let visitor = try start(["SW1A", "1AA"], on: again)
            #expect(visitor.standardOutput.hasPrefix("found the thread of SW1A\n"))
            try say("thanks", on: again)
            try visitor.line(containing: "↳ Iris: Welcome to SW1A, Ada. You are welcome, Ada.")
            visitor.signal(SIGTERM)
            #expect(try visitor.waitForExit() == 0)
            let replies = try query("{ listReplies { items { id } } }", on: again)
            #expect(replies["data"]?["listReplies"]?["items"]?.items?.count == 3)
            try again.stop()
        }
    }

    @Test func `the bot refuses what is no postcode and tells when there is no hub`() throws {
        let nonsense = try Program(Self.binary, ["nonsense"])
        #expect(try nonsense.waitForExit() == 2)
        #expect(nonsense.standardError.contains("that is no postcode: write it like SW1A 1AA"))
        let hub = try RunningHub(["--memory", "--no-auth"])
        try hub.stop()
        let lonely = try Program(
            Self.binary, ["SW1A", "--url", "ws://127.0.0.1:\(hub.port)/graphql"])
        #expect(try lonely.waitForExit() == 4)
        #expect(lonely.standardError.contains("heliograph serve starts one"))
    }
}
