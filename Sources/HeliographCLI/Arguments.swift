/// One option of a command.
struct Option {
    /// With its dashes: `--port`.
    var name: String
    /// What stands for the value in the help; nil for a switch.
    var value: String?
    /// One line; units and range included.
    var help: String
    /// The default as the help shows it.
    var defaultText: String?
    /// Whether it may be given several times; its values are in `Arguments.lists`.
    var isRepeatable: Bool

    init(
        _ name: String, _ value: String? = nil, _ help: String, defaultText: String? = nil,
        isRepeatable: Bool = false
    ) {
        self.isRepeatable = isRepeatable
        self.name = name
        self.value = value
        self.help = help
        self.defaultText = defaultText
    }
}

/// What a command takes, and its help.
struct CommandSyntax {
    var name: String
    var summary: String
    /// Names of the words without dashes, all needed.
    var words: [String]
    /// Options under the headings of the help.
    var groups: [(heading: String, options: [Option])]
    /// Lines at the end of the help, ready to be copied.
    var examples: [String]
    /// What else one should know, behind the examples.
    var notes: String?

    private var options: [Option] { groups.flatMap(\.options) }

    /// The help screen.
    var help: String {
        var lines = [
            summary, "",
            "usage: heliograph \(name) \((words + ["[options]"]).joined(separator: " "))",
        ]
        let width = options.map { Self.left($0).count }.max() ?? 0
        for group in groups {
            lines += ["", "\(group.heading):"]
            for option in group.options {
                let left = Self.left(option)
                let padding = String(repeating: " ", count: width - left.count)
                let suffix = option.defaultText.map { " (default: \($0))" } ?? ""
                lines.append("  \(left)\(padding)  \(option.help)\(suffix)")
            }
        }
        if !examples.isEmpty { lines += ["", "examples:"] + examples.map { "  " + $0 } }
        if let notes { lines += ["", notes] }
        return lines.joined(separator: "\n")
    }

    private static func left(_ option: Option) -> String {
        option.value.map { "\(option.name) \($0)" } ?? option.name
    }

    /// Reads the words behind the command's name.
    func parse(_ arguments: [String]) throws(CommandFailure) -> Arguments {
        var parsed = Arguments()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument.count > 1 else {
                parsed.words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                throw .usage(unknown(parts[0]))
            }
            if parsed.values[option.name] != nil || parsed.switches.contains(option.name) {
                throw .usage("option \(option.name) is given twice")
            }
            if let value = option.value {
                guard let given = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw .usage("option \(option.name) needs a value: \(option.name) \(value)")
                }
                if option.isRepeatable {
                    parsed.lists[option.name, default: []].append(given)
                } else {
                    parsed.values[option.name] = given
                }
            } else if parts.count == 2 {
                throw .usage("option \(option.name) takes no value")
            } else {
                parsed.switches.insert(option.name)
            }
        }
        guard parsed.words.count == words.count else {
            throw .usage(wrongWords(parsed.words.count))
        }
        return parsed
    }

    private func wrongWords(_ count: Int) -> String {
        let wanted = words.joined(separator: " ")
        let hint = "(heliograph \(name) --help has examples)"
        if count < words.count { return "heliograph \(name) needs \(wanted) \(hint)" }
        let given = "\(count) \(count == 1 ? "word was" : "words were") given"
        if words.isEmpty { return "heliograph \(name) takes options only, but \(given) \(hint)" }
        return "heliograph \(name) takes \(wanted) and no more words, but \(given): a word with "
            + "spaces needs quotes \(hint)"
    }

    private func unknown(_ name: String) -> String {
        let near = nearest(name, among: options.map(\.name))
        let hint = near.map { "; did you mean \($0)?" } ?? ""
        return "unknown option \(name)\(hint) (heliograph \(self.name) --help lists all)"
    }
}

/// A command's words and options as they were given.
struct Arguments {
    var words: [String] = []
    var values: [String: String] = [:]
    var switches: Set<String> = []
    /// The values of repeatable options, in their order.
    var lists: [String: [String]] = [:]

    /// An integer option within its range.
    func integer(
        _ name: String, default fallback: Int, in range: ClosedRange<Int>
    ) throws(CommandFailure) -> Int {
        guard let text = values[name] else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw .usage(
                "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

/// The candidate that differs least from the word, if it is near enough to be meant.
func nearest(_ word: String, among candidates: [String]) -> String? {
    candidates
        .map { (distance(Array(word.utf8), Array($0.utf8)), $0) }
        .filter { $0.0 <= max(1, word.utf8.count / 3) }
        .min { $0.0 < $1.0 }?.1
}

/// How many letters must be put in, taken out or changed.
private func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (i, letter) in one.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, candidate) in other.enumerated() {
            let above = row[j + 1]
            row[j + 1] = letter == candidate ? diagonal : 1 + min(diagonal, above, row[j])
            diagonal = above
        }
    }
    return row[other.count]
}
