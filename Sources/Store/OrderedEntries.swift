import JSON
import Records

/// Places of records in the order of their sort values and then of their creation.
///
/// A list of sorted chunks: finding is two binary searches, inserting moves at most a chunk.
struct OrderedEntries {
    /// One record's place.
    struct Entry {
        var sort: [JSONValue]
        var sequence: Int64
        var row: Int
    }

    /// A place between entries: in front of the entry it names.
    struct Position: Comparable {
        var chunk: Int
        var index: Int

        static func < (one: Position, other: Position) -> Bool {
            (one.chunk, one.index) < (other.chunk, other.index)
        }
    }

    private static let chunkMax = 256
    private var chunks: [[Entry]] = []

    /// Whether there is no entry.
    var isEmpty: Bool { chunks.isEmpty }

    /// The place in front of everything.
    var start: Position { Position(chunk: 0, index: 0) }

    /// The place behind everything.
    var end: Position { Position(chunk: chunks.count, index: 0) }

    mutating func insert(_ entry: Entry) {
        let place =
            isBehindAll(entry)
            ? end : partition { Self.order($0, entry.sort, entry.sequence) < 0 }
        guard !chunks.isEmpty else {
            chunks.append([entry])
            return
        }
        // Behind everything is the end of the last chunk.
        let chunk = min(place.chunk, chunks.count - 1)
        let index = place.chunk < chunks.count ? place.index : chunks[chunk].count
        chunks[chunk].insert(entry, at: index)
        if chunks[chunk].count > Self.chunkMax { split(chunk, isLast: index == Self.chunkMax) }
    }

    /// New records mostly come last in all orders; one comparison then does for the search.
    private func isBehindAll(_ entry: Entry) -> Bool {
        guard let last = chunks.last?.last else { return true }
        return Self.order(last, entry.sort, entry.sequence) < 0
    }

    mutating func remove(sort: [JSONValue], sequence: Int64) {
        let place = partition { Self.order($0, sort, sequence) < 0 }
        precondition(
            place < end && chunks[place.chunk][place.index].sequence == sequence,
            "an index holds an entry for each record")
        chunks[place.chunk].remove(at: place.index)
        if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
    }

    /// The place in front of the first entry that is not `before`, which must hold for entries up
    /// to some place and for none behind it.
    func partition(_ before: (Entry) -> Bool) -> Position {
        let chunk = Self.count(chunks.count) { before(chunks[$0][chunks[$0].count - 1]) }
        guard chunk < chunks.count else { return end }
        return Position(
            chunk: chunk, index: Self.count(chunks[chunk].count) { before(chunks[chunk][$0]) })
    }

    subscript(position: Position) -> Entry { chunks[position.chunk][position.index] }

    func position(after position: Position) -> Position {
        position.index + 1 < chunks[position.chunk].count
            ? Position(chunk: position.chunk, index: position.index + 1)
            : Position(chunk: position.chunk + 1, index: 0)
    }

    func position(before position: Position) -> Position {
        position.index > 0
            ? Position(chunk: position.chunk, index: position.index - 1)
            : Position(chunk: position.chunk - 1, index: chunks[position.chunk - 1].count - 1)
    }

    /// Negative, zero or positive as the entry stands before, at or behind a place.
    static func order(_ entry: Entry, _ sort: [JSONValue], _ sequence: Int64) -> Int {
        for index in sort.indices {
            if FieldOrder.sortsBefore(entry.sort[index], sort[index]) { return -1 }
            if FieldOrder.sortsBefore(sort[index], entry.sort[index]) { return 1 }
        }
        return entry.sequence == sequence ? 0 : entry.sequence < sequence ? -1 : 1
    }

    /// A chunk that grew at its end is left nearly full: the next entries go behind it too.
    private mutating func split(_ chunk: Int, isLast: Bool) {
        let cut = isLast ? Self.chunkMax : Self.chunkMax / 2
        chunks.insert(Array(chunks[chunk][cut...]), at: chunk + 1)
        chunks[chunk].removeSubrange(cut...)
    }

    /// How many of the numbers from 0 pass a test that holds for the first ones only.
    private static func count(_ total: Int, where passes: (Int) -> Bool) -> Int {
        var low = 0
        var high = total
        while low < high {
            let middle = (low + high) / 2
            if passes(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
