import Bytes
import GraphQL
import Models
import Records
import Subprotocol

/// Running executions: asking the store round by round until the result is there.
extension Shard {
    /// The request's variables, as the operation takes them; with them its cost is known.
    func coerce(
        _ request: OperationRequest, for operation: PreparedOperation
    ) -> Result<Variables, OperationErrors> {
        let coerced = operation.coerce(variables: request.variables)
        noteLimit(of: coerced)
        return coerced
    }

    func noteLimit<T>(of result: Result<T, OperationErrors>) {
        guard case .failure(let errors) = result,
            let limit = errors.errors.lazy.compactMap(\.limit).first
        else { return }
        note(ReachedLimit(limit))
    }

    func start(_ running: Running) {
        running.startedAt = moment.nanoseconds
        proceed(running, running.execution.start())
    }

    /// The answers to a slice of one round have come.
    func resume(_ running: Running, _ slice: [StoreAnswer]) {
        if running.isOver {
            answeredTooLate(running)
            return
        }
        if running.isCancelled {
            finishCancelled(running)
            return
        }
        running.round.take(slice)
        let recordCount = running.recordCount + running.round.recordCount
        if running.fault == nil, recordCount > limits.recordsPerOperationMax {
            note(.recordsPerOperation)
            running.fault = Self.tooManyRecords(limits.recordsPerOperationMax)
        }
        if let fault = running.fault, !running.isWriting {
            giveUp(running, fault)
            return
        }
        if askNextSlice(of: running) { return }
        running.recordCount += running.round.recordCount
        let answers = running.round.answers
        running.round = Round([])
        resumeRound(running, answers)
    }

    /// Asks for what is left of the round. Returns false if nothing is.
    private func askNextSlice(of running: Running) -> Bool {
        let slice = running.round.next(recordsMax: limits.recordsPerAskMax)
        if slice.isEmpty { return false }
        ask(slice, for: .running(running))
        return true
    }

    private func resumeRound(_ running: Running, _ answers: [StoreAnswer]) {
        var values: [[Resolved]] = []
        var at = 0
        for pending in running.pending {
            switch pending {
            case .values(let known): values.append(known)
            case .reading(let reading, let count):
                values.append(schema.values(reading, Array(answers[at..<(at + count)])))
                at += count
            }
        }
        precondition(at == answers.count, "the store answered other requests than were asked")
        running.pending = []
        proceed(running, running.execution.resume(values))
    }

    func proceed(_ running: Running, _ first: Execution.Step) {
        var step = first
        while true {
            switch step {
            case .done(let result):
                finish(running, result)
                return
            case .pending(let batches):
                if let fault = running.fault {
                    step = running.execution.resume(
                        batches.map { Self.failures(fault, count: $0.asks.count) })
                    continue
                }
                // Root fields of a mutation come one after the other: what is bounded is how deep
                // each reaches, their number is the document's limit.
                let isRoot = batches.contains(where: \.isAtRoot)
                running.rounds = isRoot ? 1 : running.rounds + 1
                guard running.rounds <= limits.executionRoundsMax else {
                    note(.executionRounds)
                    let fault = Self.tooManyRounds(limits.executionRoundsMax)
                    running.fault = fault
                    if running.execution.kind == .mutation { continue }
                    finish(running, fault.response)
                    return
                }
                if plan(batches, for: running) { return }
                let values = running.pending.map { pending -> [Resolved] in
                    guard case .values(let known) = pending else {
                        preconditionFailure("a batch without requests has values")
                    }
                    return known
                }
                running.pending = []
                step = running.execution.resume(values)
            }
        }
    }

    /// Turns the batches into requests. Returns whether the store was asked.
    private func plan(_ batches: [FieldBatch], for running: Running) -> Bool {
        var context = RequestContext(nowMilliseconds: moment.wallMilliseconds, random: random)
        var requests: [StoreRequest] = []
        running.askCounts = batches.map(\.asks.count)
        for batch in batches {
            switch schema.plan(batch, context: &context) {
            case .values(let values): running.pending.append(.values(values))
            case .ask(let asked, let reading):
                requests += asked
                running.pending.append(.reading(reading, answers: asked.count))
            }
        }
        random = context.random
        if requests.isEmpty { return false }
        running.isWriting = requests.contains { request in
            if case .write = request { true } else { false }
        }
        running.round = Round(requests)
        return askNextSlice(of: running)
    }

    func finish(_ running: Running, _ result: ByteQueue) {
        if running.isCancelled {
            finishCancelled(running)
            return
        }
        running.isOver = true
        if let limit = running.execution.reachedLimit { note(ReachedLimit(limit)) }
        var result = result
        if let estimate = running.costToTell {
            result.append(
                costOf: running.execution.nodeCount,
                records: running.recordCount + running.round.recordCount, estimate: estimate,
                limits.document.costMax)
        }
        switch running.target {
        case .socket(let connection, let id): answer(connection, id: id, running, result)
        case .http(let connection, let format):
            let status = rules.statuses.status(running.outcome(result), format)
            answerHTTP(connection, status: status, format: format, result)
        case .group(let group, let change): finishEvent(group, change, result)
        }
    }

    private func finishCancelled(_ running: Running) {
        switch running.target {
        case .group(let group, _):
            group.running = nil
            proceedWithQueue(of: group)
        case .socket(let connection, _): connection.unansweredCount -= 1
        case .http: break
        }
    }

    private static func tooManyRecords(_ limit: Int) -> GraphQLError {
        GraphQLError(
            "the operation reads more than \(limit) records (records-per-operation-max): ask for "
                + "less nested lists at once or for smaller pages")
    }

    private static func tooManyRounds(_ limit: Int) -> GraphQLError {
        GraphQLError(
            "the operation needs more than \(limit) rounds of reading (execution-rounds-max): ask "
                + "for less nested relations at once")
    }
}

extension Running {
    /// What has become of it, with this response.
    fileprivate func outcome(_ response: ByteQueue) -> HTTPStatusProfile.Outcome {
        // Whatever was executed begins so; what was given up has errors alone.
        guard response.withBytes({ $0.starts(with: "{\"data\":".utf8) }) else { return .givenUp }
        return execution.hasErrors ? .partial : .complete
    }
}

extension FieldBatch {
    /// Whether this asks for a field of the operation's root.
    fileprivate var isAtRoot: Bool { asks.first.map { $0.parent == nil } ?? false }
}

extension GraphQLError {
    /// A response that consists of this error alone.
    var response: ByteQueue {
        var bytes = ByteQueue()
        bytes.append("{\"errors\":[")
        append(json: &bytes)
        bytes.append("]}")
        return bytes
    }
}
