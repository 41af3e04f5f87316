import Bytes
import Hub
import JSON

/// Checks what one subscription is told on one connection: only what was committed after it was
/// asked for and matches, in the order of the commits, each once, and from the first or the
/// proven-live moment on without a gap, but for what the events themselves say was dropped or
/// replaced: with these notes the counts add up exactly.
struct DeliveryCheck {
    /// What an event says of others that did not come.
    struct Note {
        var dropped = 0
        var replaced = 0
    }

    let interest: Interest
    /// What the subscriber has chosen for when it reads too slowly.
    let policy: SlowConsumerPolicy
    /// The store's offset when the subscription was sent: nothing up to it may come.
    let floor: UInt64
    /// From this offset on everything must come; nil until it is proven.
    private(set) var proven: UInt64?
    /// The offset of the last commit that was delivered; with `latest`, of each record.
    private var last: [Text: UInt64] = [:]
    private(set) var count = 0

    init(_ interest: Interest, _ policy: SlowConsumerPolicy = .close, floor: UInt64) {
        self.interest = interest
        self.policy = policy
        self.floor = floor
    }

    /// The hub has shown that it carried out the subscription before now.
    mutating func prove(_ offset: UInt64) { proven = proven ?? offset }

    /// An event came. Returns what is wrong with it.
    mutating func delivered(
        id: Text, token: Text, noting note: Note = Note(), _ journal: Journal
    ) -> String? {
        let name = "the event of \(id) (\(token)) on \(interest.field)"
        guard note.dropped == 0 || policy == .dropOldest, note.replaced == 0 || policy == .latest
        else { return "\(name) says \(note), and its subscriber chose \(policy)" }
        let skipped = note.dropped + note.replaced
        let line = policy == .latest ? id : ""
        if let last = last[line] {
            let due = matches(after: last, in: line, skipped + 1, journal)
            guard due.count > skipped else {
                return "\(name): \(reason(id, token, journal)); nothing more has been committed "
                    + "behind offset \(last) and \(skipped) that are skipped"
            }
            let next = due[skipped]
            guard next.id == id, next.token == token else {
                return "\(name): \(reason(id, token, journal)); the next after offset \(last) "
                    + "and \(skipped) that are skipped is \(next.id) (\(next.token)) at "
                    + "\(next.offset)"
            }
            self.last[line] = next.offset
        } else {
            let found = journal.first(after: floor) {
                $0.id == id && $0.token == token && interest.matches($0)
            }
            guard let found else { return "\(name): \(reason(id, token, journal))" }
            func before(_ offset: UInt64) -> Int {
                matches(after: offset, in: line, .max, journal, before: found.offset).count
            }
            if let proven, before(proven) > skipped {
                return "\(name) at \(found.offset) came before the one at "
                    + "\(matches(after: proven, in: line, 1, journal)[0].offset)"
            }
            if before(floor) < skipped {
                return "\(name) says \(note), and there were only \(before(floor)) others"
            }
            last[line] = found.offset
        }
        count += 1
        return nil
    }

    /// The first so many commits behind an offset that the subscription is to be told of; of
    /// one record, or of all for the empty line.
    private func matches(
        after offset: UInt64, in line: Text, _ countMax: Int, _ journal: Journal,
        before end: UInt64 = .max
    ) -> [Commit] {
        var found: [Commit] = []
        var offset = offset
        while found.count < countMax,
            let next = journal.first(
                after: offset,
                where: {
                    $0.offset >= end || (line.isEmpty || $0.id == line) && interest.matches($0)
                }), next.offset < end
        {
            found.append(next)
            offset = next.offset
        }
        return found
    }

    /// What has not come will not come: the connection has long been quiet, or was closed with
    /// everything told up to `end`. Returns what is missing.
    func missing(_ journal: Journal, upTo end: UInt64 = .max) -> String? {
        guard let missed = firstMissing(journal), missed.offset <= end else { return nil }
        return "\(interest.field) was never told of \(missed.id) (\(missed.token)) at "
            + "\(missed.offset); floor \(floor), "
            + "proven \(proven.map(String.init) ?? "never"), "
            + "last \(last.values.max().map(String.init) ?? "none"), policy \(policy); "
            + "filter \(JSONValue.object(interest.variables).jsonText)"
    }

    private func firstMissing(_ journal: Journal) -> Commit? {
        guard policy == .latest else {
            guard let start = last[""] ?? proven else { return nil }
            return journal.first(after: start, where: interest.matches)
        }
        return journal.first(after: floor) { commit in
            guard interest.matches(commit), let start = last[commit.id] ?? proven else {
                return false
            }
            return commit.offset > start
        }
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
        if let last = last[policy == .latest ? id : ""], match.offset <= last {
            return "came already or out of order"
        }
        return "leaves a gap"
    }
}
