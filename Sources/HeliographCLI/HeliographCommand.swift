import Glibc

/// The door: `heliograph COMMAND …`.
@main struct HeliographCommand {
    static let version = "0.1.0"

    static var commands: [any Command.Type] {
        [
            ServeCommand.self, CheckCommand.self, SubscribeCommand.self, PublishCommand.self,
            BenchCommand.self, LimitsCommand.self,
        ]
    }

    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        let name = arguments.popFirst()
        switch name {
        case nil, "--help", "-h", "help":
            if let word = arguments.first, let command = command(named: word) {
                Console.out(command.syntax.help)
            } else {
                Console.out(help)
            }
            exit(name == nil ? ExitCode.usage.rawValue : 0)
        case "--version", "version": Console.out("heliograph \(version)")
        case .some(let word): await run(word, Array(arguments))
        }
    }

    private static func run(_ word: String, _ arguments: [String]) async {
        guard let command = command(named: word) else {
            let near = nearest(word, among: commands.map { $0.syntax.name })
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            end(.usage("unknown command \(word)\(hint) (heliograph --help lists all)"))
        }
        if arguments.contains("--help") || arguments.contains("-h") {
            Console.out(command.syntax.help)
            return
        }
        do throws(CommandFailure) {
            let code = try await command.run(try command.syntax.parse(arguments))
            exit(code.rawValue)
        } catch {
            end(error)
        }
    }

    private static func end(_ failure: CommandFailure) -> Never {
        if !failure.message.isEmpty { Console.err("heliograph: \(failure.message)") }
        exit(failure.code.rawValue)
    }

    private static func command(named name: String) -> (any Command.Type)? {
        commands.first { $0.syntax.name == name }
    }

    private static var help: String {
        let width = commands.map { $0.syntax.name.count }.max() ?? 0
        let lines = commands.map { command -> String in
            let name = command.syntax.name
            return "  \(name)\(String(repeating: " ", count: width - name.count))  "
                + command.syntax.summary
        }
        return """
            heliograph \(version): a self-hosted realtime GraphQL hub

            usage: heliograph COMMAND [options]

            commands:
            \(lines.joined(separator: "\n"))

            heliograph COMMAND --help tells the options of a command.
            exit codes: 0 all went well, 1 the answer is no, 2 wrong command line,
            3 the server cannot start, 4 the hub cannot be reached
            """
    }
}

/// One command of the tool.
protocol Command {
    static var syntax: CommandSyntax { get }
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitCode
}
