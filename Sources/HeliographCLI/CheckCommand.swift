import Bytes
import GraphQL
import Models

/// `heliograph check SCHEMA`.
enum CheckCommand: Command {
    static let syntax = CommandSyntax(
        name: "check", summary: "Checks a schema and prints the operations it generates.",
        words: ["SCHEMA"],
        groups: [
            (
                "output",
                [
                    Option("--sdl", nil, "print the whole generated schema instead"),
                    Option(
                        "--show", "COORDINATE",
                        "print one part: Type, Type.field, Type.field(argument:), @directive"),
                ]
            )
        ],
        examples: [
            "heliograph check Examples/IsolationNation/schema.graphql",
            "heliograph check Examples/IsolationNation/schema.graphql --sdl > api.graphql",
            "heliograph check Examples/IsolationNation/schema.graphql --show Query.listThreads",
        ])

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitCode {
        let path = arguments.words[0]
        let schema = try loadSchema(path, orElse: .failure)
        if let coordinate = arguments.values["--show"] {
            Console.out(try part(of: schema.schema, at: coordinate))
        } else if arguments.switches.contains("--sdl") {
            Console.out(schema.schema.printSDL())
        } else {
            for summary in schema.operationsSummary() { Console.out(describe(summary)) }
        }
        for unenforced in schema.unenforced { Console.err("note: \(path), \(unenforced)") }
        return .success
    }
}

/// The part of the API that a schema coordinate names, as text.
private func part(of schema: Schema, at text: String) throws(CommandFailure) -> String {
    do throws(GraphQLError) {
        let coordinate = try SchemaCoordinate(parsing: Text(text))
        if let element = try schema.element(at: coordinate) {
            return schema.printSDL(of: element).trimmed
        }
        let near = schema.coordinates(near: coordinate).map { Text($0.text) }
        throw GraphQLError(
            "the API has no \(coordinate.text).\(Suggestions.question(near))")
    } catch {
        throw CommandFailure(code: .failure, message: error.message)
    }
}

extension String {
    /// Without the line feed at the end: the console adds one.
    fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}

/// A model's block in the output of `check`.
private func describe(_ summary: OperationsSummary) -> String {
    func line(_ what: String, _ names: [String]) -> String {
        "  \(what)\(String(repeating: " ", count: 15 - what.utf8.count))"
            + names.joined(separator: ", ")
    }
    var lines = ["\(summary.model) (key: \(summary.key.joined(separator: ", ")))"]
    lines.append(line("queries", summary.queries))
    lines.append(line("mutations", summary.mutations))
    lines.append(line("subscriptions", summary.subscriptions))
    if !summary.foreignKeys.isEmpty { lines.append(line("foreign keys", summary.foreignKeys)) }
    return lines.joined(separator: "\n")
}

/// Reads a schema file; errors come with their line, a caret and a suggestion.
func loadSchema(_ path: String, orElse code: ExitCode) throws(CommandFailure) -> ModelSchema {
    let bytes = try contents(of: path, bytesMax: DocumentLimits.schema.bytesMax, orElse: code)
    guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure(code: code, message: "\(path) is not UTF-8 text: save it as UTF-8")
    }
    do throws(SchemaErrors) {
        return try ModelSchema(sdl: Text(text))
    } catch {
        Console.err(error.rendered(fileName: path))
        let count = error.errors.count
        throw CommandFailure(
            code: code,
            message: "\(path) has \(count == 1 ? "one error" : "\(count) errors"); "
                + "correct what the caret points at")
    }
}
