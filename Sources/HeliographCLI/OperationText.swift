import Bytes
import HubClient
import JSON

/// The operation that a command line names: a document and its variables, each as it is or as
/// `@file`.
struct OperationText: Sendable {
    /// Options of the commands that take an operation.
    static let options = [
        Option("--variables", "JSON", "the operation's variables, an object or @file")
    ]

    private static let fileBytesMax = 1_048_576

    var query: Text
    var variables: JSONObject

    init(_ arguments: Arguments) throws(CommandFailure) {
        query = Text(try Self.text(arguments.words[0]))
        variables = try Self.variables(arguments.values["--variables"])
    }

    /// What the operation does.
    var kind: OperationKind { OperationKind(of: query) }

    /// The argument itself, or the content of the file that it names behind an `@`.
    static func text(_ argument: String) throws(CommandFailure) -> String {
        guard argument.hasPrefix("@") else { return argument }
        let path = String(argument.dropFirst())
        do throws(CommandFailure) {
            return String(
                decoding: try contents(of: path, bytesMax: fileBytesMax), as: UTF8.self)
        } catch {
            throw .usage(error.message)
        }
    }

    private static func variables(_ argument: String?) throws(CommandFailure) -> JSONObject {
        guard let argument else { return [:] }
        let json = try text(argument)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: json)
        } catch {
            throw .usage(
                "--variables: \(error); write an object in single quotes: "
                    + #"--variables '{"id": "t1"}'"#)
        }
        guard let object = value.object else {
            throw .usage(
                "--variables takes a JSON object, not \(value.kindName): "
                    + #"--variables '{"id": "t1"}'"#)
        }
        return object
    }
}
