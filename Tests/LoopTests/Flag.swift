import Synchronization

/// A flag that threads share.
final class Flag: Sendable {
    private let value = Atomic(false)
    func load() -> Bool { value.load(ordering: .acquiring) }
    func store(_ new: Bool) { value.store(new, ordering: .releasing) }
}

/// A count that threads share.
final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .acquiring) }
    @discardableResult
    func add(_ more: Int = 1) -> Int {
        count.add(more, ordering: .acquiringAndReleasing).newValue
    }
}
