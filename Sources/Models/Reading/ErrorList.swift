import Bytes
import GraphQL

/// Collects the errors of one schema while it is read, so that all are reported at once.
struct ErrorList {
    /// More errors than this are not collected: nobody reads them.
    static let countMax = 100

    private let document: Document
    private(set) var entries: [(offset: Int, error: SchemaError)] = []

    init(document: Document) { self.document = document }

    /// Whether nothing was wrong so far.
    var isEmpty: Bool { entries.isEmpty }

    /// Notes an error at a byte of the SDL.
    mutating func add(_ message: String, at offset: Int, suggestion: String? = nil) {
        guard entries.count < Self.countMax else { return }
        let error = SchemaError(
            message, location: document.location(at: offset), suggestion: suggestion)
        if entries.contains(where: { $0.error == error }) { return }
        entries.append((offset, error))
    }

    /// Notes an error about a name that is not known.
    mutating func add(
        _ message: String, at name: Name, among known: some Sequence<String>
    ) {
        let nearest = Names.nearest(to: name.text.string, among: known)
        add(message, at: name.offset, suggestion: nearest.map { "did you mean \($0)?" })
    }

    /// The errors in the order of the text, or nil if there are none.
    var errors: SchemaErrors? {
        if entries.isEmpty { return nil }
        let sorted = entries.enumerated().sorted { one, other in
            (one.element.offset, one.offset) < (other.element.offset, other.offset)
        }
        return SchemaErrors(sorted.map(\.element.error), source: document.source)
    }
}
