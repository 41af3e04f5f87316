import Bytes
import JSON

/// Finds the positions that wait for data sources, level by level, and keeps their answers.
///
/// The asks of one step at one level become one batch, whatever the number of objects: reading
/// a list's relations is one ask of the source, not one for each item.
struct AskGatherer {
    /// A batch that is out, and the cells that its values go to.
    struct Batch {
        var step: Int
        var cells: [Int]
        var asks: [Ask]
        var arguments: JSONObject
    }

    private let operation: PreparedOperation
    private let variables: Variables
    private let plan: Plan
    var answers = Answers()

    /// The batches of the coming level, in document order.
    private var batches: [Batch] = []
    /// Which batch a step has at this level, or why its arguments fail.
    private var batchOfStep: [Int: Result<Int, GraphQLError>] = [:]
    /// Cells of the level whose value is known without asking.
    private var cellsLeft: Int

    init(_ operation: PreparedOperation, _ variables: Variables) {
        self.operation = operation
        self.variables = variables
        plan = variables.plan
        cellsLeft = operation.limits.resultNodesMax
    }

    /// Whether the asks are more than a response may have values.
    var isOverLimit: Bool { cellsLeft < 0 }

    /// Takes the batches of the level that has been gathered; the next level starts empty.
    mutating func takeBatches() -> [Batch] {
        defer {
            batches.removeAll()
            batchOfStep.removeAll()
        }
        return batches
    }

    /// Gathers a root object: all fields of the root set.
    mutating func addRoot() { addObject(plan.root, nil) }

    /// Gathers one root field alone. Returns its link, or -1 if it needs none.
    mutating func addRootField(_ step: Int) -> Int {
        plan.steps[step].source == .ask ? addCell(step, nil) : -1
    }

    /// Takes a value that was not asked for, as the root field of an event.
    mutating func addGiven(_ value: Resolved, _ step: Int) {
        answers.cells.append(Answers.Cell(value: .null, firstNode: 0))
        fill(answers.cells.count - 1, value, step)
    }

    /// Takes a cell's answer and gathers the asks within it.
    mutating func fill(_ cell: Int, _ value: Resolved, _ step: Int) {
        answers.cells[cell] = Answers.Cell(value: value, firstNode: answers.nodes.count)
        scan(value, plan.fields[step].type, step)
    }

    // MARK: Walking

    private mutating func addObject(_ set: Int, _ parent: Resolved?) {
        let shape = plan.sets[set]
        if shape.linkCount == 0 || isOverLimit { return }
        let node = answers.nodes.count
        let links = answers.links.count
        answers.nodes.append(Answers.Node(links: links, end: 0))
        answers.links.append(contentsOf: repeatElement(-1, count: shape.linkCount))
        for index in shape.steps {
            let step = plan.steps[index]
            guard step.link >= 0 else { continue }
            let place = links + Int(step.link)
            if step.source == .ask {
                answers.links[place] = addCell(index, parent)
            } else {
                answers.links[place] = answers.nodes.count
                scan(value(of: step, index, parent), plan.fields[index].type, index)
            }
        }
        answers.nodes[node].end = answers.nodes.count
    }

    private func value(of step: Step, _ index: Int, _ parent: Resolved?) -> Resolved {
        let slot = Int(step.slot)
        switch parent {
        case .record(_, let slots) where step.source == .slot && slot < slots.count:
            return .value(slots[slot])
        case .object(_, let slots) where step.source == .slot && slot < slots.count:
            return slots[slot]
        case .value(.object(let object)) where step.source == .member:
            return object[plan.fields[index].member].map { .value($0) } ?? .null
        default: return .null
        }
    }

    /// Gathers within a value, in the order in which the writer will come by.
    private mutating func scan(_ value: Resolved, _ type: TypeUse, _ index: Int) {
        let step = plan.steps[index]
        switch value {
        case .null, .failure: break
        case .list(let items):
            guard let item = type.item else { return }
            for value in items { scan(value, item, index) }
        case .record(let id, _), .object(let id, _):
            if let set = plan.childSet(of: id, type, step, index) { addObject(set, value) }
        case .value(.array(let items)):
            guard let item = type.item else { return }
            for value in items { scan(.value(value), item, index) }
        case .value(let json):
            guard case .object = json,
                let set = plan.embeddedSet(of: json, type, step, index, operation.schema)
            else { return }
            addObject(set, value)
        }
    }

    // MARK: Asking

    private mutating func addCell(_ step: Int, _ parent: Resolved?) -> Int {
        cellsLeft -= 1
        let cell = answers.cells.count
        answers.cells.append(Answers.Cell(value: .null, firstNode: 0))
        let known = batchOfStep[step] ?? openBatch(step)
        switch known {
        case .success(let batch):
            batches[batch].cells.append(cell)
            batches[batch].asks.append(
                Ask(parent: parent, arguments: batches[batch].arguments))
        case .failure(let error): answers.cells[cell].value = .failure(error)
        }
        return cell
    }

    /// Begins a step's batch; its arguments are the same for all its asks.
    private mutating func openBatch(_ step: Int) -> Result<Int, GraphQLError> {
        let result: Result<Int, GraphQLError>
        do throws(InputError) {
            let arguments = try operation.arguments(of: plan.fields[step], variables)
            batches.append(Batch(step: step, cells: [], asks: [], arguments: arguments))
            result = .success(batches.count - 1)
        } catch {
            let locations = error.offset.map { [operation.document.location(at: $0)] } ?? []
            result = .failure(GraphQLError(error.message, locations: locations))
        }
        batchOfStep[step] = result
        return result
    }
}
