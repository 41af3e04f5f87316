import Hub

/// `heliograph limits`: the table of all limits.
enum LimitsCommand: Command {
    static let syntax = CommandSyntax(
        name: "limits", summary: "Prints the limits that `serve --limit NAME=VALUE` sets.",
        words: [],
        groups: [("output", [Option("--json", nil, "one JSON object instead of the table")])],
        examples: [
            "heliograph limits",
            "heliograph serve schema.graphql --limit connections-per-address-max=200",
        ])

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitCode {
        let defaults = Limits()
        if arguments.switches.contains("--json") {
            let entries = LimitKey.all.map { key in
                "  \"\(key.name)\": {\"unit\": \"\(key.unit)\", \"default\": "
                    + "\(key.value(in: defaults)), \"minimum\": \(key.range.lowerBound), "
                    + "\"maximum\": \(key.range.upperBound)}"
            }
            Console.out("{\n\(entries.joined(separator: ",\n"))\n}")
            return .success
        }
        let rows =
            [["NAME", "DEFAULT", "RANGE", "UNIT"]]
            + LimitKey.all.map { key in
                [
                    key.name, "\(key.value(in: defaults))",
                    "\(key.range.lowerBound) to \(key.range.upperBound)", key.unit,
                ]
            }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            Console.out((cells + [row[3]]).joined(separator: "  "))
        }
        return .success
    }
}

extension Limits {
    /// The defaults with what the operator has changed: `--limit NAME=VALUE`, and the limits that
    /// have options of their own.
    init(_ arguments: Arguments) throws(CommandFailure) {
        self.init()
        var given: Set<String> = []
        for setting in arguments.lists["--limit"] ?? [] {
            guard let sign = setting.firstIndex(of: "=") else {
                throw .usage("--limit \(setting): give it as --limit NAME=VALUE")
            }
            let name = String(setting[..<sign])
            guard given.insert(name).inserted else { throw .usage("limit \(name) is given twice") }
            try set(name, String(setting[setting.index(after: sign)...]), from: "--limit \(name)")
        }
        for name in Self.optionNames {
            guard let text = arguments.values["--\(name)"] else { continue }
            guard given.insert(name).inserted else {
                throw .usage("limit \(name) is given twice: --\(name) and --limit \(name) are one")
            }
            try set(name, text, from: "--\(name)")
        }
        guard silenceSecondsMax > pingAfterSeconds else {
            throw .usage(
                "silence-seconds-max has to be more than ping-after-seconds, so that a peer can "
                    + "answer a ping before it is dropped: \(silenceSecondsMax) and "
                    + "\(pingAfterSeconds) were given")
        }
    }

    /// Limits that are plain options of `serve` too.
    static let optionNames = ["message-bytes-max"]

    private mutating func set(
        _ name: String, _ text: String, from source: String
    ) throws(CommandFailure) {
        guard let key = LimitKey.named(name) else {
            let near = nearest(name, among: LimitKey.all.map(\.name))
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            throw .usage("unknown limit \(name)\(hint) (heliograph limits lists all)")
        }
        guard let value = Int(text), key.range.contains(value) else {
            throw .usage(
                "\(source) takes a whole number from \(key.range.lowerBound) to "
                    + "\(key.range.upperBound): \(key.unit)")
        }
        key.set(value, in: &self)
    }
}
