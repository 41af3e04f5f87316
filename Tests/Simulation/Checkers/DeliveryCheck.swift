import Bytes
import JSON

/// Checks what one subscription is told on one connection: only what was committed after it was
/// asked for and matches, in the order of the commits, each once, and from the first or the
/// proven-live moment on without a gap.
struct DeliveryCheck {
    let interest: Interest
    /// The store's offset when the subscription was sent: nothing up to it may come.
    let floor: UInt64
    /// From this offset on everything must come; nil until it is proven.
    private(set) var proven: UInt64?
    /// The offset of the last commit that was delivered.
    private(set) var last: UInt64?
    private(set) var count = 0

    init(_ interest: Interest, floor: UInt64) {
        self.interest = interest
        self.floor = floor
    }

    /// The hub has shown that it carried out the subscription before now.
    mutating func prove(_ offset: UInt64) { proven = proven ?? offset }

    /// An event came. Returns what is wrong with it.
    mutating func delivered(id: Text, token: Text, _ journal: Journal) -> String? {
        let name = "the event of \(id) (\(token)) on \(interest.field)"
        if let last {
            guard let next = journal.first(after: last, where: interest.matches) else {
                return "\(name): \(reason(id, token, journal)); nothing more has been committed"
            }
            guard next.id == id, next.token == token else {
                return "\(name): \(reason(id, token, journal)); the next after offset \(last) is "
                    + "\(next.id) (\(next.token)) at \(next.offset)"
            }
            self.last = next.offset
        } else {
            let found = journal.first(after: floor) {
                $0.id == id && $0.token == token && interest.matches($0)
            }
            guard let found else { return "\(name): \(reason(id, token, journal))" }
            let due = proven.flatMap { journal.first(after: $0, where: interest.matches) }
            if let due, due.offset < found.offset {
                return "\(name) at \(found.offset) came before the one at \(due.offset)"
            }
            last = found.offset
        }
        count += 1
        return nil
    }

    /// What has not come will not come: the connection has long been quiet, or was closed with
    /// everything told up to `end`. Returns what is missing.
    func missing(_ journal: Journal, upTo end: UInt64 = .max) -> String? {
        guard let start = last ?? proven,
            let next = journal.first(after: start, where: interest.matches), next.offset <= end
        else { return nil }
        return "\(interest.field) was never told of \(next.id) (\(next.token)) at \(next.offset); "
            + "floor \(floor), proven \(proven.map(String.init) ?? "never"), "
            + "last \(last.map(String.init) ?? "none"); "
            + "filter \(JSONValue.object(interest.variables).jsonText)"
    }

    private func reason(_ id: Text, _ token: Text, _ journal: Journal) -> String {
        let same = journal.commits.filter { $0.id == id && $0.token == token }
        guard !same.isEmpty else { return "was never committed" }
        let topic = same.filter { $0.model == interest.model && $0.kind == interest.kind }
        guard !topic.isEmpty else { return "is another kind of change" }
        guard let match = topic.last(where: interest.matches) else {
            return "does not pass \(JSONValue.object(interest.variables).jsonText)"
        }
        if match.offset <= floor { return "was committed before the subscription" }
        if let last, match.offset <= last { return "came already or out of order" }
        return "leaves a gap"
    }
}
