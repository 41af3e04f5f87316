public import Bytes

/// Near spellings of a word, for "Did you mean" in error messages.
///
/// Callers must not use it where the names are to stay secret: a server that answers no
/// introspection would give its schema away one near miss at a time.
public enum Suggestions {
    /// How many names a message lists at most.
    static let countMax = 5
    /// Longer words are not compared: nobody mistyped them, and the cost grows with the square.
    static let wordBytesMax = 128

    /// The names nearest to `word`, nearest first, equally near ones in alphabetical order.
    ///
    /// A name is near if two fifths of the word's letters plus one, changed, added, dropped or
    /// swapped with their neighbour, make it. Cost: the number of names times the square of the
    /// word's length.
    public static func near(_ word: Text, among names: some Sequence<Text>) -> [Text] {
        guard word.byteCount <= wordBytesMax else { return [] }
        var measure = SpellingDistance(from: word)
        let distanceMax = word.byteCount * 2 / 5 + 1
        var found: [(distance: Int, name: Text)] = []
        for name in names where name.byteCount <= wordBytesMax {
            guard let distance = measure.distance(to: name, atMost: distanceMax) else { continue }
            found.append((distance, name))
        }
        found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return found.prefix(countMax).map(\.name)
    }

    /// The question to append to a message: ` Did you mean "a", "b", or "c"?`; nothing if there
    /// are no names.
    ///
    /// `kind` says what the names are, if that is not plain: "an inline fragment on".
    public static func question(_ names: [Text], kind: String? = nil) -> String {
        guard !names.isEmpty else { return "" }
        let what = kind.map { "\($0) " } ?? ""
        return " Did you mean \(what)\(quoted(names, joinedBy: "or"))?"
    }

    /// Names in quotes as a list in English, at most five of them.
    static func quoted(_ names: [Text], joinedBy conjunction: String) -> String {
        let shown = names.prefix(countMax).map { "\"\($0)\"" }
        switch shown.count {
        case 0: return ""
        case 1: return shown[0]
        case 2: return "\(shown[0]) \(conjunction) \(shown[1])"
        default:
            let head = shown.dropLast().joined(separator: ", ")
            return "\(head), \(conjunction) \(shown[shown.count - 1])"
        }
    }
}

/// The number of single-letter edits between one word and others (optimal string alignment
/// distance). Words that differ in case only are at distance one.
struct SpellingDistance {
    private let word: [UInt8]
    private let folded: [UInt8]
    /// Three rows of the table: the one before the last, the last, and the one being filled.
    private var rows: [[Int]]

    init(from word: Text) {
        self.word = word.withBytes { [UInt8]($0) }
        folded = self.word.map(Self.lowercased)
        rows = []
    }

    /// The distance, or nil if it is over `limit`.
    mutating func distance(to name: Text, atMost limit: Int) -> Int? {
        let other = name.withBytes { [UInt8]($0) }
        if other == word { return 0 }
        let foldedOther = other.map(Self.lowercased)
        if foldedOther == folded { return 1 }
        guard abs(other.count - word.count) <= limit else { return nil }
        let distance = edits(to: foldedOther, atMost: limit)
        return distance <= limit ? distance : nil
    }

    private mutating func edits(to other: [UInt8], atMost limit: Int) -> Int {
        rows = [[], Array(0...other.count), Array(0...other.count)]
        for row in 1...max(1, folded.count) where row <= folded.count {
            rows.swapAt(0, 1)
            rows.swapAt(1, 2)
            if rows[2].count != other.count + 1 { rows[2] = Array(0...other.count) }
            fill(row: row, other)
            if rows[2].min() ?? 0 > limit { return limit + 1 }
        }
        return rows[2][other.count]
    }

    private mutating func fill(row: Int, _ other: [UInt8]) {
        rows[2][0] = row
        for column in 1...max(1, other.count) where column <= other.count {
            let letter = folded[row - 1]
            let cost = letter == other[column - 1] ? 0 : 1
            var best = min(
                rows[1][column] + 1, rows[2][column - 1] + 1, rows[1][column - 1] + cost)
            if row > 1, column > 1, letter == other[column - 2],
                folded[row - 2] == other[column - 1]
            {
                best = min(best, rows[0][column - 2] + cost)
            }
            rows[2][column] = best
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
    }
}
