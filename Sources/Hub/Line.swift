/// Elements in the order of their arrival, taken from the front at constant cost.
struct Line<Element> {
    private var elements: [Element] = []
    private var head = 0
    /// How many elements have been given back before `head` became zero again.
    private var passed = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { head < elements.count ? elements[head] : nil }

    /// What `append` gives the next element; names it for as long as it stands in line.
    var nextPlace: Int { passed + elements.count }

    /// The element at a place that `nextPlace` has named.
    subscript(place: Int) -> Element {
        get { elements[place - passed] }
        set { elements[place - passed] = newValue }
    }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        if head == elements.count || head > 1024 {
            elements.removeFirst(head)
            passed += head
            head = 0
        }
        return element
    }

    mutating func removeAll() { self = Line() }

    /// Takes out all that fit; the others' places change.
    mutating func removeAll(where fits: (Element) -> Bool) {
        elements.removeFirst(head)
        head = 0
        passed = 0
        elements.removeAll(where: fits)
    }

    /// Calls `body` with each element and its place.
    func forEach(_ body: (Element, _ place: Int) -> Void) {
        for index in head..<elements.count { body(elements[index], passed + index) }
    }
}
