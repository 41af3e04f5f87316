import Foundation
import Testing

/// The repository that the tests stand in.
let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The built binary: `HELIOGRAPH_BIN`, or what `make build` leaves.
var heliographBinary: String {
    ProcessInfo.processInfo.environment["HELIOGRAPH_BIN"]
        ?? repository.appendingPathComponent(".build/release/heliograph").path
}

/// The Python with the stock GraphQL clients: `HELIOGRAPH_PYTHON`, or what `make test` installs.
var gqlPython: String {
    ProcessInfo.processInfo.environment["HELIOGRAPH_PYTHON"]
        ?? repository.appendingPathComponent(".build/venv-gql/bin/python").path
}

/// A program that runs beside the test, with its output at hand line by line.
final class Program: @unchecked Sendable {
    // Safe to share: `lock` guards the text, and Process is only used from the test's own task.
    private let process = Process()
    private let lock = NSCondition()
    private var output = ""
    private var errors = ""
    private var openPipes = 2

    /// Held while a program is started. A program that another test starts at that moment would
    /// inherit the pipes' ends, and keep them open for as long as it runs.
    private static let starting = NSLock()

    init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        Self.starting.lock()
        defer { Self.starting.unlock() }
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = repository
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let out = Pipe()
        let err = Pipe()
        process.standardOutput = out
        process.standardError = err
        process.standardInput = FileHandle.nullDevice
        try process.run()
        collect(out) { $0.output += $1 }
        collect(err) { $0.errors += $1 }
    }

    /// Reads on a thread of its own: blocking reads see the end of a pipe whatever else happens.
    private func collect(_ pipe: Pipe, _ add: @escaping @Sendable (Program, String) -> Void) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            while true {
                let data = handle.availableData
                guard let self else { return }
                self.lock.withLock {
                    if data.isEmpty {
                        self.openPipes -= 1
                    } else {
                        add(self, String(decoding: data, as: UTF8.self))
                    }
                    self.lock.broadcast()
                }
                if data.isEmpty { return }
            }
        }
    }

    var standardOutput: String { lock.withLock { output } }
    var standardError: String { lock.withLock { errors } }
    var processID: Int32 { process.processIdentifier }

    /// Waits until a whole line of standard output has the prefix, or fails.
    func line(startingWith prefix: String, seconds: Double = 20) throws -> String {
        try line(of: \.output, seconds: seconds, "\(prefix)…") { $0.hasPrefix(prefix) }
    }

    /// Waits until a whole line of standard output has these words, or fails.
    @discardableResult
    func line(containing words: String, seconds: Double = 20) throws -> String {
        try line(of: \.output, seconds: seconds, "…\(words)…") { $0.contains(words) }
    }

    /// Waits until that many whole lines of standard error have the prefix, or fails.
    @discardableResult
    func errorLine(
        startingWith prefix: String, number: Int = 1, seconds: Double = 20
    ) throws -> String {
        try line(of: \.errors, number: number, seconds: seconds, "\(prefix)…") {
            $0.hasPrefix(prefix)
        }
    }

    private func line(
        of text: KeyPath<Program, String>, number: Int = 1, seconds: Double, _ wanted: String,
        where isWanted: (Substring) -> Bool
    ) throws -> String {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return try lock.withLock {
            while true {
                let lines = self[keyPath: text].split(
                    separator: "\n", omittingEmptySubsequences: false)
                let found = lines.dropLast().filter(isWanted)
                if found.count >= number { return String(found[number - 1]) }
                guard openPipes > 0, lock.wait(until: deadline) else {
                    throw ProgramFailure("no line '\(wanted)'; it printed: \(output)\(errors)")
                }
            }
        }
    }

    var isRunning: Bool { process.isRunning }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end and returns the exit code; kills the program after the time.
    @discardableResult func waitForExit(seconds: Double = 60) throws -> Int32 {
        let deadline = Date(timeIntervalSinceNow: seconds)
        lock.withLock {
            while openPipes > 0, lock.wait(until: deadline) {}
        }
        if process.isRunning, Date() >= deadline {
            signal(SIGKILL)
            throw ProgramFailure("still running after \(seconds) s; it printed: \(standardError)")
        }
        process.waitUntilExit()
        guard process.terminationReason == .exit else {
            throw ProgramFailure(
                "ended by signal \(process.terminationStatus); it printed: \(standardError)")
        }
        return process.terminationStatus
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
}

struct ProgramFailure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// A running hub, on a free port unless one is wanted again.
struct RunningHub {
    let program: Program
    let port: Int
    /// `http`, or `https` if it speaks TLS.
    let scheme: String

    var base: String { "\(scheme)://127.0.0.1:\(port)" }

    /// Starts a hub and waits until it is ready. A launcher is a command that runs the command
    /// behind it.
    init(
        schema: String = exampleSchema, _ options: [String], port wanted: Int = 0,
        launcher: [String] = []
    ) throws {
        let command =
            launcher + [heliographBinary, "serve", schema, "--port", "\(wanted)"] + options
        program = try Program(command[0], Array(command.dropFirst()))
        let line = try program.line(startingWith: "listening ")
        guard
            let text = line.split(separator: " ").dropFirst().first,
            let port = URLComponents(string: String(text))?.port
        else { throw ProgramFailure("unreadable ready line: \(line)") }
        self.port = port
        let isSecure = options.contains("--tls-cert")
        scheme = isSecure ? "https" : "http"
        let place = "127.0.0.1:\(port)/graphql"
        #expect(line == "listening \(scheme)://\(place) \(isSecure ? "wss" : "ws")://\(place)")
    }

    /// Stops the hub as an operator would and checks that it went in good order.
    func stop(by signal: Int32 = SIGTERM) throws {
        program.signal(signal)
        #expect(try program.waitForExit(seconds: 20) == 0)
    }
}

/// The schema of the example app that `make serve` serves.
let exampleSchema = "Examples/IsolationNation/schema.graphql"

/// What a command that ends by itself left behind.
struct Outcome {
    var code: Int32
    var output: String
    var errors: String
}

/// Runs `heliograph` with these arguments to its end.
func heliograph(_ arguments: String...) throws -> Outcome { try heliograph(arguments) }

/// Runs `heliograph` with these arguments to its end.
func heliograph(_ arguments: [String]) throws -> Outcome {
    let program = try Program(heliographBinary, arguments)
    let code = try program.waitForExit(seconds: 30)
    return Outcome(code: code, output: program.standardOutput, errors: program.standardError)
}

extension URL {
    /// The path of something in this folder.
    func file(_ name: String) -> String { appendingPathComponent(name).path }
}

/// A folder of the test's own that is gone afterwards.
func withTemporaryFolder<R>(_ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("heliograph-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // nothing is lost but space
    return try body(folder)
}
