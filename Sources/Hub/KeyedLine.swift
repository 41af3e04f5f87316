/// Elements in the order of their arrival, of which each can be found and taken out by its key.
struct KeyedLine<Key: Hashable, Element> {
    private struct Entry {
        let key: Key
        /// Nil once it was taken out. It keeps its place until it is at the front, or until most
        /// are gone, so that the others' places need not change.
        var element: Element?
    }

    /// Its first entry is never one that is gone.
    private var line = Line<Entry>()
    private var places: [Key: Int] = [:]

    var isEmpty: Bool { places.isEmpty }
    var first: Element? { line.first?.element }
    /// Places that are taken, also by elements that are gone.
    var placeCount: Int { line.count }
    var keys: Dictionary<Key, Int>.Keys { places.keys }

    subscript(key: Key) -> Element? { places[key].flatMap { line[$0].element } }

    /// Puts the element at the end, or where the one with the same key stands, which it returns.
    @discardableResult mutating func put(_ element: Element, _ key: Key) -> Element? {
        if let place = places[key] {
            defer { line[place].element = element }
            return line[place].element
        }
        places[key] = line.nextPlace
        line.append(Entry(key: key, element: element))
        return nil
    }

    mutating func popFirst() -> Element? {
        guard let entry = line.popFirst() else { return nil }
        places[entry.key] = nil
        trim()
        return entry.element
    }

    @discardableResult mutating func remove(_ key: Key) -> Element? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        let element = line[place].element
        line[place].element = nil
        trim()
        if line.count > 2 * places.count { compact() }
        return element
    }

    private mutating func trim() {
        while let first = line.first, first.element == nil { _ = line.popFirst() }
    }

    private mutating func compact() {
        line.removeAll { $0.element == nil }
        line.forEach { entry, place in places[entry.key] = place }
    }
}
