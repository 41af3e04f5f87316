import Bytes

/// The errors found so far, with byte offsets that become lines and columns at the end.
struct Findings {
    private struct Finding {
        var message: String
        var offsets: [Int]
        var limit: DocumentLimit?
    }

    private let options: ValidationOptions
    private let errorsMax: Int
    private var found: [Finding] = []
    /// Whether there is no room for another error: all work may stop.
    private(set) var isFull = false

    init(_ options: ValidationOptions, errorsMax: Int) {
        self.options = options
        self.errorsMax = max(1, errorsMax)
    }

    /// How many errors there are.
    var count: Int { found.count }

    /// Keeps an error. If there is no room for it, the last one makes way for the remark that
    /// the list is not whole.
    mutating func report(_ message: String, at offsets: some Sequence<Int>) {
        if isFull { return }
        if found.count < errorsMax {
            let offsets = Array(offsets.prefix(options.locationsMax))
            found.append(Finding(message: cut(message), offsets: offsets))
        } else {
            stop(
                "Too many validation errors, error limit reached. Validation aborted "
                    + "(limit \(errorsMax)).")
        }
    }

    /// Keeps a last error and takes no other.
    mutating func stop(_ message: String, reaching limit: DocumentLimit? = nil) {
        if isFull { return }
        isFull = true
        if found.count >= errorsMax { found.removeLast() }
        found.append(Finding(message: message, offsets: [], limit: limit))
    }

    private func cut(_ message: String) -> String {
        guard message.utf8.count > options.messageBytesMax else { return message }
        return String(decoding: message.utf8.prefix(options.messageBytesMax), as: UTF8.self) + "…"
    }

    /// The errors with their places. The document is read once for all of them.
    func errors(in document: Document) -> [GraphQLError] {
        if found.isEmpty { return [] }
        let places = LineMap(of: document.source, at: found.flatMap(\.offsets))
        return found.map { finding in
            var error = GraphQLError(
                finding.message, locations: finding.offsets.compactMap { places[$0] })
            error.limit = finding.limit
            return error
        }
    }
}
