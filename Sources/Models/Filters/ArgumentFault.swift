import Bytes

/// An argument that has the right GraphQL type but no meaning here: the caller's fault.
struct ArgumentFault: Error, Hashable {
    /// The sentence for the caller: names the argument and the limit, never a value.
    var message: String

    init(_ message: String) { self.message = message }

    /// A fault of a place inside an argument: `filter.title.between wants two values`.
    init(at place: [Text], _ what: String) {
        message = place.map(\.string).joined(separator: ".") + " " + what
    }
}
