import Bytes

/// Places of names. Few names are searched in line, which is faster than hashing them.
struct NameIndex: Sendable {
    private let names: [Text]
    private let places: [Text: Int]?

    /// An index of names; the first of equal ones counts.
    init(_ names: [Text]) {
        if names.count <= 6 {
            self.names = names
            places = nil
        } else {
            self.names = []
            places = Dictionary(
                zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        }
    }

    /// The place of a name.
    subscript(name: Text) -> Int? {
        if let places { return places[name] }
        return names.firstIndex(of: name)
    }
}
