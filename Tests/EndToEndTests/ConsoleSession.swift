import Foundation
import Testing

/// One command of a document's `console` block, and the lines that the document says it prints.
struct ConsoleStep: Sendable {
    var command: String
    var output: [String]

    /// The steps of a document. A command begins with `$ ` and goes on in lines with `> `.
    static func steps(of text: String) -> [ConsoleStep] {
        var steps: [ConsoleStep] = []
        var isInside = false
        var isCommand = false
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isInside = line == "```console"
            } else if !isInside {
                continue
            } else if line.hasPrefix("$ ") {
                steps.append(ConsoleStep(command: String(line.dropFirst(2)), output: []))
                isCommand = true
            } else if isCommand, line.hasPrefix("> ") || line == ">" {
                steps[steps.count - 1].command += "\n" + line.dropFirst(2)
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(line)
                isCommand = false
            }
        }
        return steps
    }

    /// What `make` says before it runs the hub stands in no test.
    fileprivate var expected: [String] {
        output.filter { !$0.hasPrefix("==> ") && !$0.hasPrefix("Built ") && $0 != "^C" }
    }

    /// A response that goes on until its reader is stopped.
    fileprivate var isStream: Bool { command.contains("curl -sN ") }

    fileprivate var isInterrupted: Bool { output.contains("^C") }
}

/// Runs a document's commands in a folder of their own, as a reader would: servers and
/// subscriptions in terminals that stay open, everything else one after the other.
struct ConsoleSession {
    private let folder: URL
    private var port = 0
    private var open: [(step: ConsoleStep, program: Program)] = []

    private init(_ folder: URL) { self.folder = folder }

    /// Runs all of a document's commands and compares what they print.
    static func run(_ path: String) throws {
        let text = try String(
            contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
        try withTemporaryFolder { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent("Examples"),
                withDestinationURL: repository.appendingPathComponent("Examples"))
            var session = ConsoleSession(folder)
            let steps = ConsoleStep.steps(of: text)
            #expect(!steps.isEmpty, "\(path) has no console block")
            for step in steps { try session.run(step) }
            try session.finish()
        }
    }

    private mutating func run(_ step: ConsoleStep) throws {
        let isServer =
            step.command.contains("make serve") || step.command.contains("hub serve ")
            || step.command.contains("heliograph serve ")
        let mark = isServer ? "listening " : step.isStream ? ":" : "live"
        let staysOpen =
            step.output.contains { $0.hasPrefix(mark) }
            && (isServer || step.isStream || step.command.contains("heliograph subscribe "))
        let program = try Program(
            "/bin/bash", ["-c", "cd '\(folder.path)' && " + shellText(step.command)])
        guard staysOpen else {
            try program.waitForExit()
            compare(step, program)
            return
        }
        let line = try program.line(startingWith: mark)
        if isServer, port == 0 {
            let address = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            port = try #require(URLComponents(string: address)?.port)
        }
        guard step.isInterrupted else {
            open.append((step, program))
            return
        }
        program.signal(SIGINT)
        try program.waitForExit()
        compare(step, program)
    }

    /// The open terminals are looked at last, then closed, the latest first.
    private func finish() throws {
        for (step, program) in open.reversed() {
            if let last = step.expected.last(where: { !$0.isEmpty }) {
                let here = last.replacingOccurrences(of: ":8080", with: ":\(port)")
                _ = try program.line(startingWith: here)
            }
            compare(step, program)
            // curl has no goodbye to wait for, and the hub sees that it is gone.
            if step.isStream {
                program.signal(SIGKILL)
                continue
            }
            program.signal(SIGINT)
            try program.waitForExit()
        }
    }

    /// The command with this test's binary and port.
    private func shellText(_ command: String) -> String {
        let url = "--url ws://127.0.0.1:\(port)/graphql"
        let hub = heliographBinary
        var text = command
        for (words, instead) in [
            ("make serve", "exec heliograph serve \(exampleSchema)"),
            ("heliograph serve --help", "'\(hub)' serve --help"),
            ("heliograph serve ", "exec '\(hub)' serve --port \(port) "),
            ("heliograph publish '", "'\(hub)' publish \(url) '"),
            ("heliograph subscribe '", "exec '\(hub)' subscribe \(url) '"),
            ("curl -sN ", "exec curl -sN "),
            ("heliograph ", "'\(hub)' "), ("exec exec ", "exec "), (":8080", ":\(port)"),
        ] {
            text = text.replacingOccurrences(of: words, with: instead)
        }
        return "exec 2>&1; \(text)"
    }

    private func compare(_ step: ConsoleStep, _ program: Program) {
        var printed = program.standardOutput.components(separatedBy: "\n")
        if printed.last == "" { printed.removeLast() }
        let found = printed.map(Self.patterned).joined(separator: "\n")
        let wanted = step.expected.map(Self.patterned).joined(separator: "\n")
        #expect(found == wanted, "$ \(step.command)")
    }

    /// The line with names for what differs from run to run.
    static func patterned(_ line: String) -> String {
        let patterns = [
            ("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<id>"),
            ("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "<time>"),
            ("da2-[a-z0-9]{26}", "<key>"), ("127\\.0\\.0\\.1:[0-9]+", "127.0.0.1:<port>"),
            ("shards   [0-9]+", "shards   <cores>"), ("closed in [0-9.]+ s", "closed in <time>"),
        ]
        return patterns.reduce(line) { text, pattern in
            text.replacingOccurrences(
                of: pattern.0, with: pattern.1, options: .regularExpression)
        }
    }
}
