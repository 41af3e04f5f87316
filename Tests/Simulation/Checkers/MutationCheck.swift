import Bytes
import Records

/// Checks, when all is over, that what actors were told of their mutations is what the store has:
/// each that was answered with its record is in it, once; none that was refused is; and nothing is
/// in it that nobody asked for.
struct MutationCheck {
    private struct Write: Hashable {
        var kind: Change.Kind
        var model: Text
        var id: Text
        var token: Text
    }

    private var committed: [Write: Int] = [:]
    private var claimed: Set<Write> = []
    private var possible: Set<Write> = []
    private var deletions: Set<Text> = []

    /// What is wrong, or nil.
    ///
    /// - Parameter attempts: all mutations that were ever sent.
    static func fault(
        _ attempts: [Attempt], _ commits: some Sequence<Commit>
    ) -> String? {
        var check = MutationCheck()
        for commit in commits {
            let write = Write(
                kind: commit.kind, model: commit.model, id: commit.id, token: commit.token)
            check.committed[write, default: 0] += 1
            if check.committed[write] == 2 {
                return "\(write.kind) of \(write.id) (\(write.token)) was carried out twice"
            }
        }
        for attempt in attempts { if let fault = check.add(attempt) { return fault } }
        return check.unasked
    }

    private mutating func add(_ attempt: Attempt) -> String? {
        func write(_ token: Text) -> Write {
            Write(kind: attempt.kind, model: attempt.model, id: attempt.id, token: token)
        }
        if let token = attempt.token {
            possible.insert(write(token))
        } else if case .refused = attempt.outcome {
        } else {
            deletions.insert(attempt.id)
        }
        switch attempt.outcome {
        case .done(let token):
            guard committed[write(token)] != nil else {
                return "\(attempt.field) of \(attempt.id) (\(token)) was acknowledged and is lost"
            }
            guard claimed.insert(write(token)).inserted else {
                return "\(attempt.field) of \(attempt.id) (\(token)) was acknowledged twice"
            }
        case .refused:
            guard let token = attempt.token, committed[write(token)] != nil else { return nil }
            return "\(attempt.field) of \(attempt.id) (\(token)) was refused and carried out"
        case .unknown: break
        case .none: return "\(attempt.field) of \(attempt.id) never ended"
        }
        return nil
    }

    private var unasked: String? {
        let strange = committed.keys.filter {
            !possible.contains($0) && !($0.kind == .delete && deletions.contains($0.id))
        }
        guard let one = strange.min(by: { $0.token < $1.token }) else { return nil }
        return "\(one.kind) of \(one.id) (\(one.token)) was carried out and nobody asked for it"
    }
}
