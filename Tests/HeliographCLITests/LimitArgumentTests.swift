import Hub
import Testing

@testable import HeliographCLI

/// `serve --limit NAME=VALUE`.
@Suite struct LimitArgumentTests {
    private func limits(_ options: String...) throws -> Limits {
        try Limits(try ServeCommand.syntax.parse(["schema.graphql"] + options))
    }

    private func refusal(_ options: [String]) -> String {
        do throws(CommandFailure) {
            _ = try Limits(try ServeCommand.syntax.parse(["schema.graphql"] + options))
            return ""
        } catch {
            return error.message
        }
    }

    @Test func `without options the limits are the defaults`() throws {
        #expect(try limits() == Limits())
    }

    @Test func `each limit is set by its name to either end of its range`() throws {
        for key in LimitKey.all {
            // These two bound each other.
            if key.name == "ping-after-seconds" || key.name == "silence-seconds-max" { continue }
            for value in [key.range.lowerBound, key.range.upperBound] {
                let limits = try limits("--limit", "\(key.name)=\(value)")
                #expect(key.value(in: limits) == value)
                var others = limits
                key.set(key.value(in: Limits()), in: &others)
                #expect(others == Limits(), "\(key.name)")
            }
        }
    }

    @Test func `names and defaults are of one piece`() {
        #expect(Set(LimitKey.all.map(\.name)).count == LimitKey.all.count)
        for key in LimitKey.all {
            #expect(key.range.contains(key.value(in: Limits())), "\(key.name)")
        }
        for name in Limits.optionNames { #expect(LimitKey.named(name) != nil) }
    }

    @Test func `several limits are set at once, and an option is the same limit`() throws {
        let limits = try limits(
            "--limit=connections-max=5", "--message-bytes-max", "2048", "--limit",
            "init-seconds-max=3")
        #expect(limits.connectionsMax == 5)
        #expect(limits.messageBytesMax == 2_048)
        #expect(limits.initSecondsMax == 3)
    }

    @Test(arguments: [
        (
            ["--limit", "connection-max=5"],
            "unknown limit connection-max; did you mean connections-max? "
                + "(heliograph limits lists all)"
        ),
        (
            ["--limit", "nonsense=5"],
            "unknown limit nonsense (heliograph limits lists all)"
        ),
        (
            ["--limit", "connections-max"],
            "--limit connections-max: give it as --limit NAME=VALUE"
        ),
        (
            ["--limit", "init-seconds-max=0"],
            "--limit init-seconds-max takes a whole number from 1 to 3600: "
                + "seconds from the upgrade to connection_init"
        ),
        (
            ["--limit", "init-seconds-max=1.5"],
            "--limit init-seconds-max takes a whole number from 1 to 3600: "
                + "seconds from the upgrade to connection_init"
        ),
        (
            ["--message-bytes-max", "1"],
            "--message-bytes-max takes a whole number from 1024 to 1073741824: "
                + "bytes of one WebSocket message, inflated, or HTTP body"
        ),
        (
            ["--limit", "connections-max=5", "--limit", "connections-max=6"],
            "limit connections-max is given twice"
        ),
        (
            ["--limit", "message-bytes-max=5000", "--message-bytes-max", "6000"],
            "limit message-bytes-max is given twice: --message-bytes-max and "
                + "--limit message-bytes-max are one"
        ),
        (
            ["--limit", "silence-seconds-max=20"],
            "silence-seconds-max has to be more than ping-after-seconds, so that a peer can "
                + "answer a ping before it is dropped: 20 and 20 were given"
        ),
    ])
    func `a setting that will not do is told in a sentence`(options: [String], expected: String) {
        #expect(refusal(options) == expected)
    }
}
