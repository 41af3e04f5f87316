import Bytes
import HubClient
import JSON

/// `heliograph publish 'mutation …'`.
enum PublishCommand: Command {
    static let syntax = CommandSyntax(
        name: "publish", summary: "Runs a mutation or query on a hub and prints its response.",
        words: ["OPERATION"],
        groups: [
            HubTarget.options,
            (
                "operation",
                OperationText.options + [
                    Option(
                        "--seconds", "N", "seconds to wait for the response, 1 to 3600",
                        defaultText: "30")
                ]
            ),
            (
                "output",
                [Option("--pretty", nil, "indent the response instead of printing one line")]
            ),
        ],
        examples: [
            #"heliograph publish 'mutation { createUser(input: {username: "ada"}) { id } }'"#,
            #"heliograph publish @send.graphql --variables '{"body": "hello"}'"#,
            "heliograph publish '{ listThreads { items { id name } } }' --pretty",
        ])

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitCode {
        let operation = try OperationText(arguments)
        guard operation.kind != .subscription else {
            throw .usage("the operation is a subscription: heliograph subscribe listens to it")
        }
        let target = try HubTarget(arguments)
        let seconds = try arguments.integer("--seconds", default: 30, in: 1...3_600)
        let response = try await response(to: operation, of: target, withinSeconds: seconds)
        let isPretty = arguments.switches.contains("--pretty")
        Console.out(isPretty ? response.prettyText : response.jsonText)
        guard let errors = response["errors"]?.items, !errors.isEmpty else { return .success }
        for line in ErrorReport.lines(errors, document: operation.query) { Console.err(line) }
        return .failure
    }

    /// The response object. A request that was refused as a whole has one without data.
    private static func response(
        to operation: OperationText, of target: HubTarget, withinSeconds seconds: Int
    ) async throws(CommandFailure) -> JSONValue {
        do {
            var configuration = target.configuration
            // A query is repeated after a lost connection, but not for ever.
            configuration.attemptsMax = 5
            let hub = try await HubConnection.connect(configuration)
            defer { hub.close() }
            let response = try await withTimeLimit(seconds: seconds) {
                try await hub.execute(
                    operation.query, variables: operation.variables, kind: operation.kind)
            }
            guard let response else {
                throw CommandFailure(
                    code: .unreachable,
                    message: "no response within \(seconds) s (--seconds N waits longer)")
            }
            return response
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as HubError where error.code == .refused {
            return ["errors": .array(error.errors)]
        } catch let error as HubError {
            throw target.failure(error)
        } catch {
            throw CommandFailure(code: .unreachable, message: "\(error)")
        }
    }
}

/// What the work returns, or nil if it takes longer than this; it is then cancelled.
func withTimeLimit<Value: Sendable>(
    seconds: Int, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}
