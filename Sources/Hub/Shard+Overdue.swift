import Bytes
import GraphQL

/// Executions that a limit ends before they are done.
///
/// A query, or an event of a subscription, is answered by the error alone. A mutation is asked to
/// end without the store: what it has changed stands in its data, and what it had not come to is
/// null, with the error at its place.
extension Shard {
    /// Ends what has been executed for too long; what the store says of it later is dropped.
    func endOverdue() {
        let longest = limits.executionSecondsMax * 1_000_000_000
        var overdue: [(ticket: UInt64, running: Running)] = []
        for (ticket, owner) in tickets {
            guard case .running(let running) = owner, running.fault == nil,
                !running.isCancelled, !running.isOver,
                moment.nanoseconds - running.startedAt >= longest
            else { continue }
            overdue.append((ticket, running))
        }
        // In an order of its own, so that equal histories go on equally.
        for (_, running) in overdue.sorted(by: { $0.ticket < $1.ticket }) where !running.isOver {
            note(.executionSeconds)
            let fault = Self.tookTooLong(
                limits.executionSecondsMax, isMutation: running.execution.kind == .mutation)
            running.fault = fault
            // Whether a write was committed only the store can tell: its answer is waited for.
            if !running.isWriting { endEarly(running, fault) }
        }
    }

    /// Ends an execution whose question to the store is open.
    private func endEarly(_ running: Running, _ fault: GraphQLError) {
        if case .socket(let connection, _) = running.target { connection.unansweredCount += 1 }
        giveUp(running, fault)
    }

    /// The store has answered what was given up. Until then it counted for its connection.
    func answeredTooLate(_ running: Running) {
        if case .socket(let connection, _) = running.target { connection.unansweredCount -= 1 }
    }

    /// Ends an execution without the answers that it waits for.
    func giveUp(_ running: Running, _ fault: GraphQLError) {
        guard running.execution.kind == .mutation else {
            finish(running, fault.response)
            return
        }
        let values = zip(running.pending, running.askCounts).map { pending, count in
            if case .values(let known) = pending {
                known
            } else {
                Self.failures(fault, count: count)
            }
        }
        running.pending = []
        proceed(running, running.execution.resume(values))
    }

    /// A value for each ask of a batch that is not answered any more.
    static func failures(_ fault: GraphQLError, count: Int) -> [Resolved] {
        Array(repeating: .failure(fault), count: count)
    }

    private static func tookTooLong(_ seconds: Int64, isMutation: Bool) -> GraphQLError {
        GraphQLError(
            isMutation
                ? "the mutation took longer than \(seconds) s (execution-seconds-max): what it has "
                    + "changed stands, the rest was not done; send that again"
                : "the operation took longer than \(seconds) s (execution-seconds-max): ask for "
                    + "smaller pages or less nested lists")
    }
}

extension ByteQueue {
    /// Puts what an operation costs behind the other members of its response.
    mutating func append(
        costOf nodes: Int, records: Int, estimate: Int, _ limit: Int
    ) {
        truncate(to: count - 1)
        append(#","extensions":{"heliograph":{"cost":{"estimate":"#)
        append(decimal: estimate)
        append(#","max":"#)
        append(decimal: limit)
        append(#","nodes":"#)
        append(decimal: nodes)
        append(#","records":"#)
        append(decimal: records)
        append("}}}}")
    }
}
