import Bytes

/// How the generated API's names are put together (AppSync contract 4.2, 4.6, 4.7).
enum Names {
    /// Camel case as the transformers form foreign keys: the first letter small, each further
    /// part with a capital; underscores and hyphens divide parts too.
    ///
    /// `camelCase(["Message", "thread", "id"])` is `messageThreadId`.
    static func camelCase(_ parts: [String]) -> String {
        let words = parts.flatMap { part in
            part.split { $0 == "_" || $0 == "-" || $0 == " " }.map(String.init)
        }
        return words.enumerated().map { index, word in
            index == 0 ? lowerFirst(word) : upperFirst(word)
        }.joined()
    }

    /// Whether the text may name something of an API (GraphQL 2.1.9); `__` is introspection's.
    static func isAllowed(_ text: Text) -> Bool {
        text.withBytes { bytes in
            guard let first = bytes.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first),
                !bytes.starts(with: "__".utf8)
            else { return false }
            return bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        }
    }

    /// The implicit foreign key of a relation field: `messageThreadId`.
    static func foreignKey(type: String, field: String, keyField: String = "id") -> String {
        camelCase([type, field, keyField])
    }

    /// The name with its first letter as a capital.
    static func upperFirst(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The name with its first letter small.
    static func lowerFirst(_ name: String) -> String {
        name.prefix(1).lowercased() + name.dropFirst()
    }

    /// The v2 transformer's default name of an index: `todosByStatusAndCreatedAt`.
    static func defaultIndex(model: String, hash: String, sort: [String]) -> String {
        let fields = [hash] + sort
        return lowerFirst(Plural.of(model)) + "By" + fields.map(upperFirst).joined(separator: "And")
    }

    /// The argument and attribute name of several sort fields: `statusCreatedAt`.
    static func composite(_ fields: [String]) -> String { camelCase(fields) }

    /// The best of the known names for a name that is not known, or nil if none is near.
    ///
    /// Near is a distance of at most a third of the length, where swapped neighbours count one.
    static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().utf8)
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        let limit = max(1, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in known where candidate != name && candidate.utf8.count <= 64 {
            let distance = distance(wanted, Array(candidate.lowercased().utf8))
            if distance <= limit && distance < (best?.distance ?? .max) {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// Edits between two names: letters put in, left out, changed, or swapped with a neighbour.
    static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1)
                cost = min(cost, last[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[other.count]
    }
}
