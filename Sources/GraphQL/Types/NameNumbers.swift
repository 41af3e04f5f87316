import Bytes

/// Numbers names in the order of their first appearance.
///
/// Few names are told apart by their marks, one after the other. Of many there is a table whose
/// hash is seeded, since a hostile document chooses its names.
struct NameNumbers: Sendable {
    /// So many names are searched in line, which is faster than hashing with a seed.
    private static let scanMax = 32

    private var names: [Text] = []
    private var marks: [UInt64] = []
    private var table: [Text: Int] = [:]

    init() {}

    /// The numbers of some names.
    init(_ names: some Sequence<Text>) {
        for name in names { _ = number(of: name) }
    }

    /// How many different names there are.
    var count: Int { names.count }

    /// The number of a name that has one.
    subscript(name: Text) -> Int? {
        names.count > Self.scanMax ? table[name] : place(of: name, name.withBytes(\.mark))
    }

    /// Whether the name has a number.
    func contains(_ name: Text) -> Bool { self[name] != nil }

    /// The number of a name, a new one if it has none.
    mutating func number(of name: Text) -> Int {
        let mark = name.withBytes(\.mark)
        if names.count > Self.scanMax {
            if let number = table[name] { return number }
            table[name] = names.count
        } else {
            if let number = place(of: name, mark) { return number }
            if names.count == Self.scanMax {
                for (number, name) in names.enumerated() { table[name] = number }
                table[name] = names.count
            }
            marks.append(mark)
        }
        names.append(name)
        return names.count - 1
    }

    /// Gives a name a number if it has none. Returns whether it had none.
    mutating func insert(_ name: Text) -> Bool {
        let before = names.count
        return number(of: name) == before
    }

    /// Forgets all names and keeps the room for them.
    mutating func removeAll() {
        names.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        if !table.isEmpty { table = [:] }
    }

    private func place(of name: Text, _ mark: UInt64) -> Int? {
        for number in marks.indices where marks[number] == mark && names[number] == name {
            return number
        }
        return nil
    }
}
