import Bytes
import HubClient
import JSON
import Testing

@testable import HeliographCLI

struct ClientArgumentTests {
    private func failure(_ body: () throws(CommandFailure) -> Void) -> CommandFailure? {
        do throws(CommandFailure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (["q", "--variables", "{x"], "unexpected character in JSON (at byte 1)"),
        (["q", "--variables", "[1]"], "takes a JSON object, not a list"),
        (["q", "--variables", "@/no/such/file"], "cannot be read"),
        (["@/no/such/file"], "cannot be read"),
    ])
    func `an operation that cannot be read is told in a sentence`(
        arguments: [String], expected: String
    ) {
        let failure = failure { () throws(CommandFailure) in
            _ = try OperationText(try PublishCommand.syntax.parse(arguments))
        }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains(expected) == true, "\(failure?.message ?? "none")")
    }

    @Test(arguments: [
        ("hub", "does not begin with ws://"), ("ws://hub:0/", "port"), ("ws://", "no host"),
    ])
    func `a URL that will not do is told in a sentence`(url: String, expected: String) {
        let failure = failure { () throws(CommandFailure) in
            _ = try HubTarget(try PublishCommand.syntax.parse(["q", "--url", url]))
        }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains(expected) == true, "\(failure?.message ?? "none")")
    }

    @Test(arguments: [
        (["--url", "ws://hub/graphql", "--insecure"], "for encrypted connections"),
        (["--url", "wss://hub/graphql", "--insecure"], "a hub on this machine only"),
        (["--url", "wss://hub/graphql", "--ca-file", "/no/such/file"], "--ca-file"),
    ])
    func `trust that will not do is told in a sentence`(options: [String], expected: String) {
        let failure = failure { () throws(CommandFailure) in
            _ = try HubTarget(try PublishCommand.syntax.parse(["q"] + options))
        }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains(expected) == true, "\(failure?.message ?? "none")")
    }

    @Test func `a policy for slow reading goes into connection_init, beside the key`() throws {
        func target(_ options: String...) throws(CommandFailure) -> HubTarget {
            try HubTarget(try SubscribeCommand.syntax.parse(["q"] + options))
        }
        let payload = try target("--slow-consumer", "drop-oldest", "--api-key", "k").configuration
            .initPayload
        #expect(payload?["heliograph"] == ["slowConsumer": "drop-oldest"])
        #expect(payload?["x-api-key"] == "k")
        #expect(try target("--api-key", "k").configuration.initPayload?["heliograph"] == nil)
        let failure = failure { () throws(CommandFailure) in
            _ = try target("--slow-consumer", "wait")
        }
        #expect(failure?.code == .usage)
        #expect(failure?.message == "--slow-consumer takes close, drop-oldest or latest")
    }

    @Test func `variables keep their order and the document its text`() throws {
        let operation = try OperationText(
            try PublishCommand.syntax.parse(["mutation { x }", "--variables", #"{"b":1,"a":2}"#]))
        #expect(operation.query == "mutation { x }")
        #expect(operation.kind == .mutation)
        #expect(operation.variables.members.map(\.name) == ["b", "a"])
    }

    @Test func `subscribers are spread evenly over the topics`() throws {
        let settings = try BenchSettings(
            try BenchCommand.syntax.parse(["--connections", "11", "--topics", "4"]))
        #expect((0..<4).map(settings.readers) == [3, 3, 3, 2])
        #expect(settings.publishers == 4)
    }

    @Test func `a share of the subscribers stalls, of all topics`() throws {
        func settings(_ share: String) throws(CommandFailure) -> BenchSettings {
            let words = ["--connections", "99", "--topics", "3", "--stalled", share]
            return try BenchSettings(try BenchCommand.syntax.parse(words))
        }
        #expect(try settings("10%").stalled == 9)
        #expect(try settings("10%").readers == 90)
        #expect((0..<3).map(try settings("10%").readers) == [30, 30, 30])
        #expect(try settings("0%").stalled == 0)
        for wrong in ["10", "100%", "-1%", "%", "x%"] {
            let failure = failure { () throws(CommandFailure) in _ = try settings(wrong) }
            #expect(failure?.message == "--stalled takes a share from 0% to 99%, such as 10%")
        }
    }

    @Test func `more connections than file descriptors are refused with the way out`() {
        let failure = failure { () throws(CommandFailure) in
            _ = try BenchSettings(try BenchCommand.syntax.parse(["--connections", "1000000"]))
        }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains("ulimit -Hn 1000068") == true)
    }
}
