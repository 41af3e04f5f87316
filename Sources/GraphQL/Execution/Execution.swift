public import Bytes
import JSON

/// One run of an operation, resumable: it asks for data and is told the answers. It never
/// waits, and knows no clock and no store.
///
///     var execution = Execution(operation, variables: variables)
///     var step = execution.start()
///     while case .pending(let batches) = step {
///         step = execution.resume(batches.map(answer))
///     }
///
/// Queries ask level by level, all siblings at once. Mutations finish one root field with all
/// that lies below it before they begin the next (GraphQL 6.2.2). Events of subscriptions have
/// their root field's value from the start.
public struct Execution {
    /// What comes next.
    public enum Step {
        /// These batches are to be answered by `resume`.
        case pending([FieldBatch])
        /// The response: `{"data":…}` or `{"data":…,"errors":[…]}`.
        case done(ByteQueue)
    }

    /// The limit at which the response was ended, if it was.
    public private(set) var reachedLimit: DocumentLimit?

    /// Whether the response, once it is done, has errors.
    public var hasErrors: Bool { reachedLimit != nil || !writer.errors.isEmpty }

    /// What kind of operation runs.
    public var kind: OperationKind { operation.kind }
    /// Fields and list items that were written.
    public var nodeCount: Int { operation.limits.resultNodesMax - writer.nodesLeft }
    private let operation: PreparedOperation
    private let plan: Plan
    private var writer: ResponseWriter
    private var gatherer: AskGatherer
    private var event: Resolved?
    private var waiting: [AskGatherer.Batch] = []

    /// Mutations: the root step that runs or is next, and its link while it runs.
    private var rootStep = 0
    private var openLink: Int?

    /// A query or mutation.
    ///
    /// - Precondition: the variables were coerced by this operation.
    public init(_ operation: PreparedOperation, variables: Variables) {
        precondition(operation.kind != .subscription, "a subscription runs once for each event")
        self.init(operation, variables, event: nil)
    }

    /// One event of a subscription; `value` is the value of its root field.
    ///
    /// - Precondition: the variables were coerced by this operation.
    public init(
        event operation: PreparedOperation, variables: Variables, value: Resolved
    ) {
        precondition(operation.kind == .subscription, "only subscriptions have events")
        self.init(operation, variables, event: value)
    }

    private init(_ operation: PreparedOperation, _ variables: Variables, event: Resolved?) {
        self.operation = operation
        self.event = event
        plan = variables.plan
        writer = ResponseWriter(operation, variables, output: ByteQueue())
        gatherer = AskGatherer(operation, variables)
        rootStep = plan.sets[plan.root].steps.lowerBound
    }

    /// Appends the response to an event in one go, without an execution of its own, if nothing
    /// below its root field asks a data source. Returns false, and appends nothing, if so.
    ///
    /// The fast path of fan-out: nothing is built, each byte is written once.
    public static func append(
        event operation: PreparedOperation, variables: Variables, value: Resolved,
        to output: inout ByteQueue
    ) -> Bool {
        let plan = variables.plan
        let steps = plan.sets[plan.root].steps
        guard operation.kind == .subscription, steps.count == 1,
            !plan.hasAsksBelow(steps.lowerBound)
        else { return false }
        var writer = ResponseWriter(operation, variables, output: ByteQueue())
        swap(&writer.output, &output)
        writer.writeEvent(value, steps.lowerBound)
        swap(&writer.output, &output)
        return true
    }

    // MARK: Running

    /// Begins. Call once.
    public mutating func start() -> Step {
        writer.output.reserve(512)
        switch operation.kind {
        case .query:
            gatherer.addRoot()
            return proceed()
        case .mutation:
            writer.output.append("{\"data\":{")
            return runRootFields()
        case .subscription: return startEvent()
        }
    }

    private mutating func startEvent() -> Step {
        let steps = plan.sets[plan.root].steps
        guard steps.count == 1, let value = event else {
            writer.output.append("{\"data\":{}}")
            return .done(writer.output)
        }
        event = nil
        if !plan.hasAsksBelow(steps.lowerBound) {
            writer.writeEvent(value, steps.lowerBound)
            return .done(writer.output)
        }
        gatherer.addGiven(value, steps.lowerBound)
        return proceed()
    }

    /// Takes the answers: one array for each batch, in it one value for each ask, in order.
    public mutating func resume(_ values: [[Resolved]]) -> Step {
        precondition(values.count == waiting.count, "each pending batch needs its answers")
        let batches = waiting
        waiting = []
        for (batch, values) in zip(batches, values) {
            precondition(batch.cells.count == values.count, "each ask needs its answer")
            for (cell, value) in zip(batch.cells, values) {
                gatherer.fill(cell, value, batch.step)
            }
        }
        return proceed()
    }

    /// Hands out the gathered level, or writes what is complete.
    private mutating func proceed() -> Step {
        if operation.kind == .mutation { return runRootFields() }
        if let step = handOut() { return step }
        swap(&writer.answers, &gatherer.answers)
        if operation.kind == .query {
            writer.output.append("{\"data\":")
            finish(writer.writeRoot())
        } else {
            writer.output.append("{\"data\":{")
            let step = plan.sets[plan.root].steps.lowerBound
            finish(writer.writeGivenField(step), closing: true)
        }
        return .done(writer.output)
    }

    /// The next level's batches, or nil if nothing is left to ask.
    private mutating func handOut() -> Step? {
        if gatherer.isOverLimit { return refuse() }
        waiting = gatherer.takeBatches()
        if waiting.isEmpty { return nil }
        let fields = plan.fields
        return .pending(
            waiting.map { batch in
                let field = fields[batch.step]
                return FieldBatch(
                    field: field.field, asks: batch.asks, selection: field.selection)
            })
    }

    /// Mutations: finishes root field after root field. A null that reaches the root ends the
    /// mutation: the fields behind it do not run.
    private mutating func runRootFields() -> Step {
        let steps = plan.sets[plan.root].steps
        while true {
            if let step = handOut() { return step }
            if let link = openLink {
                swap(&writer.answers, &gatherer.answers)
                let stands = writer.writeRootField(
                    rootStep, isFirst: rootStep == steps.lowerBound, link: link)
                swap(&writer.answers, &gatherer.answers)
                openLink = nil
                rootStep += 1
                if !stands {
                    finish(false)
                    return .done(writer.output)
                }
            }
            if rootStep == steps.upperBound { break }
            openLink = gatherer.addRootField(rootStep)
        }
        finish(true, closing: true)
        return .done(writer.output)
    }

    // MARK: Ending

    private mutating func finish(_ stands: Bool, closing: Bool = false) {
        writer.finish(stands, start: ResponseWriter.headCount, closing: closing)
        if writer.isOverLimit {
            reachedLimit = writer.nodesLeft < 0 ? .resultNodes : .responseBytes
        }
    }

    private mutating func refuse() -> Step {
        reachedLimit = .resultNodes
        let error = GraphQLError(
            "the response asks for more than \(operation.limits.resultNodesMax) values"
        ).reaching(.resultNodes, wayOut: "select less or ask for pages")
        var output = ByteQueue()
        output.append("{\"data\":null,\"errors\":")
        output.append(json: [error])
        output.append("}")
        return .done(output)
    }
}

extension Plan {
    /// Whether the value of a root field has asks within it.
    func hasAsksBelow(_ step: Int) -> Bool {
        let child = Int(steps[step].childSet)
        if child >= 0 { return sets[child].linkCount > 0 }
        return fields[step].children.values.contains { sets[$0].linkCount > 0 }
    }
}

extension ResponseWriter {
    /// Bytes before the data: `{"data":`.
    static let headCount = 8

    /// Writes a whole response to an event.
    mutating func writeEvent(_ value: Resolved, _ step: Int) {
        let start = output.count
        output.append("{\"data\":{")
        finish(writeEventField(step, value), start: start + Self.headCount, closing: true)
    }

    /// Ends the response: closes the data, or cuts it back to null, and appends the errors.
    mutating func finish(_ stands: Bool, start: Int, closing: Bool) {
        if !stands {
            output.truncate(to: start)
            output.append("null")
        } else if closing {
            output.append(UInt8(ascii: "}"))
        }
        if !errors.isEmpty {
            placeErrors()
            output.append(",\"errors\":")
            output.append(json: errors)
        }
        output.append(UInt8(ascii: "}"))
    }
}
