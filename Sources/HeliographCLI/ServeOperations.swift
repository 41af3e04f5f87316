import Bytes
import GraphQL
import Hub
import HubServer
import Models

/// Which documents `heliograph serve` runs, and which statuses tell of their errors.
enum ServeOperations {
    static let options: (heading: String, options: [Option]) = (
        "operations",
        [
            Option(
                "--http-status", "PROFILE",
                "audits: 200 or 400 for errors, as most clients expect; draft: 422 and 294",
                defaultText: "audits"),
            Option(
                "--trusted-documents", "FILE",
                "documents that clients may name by id or hash; SIGHUP reads it again"),
            Option("--trusted-only", nil, "run no documents but those"),
            Option("--no-apq", nil, "remember no documents under their hashes"),
        ]
    )

    /// The rules that the options make.
    ///
    /// - Parameter schema: what the documents must fit.
    static func rules(
        _ arguments: Arguments, _ schema: ModelSchema, _ limits: Limits
    ) throws(CommandFailure) -> OperationRules {
        var rules = OperationRules()
        if let name = arguments.values["--http-status"] {
            guard let profile = HTTPStatusProfile(rawValue: name) else {
                throw .usage("--http-status takes audits or draft")
            }
            rules.statuses = profile
        }
        rules.remembersDocuments = !arguments.switches.contains("--no-apq")
        rules.takesTrustedOnly = arguments.switches.contains("--trusted-only")
        if rules.takesTrustedOnly, arguments.values["--trusted-documents"] == nil {
            throw .usage(
                "--trusted-only runs only trusted documents: name them with "
                    + "--trusted-documents FILE")
        }
        rules.trusted = try trusted(arguments, schema, limits)
        return rules
    }

    private static func trusted(
        _ arguments: Arguments, _ schema: ModelSchema, _ limits: Limits
    ) throws(CommandFailure) -> TrustedDocuments? {
        guard let path = arguments.values["--trusted-documents"] else { return nil }
        let bytes = try contents(of: path, bytesMax: DocumentLimits.schema.bytesMax)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                code: .cannotStart, message: "\(path) is not UTF-8 text: save it as UTF-8")
        }
        let documents: TrustedDocuments
        do throws(TrustedDocumentsError) {
            documents = try TrustedDocuments(manifest: Text(text))
        } catch {
            throw CommandFailure(code: .cannotStart, message: "\(path): \(error)")
        }
        let faults = documents.faults(
            schema: schema, limits: limits, validation: validation(arguments))
        guard faults.isEmpty else {
            for fault in faults { Console.err(describe(fault, of: path)) }
            let count = faults.count == 1 ? "one document" : "\(faults.count) documents"
            throw CommandFailure(
                code: .cannotStart,
                message: "\(path) has \(count) that this schema cannot run; correct what the "
                    + "caret points at and write the file anew")
        }
        return documents
    }

    /// What documents may ask of the schema, listed ones like all others.
    private static func validation(_ arguments: Arguments) -> ValidationOptions {
        ValidationOptions(
            suggestsNames: true,
            allowsIntrospection: !arguments.switches.contains("--no-introspection"))
    }

    private static func describe(_ fault: TrustedDocuments.Fault, of path: String) -> String {
        fault.errors.map { error in
            var text = "\(path): document '\(fault.id)'"
            guard let place = error.locations.first else { return "\(text): \(error.message)" }
            text += ", \(place.line):\(place.column): \(error.message)"
            return text
                + ErrorReport.excerpt(
                    of: fault.text.string, line: place.line, column: place.column)
        }
        .joined(separator: "\n")
    }

    /// Whether there is a file that SIGHUP has read again.
    static func isReloadable(_ arguments: Arguments) -> Bool {
        arguments.values["--trusted-documents"] != nil
    }

    /// Reads the file again. If it is of no use, the documents of before serve on.
    static func reload(
        _ arguments: Arguments, _ schema: ModelSchema, _ limits: Limits, on server: HubServer
    ) {
        do throws(CommandFailure) {
            guard let documents = try trusted(arguments, schema, limits) else { return }
            server.trust(documents)
            Console.err(
                "trusted documents read again: \(Figure.count(documents.entries.count))")
        } catch {
            Console.err("trusted documents stay as they were: \(error.message)")
        }
    }

    /// What the banner says of them.
    static func announce(_ arguments: Arguments, _ rules: OperationRules) {
        guard let documents = rules.trusted, let path = arguments.values["--trusted-documents"]
        else { return }
        let count = Figure.count(documents.entries.count, "trusted document")
        let only = rules.takesTrustedOnly ? ", and no others are run" : ""
        Console.err("  run      \(count) of \(path)\(only)")
    }
}
