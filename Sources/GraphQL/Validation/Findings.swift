import Bytes

/// The errors found so far, with byte offsets that become lines and columns at the end.
struct Findings {
    private struct Finding {
        var message: String
        var offsets: [Int]
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
    mutating func stop(_ message: String) {
        if isFull { return }
        isFull = true
        if found.count >= errorsMax { found.removeLast() }
        found.append(Finding(message: message, offsets: []))
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
            GraphQLError(finding.message, locations: finding.offsets.compactMap { places[$0] })
        }
    }
}

/// Lines and columns of some byte offsets, found in one pass.
private struct LineMap {
    private var places: [Int: SourceLocation] = [:]

    init(of source: Text, at offsets: [Int]) {
        source.withBytes { bytes in
            var line = 1
            var column = 1
            var index = 0
            for offset in Set(offsets).sorted() where offset <= bytes.count {
                while index < offset {
                    let byte = bytes[index]
                    index += 1
                    if byte == 0x0a || byte == 0x0d {
                        if byte == 0x0d, index < bytes.count, bytes[index] == 0x0a { index += 1 }
                        line += 1
                        column = 1
                    } else if byte & 0xc0 != 0x80 {
                        column += 1
                    }
                }
                places[offset] = SourceLocation(line: line, column: column)
            }
        }
    }

    subscript(offset: Int) -> SourceLocation? { places[offset] }
}
