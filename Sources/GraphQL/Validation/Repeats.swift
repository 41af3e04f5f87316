import Bytes

/// Names that stand more than once in a list.
enum Repeats {
    /// The names that repeat, each with all its places, in the order of their first ones.
    static func groups<Element>(
        of elements: [Element], by name: (Element) -> Name
    ) -> [[Name]] {
        if elements.count < 2 { return [] }
        if elements.count <= compareAllMax, !hasRepeat(elements, name) { return [] }
        var groups: [[Name]] = []
        var indices: [Text: Int] = [:]
        for element in elements {
            let name = name(element)
            if let index = indices[name.text] {
                groups[index].append(name)
            } else {
                indices[name.text] = groups.count
                groups.append([name])
            }
        }
        return groups.filter { $0.count > 1 }
    }

    /// So many names are compared each with each, which is cheaper than a table.
    private static let compareAllMax = 8

    private static func hasRepeat<Element>(
        _ elements: [Element], _ name: (Element) -> Name
    ) -> Bool {
        for index in elements.indices.dropFirst() {
            let text = name(elements[index]).text
            for earlier in 0..<index where name(elements[earlier]).text == text { return true }
        }
        return false
    }
}
