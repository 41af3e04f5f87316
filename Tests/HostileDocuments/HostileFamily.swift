/// A way to make a document that is cheap to send and was dear to answer for some engine. Its
/// members grow with `n`, about linearly in bytes.
public struct HostileFamily: Sendable {
    /// What it is called in tables.
    public let name: String
    /// Whether its documents are refused, whatever the limits.
    public let isRefused: Bool
    /// The document of that size.
    public let document: @Sendable (_ n: Int) -> String
    /// The variables of that size, as JSON.
    public let variables: @Sendable (_ n: Int) -> String

    init(
        _ name: String, isRefused: Bool = false,
        variables: @escaping @Sendable (_ n: Int) -> String = { _ in "{}" },
        _ document: @escaping @Sendable (_ n: Int) -> String
    ) {
        self.name = name
        self.isRefused = isRefused
        self.document = document
        self.variables = variables
    }

    /// The largest document of at most this many bytes, or one of one step.
    public func document(bytes: Int) -> (n: Int, text: String) {
        var n = 1
        while document(n * 2).utf8.count <= bytes, n < 1 << 20 { n *= 2 }
        var step = n / 2
        while step > 0 {
            if document(n + step).utf8.count <= bytes { n += step }
            step /= 2
        }
        return (n, document(n))
    }

    /// All of them.
    public static let all: [HostileFamily] =
        merging + fragments + nesting + floods + repeats + variables + words

    /// What a person or a generator writes: the measure of the others.
    public static let benign = HostileFamily("benign: fields with arguments and fragments") { n in
        many(n) {
            """
            query Q\($0)($id: ID, $first: Int) {
              dog { id name nickname friends(first: $first, kinds: [DOG]) { id name ...K\($0) } }
              keeper(id: $id) { name pets { id ... on Dog { barks } } }
            }
            fragment K\($0) on Pet { keeper { id name since } }

            """
        }
    }

    /// So many texts in a row.
    static func many(_ count: Int, _ text: (Int) -> String) -> String {
        var all = ""
        for index in 0..<count { all += text(index) }
        return all
    }

    static func many(_ count: Int, _ text: String) -> String { many(count) { _ in text } }
}
