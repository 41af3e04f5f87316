/// Who is to be woken when, the earliest first: a binary heap, so that thousands of clients that
/// wait for their next attempt cost little.
struct WakeList {
    private struct Entry {
        var due: Int64
        var number: Int
    }

    /// Each entry is due no later than those at twice its place plus one and two.
    private var heap: [Entry] = []

    /// When the first is due.
    var firstDue: Int64? { heap.first?.due }

    mutating func add(_ due: Int64, _ number: Int) {
        heap.append(Entry(due: due, number: number))
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The first, if it is due by `time`.
    mutating func popFirst(upTo time: Int64) -> (due: Int64, number: Int)? {
        guard let first = heap.first, first.due <= time else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink()
        return (first.due, first.number)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].due < heap[least].due { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
