import Dispatch
import Glibc
import HubClient

/// `IsolationNationBot POSTCODE`.
@main struct BotCommand {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.contains("--help") || words.contains("-h") { return say(BotArguments.usage) }
        let (interrupts, told) = AsyncStream<Void>.makeStream()
        let signals = Signals { told.yield() }
        defer { withExtendedLifetime(signals) {} }
        do {
            try await Bot.run(try BotArguments(words), until: interrupts)
            say("bye")
        } catch let failure as BotFailure {
            end(failure)
        } catch var error as HubError {
            if error.code == .notConnected {
                error.recovery = "is a hub there? heliograph serve starts one, --url names another"
            }
            // 1 for an answer of the hub, 4 for no answer.
            end(BotFailure(code: error.code == .refused ? 1 : 4, message: error.description))
        } catch {
            end(BotFailure(code: 4, message: "\(error)"))
        }
    }

    private static func end(_ failure: BotFailure) -> Never {
        complain(failure.message)
        exit(failure.code)
    }
}

/// Tells Ctrl-C and a request to end, for as long as it lives.
private final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(_ told: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "signals")
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { told() }
            source.activate()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }
}

/// Writes a line of the transcript at once, also into a pipe.
func say(_ line: String) { write(line, to: STDOUT_FILENO) }

/// Writes a line for the person at the terminal.
func complain(_ line: String) { write(line, to: STDERR_FILENO) }

private func write(_ line: String, to descriptor: Int32) {
    var text = line + "\n"
    // A line is short; if nobody reads it any more, the signal for that ends the bot.
    text.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
}
