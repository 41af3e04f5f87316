import Bytes
import JSON

/// Writes a response's data in one pass over values that are all known: CompleteValue
/// (GraphQL 6.4.3) straight into bytes.
///
/// A position that turns out to be null after part of it was written is cut back. Every
/// function returns whether its position stands; false hands the null on to the parent.
struct ResponseWriter {
    let operation: PreparedOperation
    let variables: Variables
    let plan: Plan
    var output: ByteQueue
    private(set) var errors: [GraphQLError] = []
    /// Errors whose places in the document are looked up at the end, with their offsets.
    private var unplaced: [(index: Int, offsets: [Int])] = []

    /// The answers of data sources, if there were any.
    var answers = Answers()
    /// The next node in `answers.nodes` of the value that is written.
    private var cursor = 0

    /// The way to the current position: steps as they are, list places as `-1 - place`.
    private var path: [Int] = []
    /// An event's root field, which begins every path; so flat events need no list for the way.
    private var eventStep: Int?
    private(set) var nodesLeft: Int
    private let bytesMax: Int
    private(set) var isOverLimit = false

    var schema: Schema { operation.schema }

    init(_ operation: PreparedOperation, _ variables: Variables, output: ByteQueue) {
        self.operation = operation
        self.variables = variables
        self.output = output
        plan = variables.plan
        nodesLeft = operation.limits.resultNodesMax
        bytesMax = output.count + operation.limits.responseBytesMax
    }

    // MARK: Objects

    /// Writes the root object's fields that are known, braces included.
    mutating func writeRoot() -> Bool {
        writeObject(plan.root, .null)
    }

    /// Writes one root field with its key, the comma before it if it is not the first.
    mutating func writeRootField(_ step: Int, isFirst: Bool, link: Int) -> Bool {
        appendKey(plan.steps[step], isFirst: isFirst)
        return writeStep(plan.steps[step], step, .null, link: link)
    }

    /// Writes the root field of an event, whose value is the first of the answers.
    mutating func writeGivenField(_ step: Int) -> Bool {
        let cell = answers.cells[0]
        cursor = cell.firstNode
        return writeEventField(step, cell.value)
    }

    /// Writes the root field of an event, whose value is given.
    mutating func writeEventField(_ step: Int, _ value: Resolved) -> Bool {
        appendKey(plan.steps[step], isFirst: true)
        eventStep = step
        return complete(value, plan.fields[step].type, plan.steps[step], step)
    }

    private mutating func writeObject(_ set: Int, _ parent: Resolved) -> Bool {
        let shape = plan.sets[set]
        nodesLeft -= shape.steps.count
        if nodesLeft < 0 || output.count > bytesMax { return stop() }
        output.append(UInt8(ascii: "{"))
        guard writeFields(shape, parent) else { return false }
        output.append(UInt8(ascii: "}"))
        return true
    }

    private mutating func writeFields(_ shape: StepSet, _ parent: Resolved) -> Bool {
        if shape.linkCount > 0 { return writeLinkedFields(shape, parent) }
        if case .record(_, let slots) = parent { return writeRecord(shape, slots, parent) }
        for index in shape.steps {
            let step = plan.steps[index]
            appendKey(step, isFirst: index == shape.firstStep)
            if step.source == .typename { continue }
            if !writeStep(step, index, parent, link: -1) { return false }
        }
        return true
    }

    /// The common case, and the fastest: a stored record with nothing to ask.
    private mutating func writeRecord(
        _ shape: StepSet, _ slots: [JSONValue], _ parent: Resolved
    ) -> Bool {
        for index in shape.steps {
            let step = plan.steps[index]
            appendKey(step, isFirst: index == shape.firstStep)
            if step.source == .typename { continue }
            let slot = Int(step.slot)
            let isLeaf = step.source == .slot && step.leaf != .none && !step.isList
            let stands =
                isLeaf && slot < slots.count
                ? writeLeaf(slots[slot], step, index) : writeStep(step, index, parent, link: -1)
            if !stands { return false }
        }
        return true
    }

    /// Writes the fields of an object with asks on it or below, whose node is next.
    private mutating func writeLinkedFields(_ shape: StepSet, _ parent: Resolved) -> Bool {
        let node = answers.nodes[cursor]
        defer { cursor = node.end }
        for index in shape.steps {
            let step = plan.steps[index]
            appendKey(step, isFirst: index == shape.firstStep)
            if step.source == .typename { continue }
            let link = step.link >= 0 ? answers.links[node.links + Int(step.link)] : -1
            if !writeStep(step, index, parent, link: link) { return false }
        }
        return true
    }

    private mutating func writeStep(
        _ step: Step, _ index: Int, _ parent: Resolved, link: Int
    ) -> Bool {
        path.append(index)
        defer { path.removeLast() }
        return writeField(step, index, parent, link: link)
    }

    @inline(__always)
    private mutating func appendKey(_ step: Step, isFirst: Bool) {
        let start = Int(step.keyStart) + (isFirst ? 1 : 0)
        output.append(
            UnsafeRawBufferPointer(
                UnsafeBufferPointer(rebasing: plan.keys[start..<Int(step.keyEnd)])))
    }

    private mutating func writeField(
        _ step: Step, _ index: Int, _ parent: Resolved, link: Int
    ) -> Bool {
        switch step.source {
        case .ask:
            let cell = answers.cells[link]
            cursor = cell.firstNode
            return complete(cell.value, plan.fields[index].type, step, index)
        case .meta: return writeMeta(step, index, .schema)
        case .slot, .member: break
        case .typename: return true
        }
        if link >= 0 { cursor = link }
        switch parent {
        case .record(_, let slots) where step.source == .slot:
            let slot = Int(step.slot)
            let value = slot < slots.count ? slots[slot] : .null
            return complete(value, plan.fields[index].type, step, index)
        case .object(_, let slots) where step.source == .slot:
            let slot = Int(step.slot)
            let value = slot < slots.count ? slots[slot] : .null
            return complete(value, plan.fields[index].type, step, index)
        case .value(.object(let object)) where step.source == .member:
            let value = object[plan.fields[index].member] ?? .null
            return complete(value, plan.fields[index].type, step, index)
        default: return complete(JSONValue.null, plan.fields[index].type, step, index)
        }
    }

    // MARK: Values

    /// Writes null where it may stand; otherwise an error.
    private mutating func writeNull(_ isNonNull: Bool, _ index: Int) -> Bool {
        if isNonNull {
            if !operation.namesTypes { return fail("Cannot return null for non-nullable field.") }
            let field = schema.fields[plan.fields[index].field]
            let parent = schema.types[field.parent].name
            return fail("Cannot return null for non-nullable field \(parent).\(field.name).")
        }
        output.append("null")
        return true
    }

    /// Turns a failure into null where it may stand.
    private mutating func recover(_ isNonNull: Bool, _ mark: Int) -> Bool {
        if isNonNull || isOverLimit { return false }
        output.truncate(to: mark)
        output.append("null")
        return true
    }

    /// Writes a leaf whose step is not on the path.
    private mutating func writeLeaf(_ value: JSONValue, _ step: Step, _ index: Int) -> Bool {
        let mark = output.count
        if value.isNull, !step.isNonNull {
            output.append("null")
            return true
        }
        if !value.isNull, appendLeaf(value, step.leaf, plan.fields[index].type.named) == nil {
            return true
        }
        // The second time is for the error alone: on the path, so that it says where.
        output.truncate(to: mark)
        path.append(index)
        defer { path.removeLast() }
        return complete(value, plan.fields[index].type, step, index)
    }

    private mutating func complete(
        _ value: Resolved, _ type: TypeUse, _ step: Step, _ index: Int
    ) -> Bool {
        switch value {
        case .null: return writeNull(type.isNonNull, index)
        case .value(let json): return complete(json, type, step, index)
        case .failure(let error):
            record(error)
            return recover(type.isNonNull, output.count)
        case .list(let items):
            let mark = output.count
            guard let item = type.item else {
                _ = fail("a list was given where none is expected")
                return recover(type.isNonNull, mark)
            }
            if writeList(items, item, step, index) { return true }
            return recover(type.isNonNull, mark)
        case .record(let id, _), .object(let id, _):
            let mark = output.count
            if let set = childSet(of: id, type, step, index) {
                if writeObject(set, value) { return true }
            } else {
                _ = fail("an object of another type than the field's was given")
            }
            return recover(type.isNonNull, mark)
        }
    }

    private mutating func writeList(
        _ items: [Resolved], _ type: TypeUse, _ step: Step, _ index: Int
    ) -> Bool {
        nodesLeft -= items.count
        if nodesLeft < 0 { return stop() }
        output.append(UInt8(ascii: "["))
        for place in items.indices {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            path.append(-1 - place)
            let stands = complete(items[place], type, step, index)
            path.removeLast()
            if !stands {
                for left in items[(place + 1)...] { pass(left, type, step, index) }
                return false
            }
        }
        output.append(UInt8(ascii: "]"))
        return true
    }

    private mutating func complete(
        _ value: JSONValue, _ type: TypeUse, _ step: Step, _ index: Int
    ) -> Bool {
        if case .null = value { return writeNull(type.isNonNull, index) }
        let mark = output.count
        if let item = type.item {
            guard case .array(let items) = value else {
                _ = fail("expected a list, found \(value.kindName)")
                return recover(type.isNonNull, mark)
            }
            return writeList(items, item, step, index) || recover(type.isNonNull, mark)
        }
        if step.leaf != .none {
            guard let problem = appendLeaf(value, step.leaf, type.named) else { return true }
            _ = fail(
                operation.namesTypes
                    ? problem : "expected a value of another type, found \(value.kindName)")
            return recover(type.isNonNull, mark)
        }
        guard case .object = value, let set = embeddedSet(of: value, type, step, index) else {
            _ = fail("expected an object of one of the field's types, found \(value.kindName)")
            return recover(type.isNonNull, mark)
        }
        return writeObject(set, .value(value)) || recover(type.isNonNull, mark)
    }

    private mutating func writeList(
        _ items: [JSONValue], _ type: TypeUse, _ step: Step, _ index: Int
    ) -> Bool {
        nodesLeft -= items.count
        if nodesLeft < 0 { return stop() }
        output.append(UInt8(ascii: "["))
        for place in items.indices {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            path.append(-1 - place)
            let stands = complete(items[place], type, step, index)
            path.removeLast()
            if !stands {
                for left in items[(place + 1)...] { pass(.value(left), type, step, index) }
                return false
            }
        }
        output.append(UInt8(ascii: "]"))
        return true
    }

    /// Goes past the nodes of a value that is not written: a list within a list may go on behind
    /// one that has become null. The same way as the gatherer's.
    private mutating func pass(_ value: Resolved, _ type: TypeUse, _ step: Step, _ index: Int) {
        var set: Int?
        switch value {
        case .null, .failure: return
        case .list(let items):
            guard let item = type.item else { return }
            for one in items { pass(one, item, step, index) }
        case .value(.array(let items)):
            guard let item = type.item else { return }
            for one in items { pass(.value(one), item, step, index) }
        case .record(let id, _), .object(let id, _): set = childSet(of: id, type, step, index)
        case .value(let json):
            guard case .object = json else { return }
            set = embeddedSet(of: json, type, step, index)
        }
        guard let set, plan.sets[set].linkCount > 0 else { return }
        cursor = answers.nodes[cursor].end
    }

    private func childSet(of id: TypeID, _ type: TypeUse, _ step: Step, _ index: Int) -> Int? {
        plan.childSet(of: id, type, step, index)
    }

    private func embeddedSet(
        of value: JSONValue, _ type: TypeUse, _ step: Step, _ index: Int
    ) -> Int? {
        plan.embeddedSet(of: value, type, step, index, schema)
    }

    // MARK: Introspection

    private mutating func writeMeta(_ step: Step, _ index: Int, _ parent: MetaObject) -> Bool {
        guard let field = MetaField(rawValue: Int(step.slot)) else {
            preconditionFailure("a plan names an introspection field that does not exist")
        }
        let planned = plan.fields[index]
        let arguments: JSONObject
        do throws(InputError) {
            arguments = try operation.arguments(of: planned, variables)
        } catch {
            let mark = output.count
            return fail(error.message) || recover(step.isNonNull, mark)
        }
        switch MetaReader(schema: schema).value(field, of: parent, arguments) {
        case .leaf(let value): return complete(value, planned.type, step, index)
        case .object(let object): return writeMetaObject(Int(step.childSet), object)
        case .list(let objects):
            output.append(UInt8(ascii: "["))
            for (place, object) in objects.enumerated() {
                if place > 0 { output.append(UInt8(ascii: ",")) }
                if !writeMetaObject(Int(step.childSet), object) { return false }
            }
            output.append(UInt8(ascii: "]"))
            return true
        }
    }

    private mutating func writeMetaObject(_ set: Int, _ object: MetaObject) -> Bool {
        let steps = plan.sets[set].steps
        nodesLeft -= steps.count
        if nodesLeft < 0 || output.count > bytesMax { return stop() }
        output.append(UInt8(ascii: "{"))
        for index in steps {
            let step = plan.steps[index]
            appendKey(step, isFirst: index == steps.lowerBound)
            if step.source == .typename { continue }
            if !writeMeta(step, index, object) { return false }
        }
        output.append(UInt8(ascii: "}"))
        return true
    }

    // MARK: Errors

    /// Ends the response: the document asks for more than is given out.
    private mutating func stop() -> Bool {
        if !isOverLimit {
            isOverLimit = true
            let limits = operation.limits
            let wayOut: StaticString = "select less or ask for pages"
            errors.append(
                nodesLeft < 0
                    ? GraphQLError(
                        "the response is over the limit of \(limits.resultNodesMax) values"
                    ).reaching(.resultNodes, wayOut: wayOut)
                    : GraphQLError(
                        "the response is over the limit of \(limits.responseBytesMax) bytes"
                    ).reaching(.responseBytes, wayOut: wayOut))
        }
        return false
    }

    /// Records an error of the current position. Always false.
    mutating func fail(_ message: String) -> Bool {
        record(GraphQLError(message))
        return false
    }

    private mutating func record(_ error: GraphQLError) {
        if isOverLimit || errors.count >= operation.limits.errorsMax { return }
        let way = eventStep.map { [$0] + path } ?? path
        var error = error
        if error.path.isEmpty {
            error.path = way.map {
                $0 >= 0 ? .name(plan.fields[$0].responseName) : .index(-1 - $0)
            }
        }
        if error.locations.isEmpty, let step = way.last(where: { $0 >= 0 }) {
            let field = plan.fields[step]
            unplaced.append((errors.count, [field.offset] + field.otherOffsets.prefix(7)))
        }
        errors.append(error)
    }

    /// Puts lines and columns in the errors. The document is read once for all of them.
    mutating func placeErrors() {
        if unplaced.isEmpty { return }
        let places = LineMap(of: operation.document.source, at: unplaced.flatMap(\.offsets))
        for (index, offsets) in unplaced where index < errors.count {
            errors[index].locations = offsets.compactMap { places[$0] }
        }
        unplaced = []
    }
}

extension Plan {
    /// The set of an object of type `id` where a value of `type` is expected; nil if it is of
    /// none of the possible types.
    func childSet(of id: TypeID, _ type: TypeUse, _ step: Step, _ index: Int) -> Int? {
        if type.isList { return nil }
        if step.childSet >= 0 {
            return sets[Int(step.childSet)].type == id ? Int(step.childSet) : nil
        }
        return step.leaf == .none ? fields[index].children[id] : nil
    }

    /// The set of an embedded object, which names its type itself if several are possible.
    func embeddedSet(
        of value: JSONValue, _ type: TypeUse, _ step: Step, _ index: Int, _ schema: Schema
    ) -> Int? {
        if type.isList { return nil }
        if step.childSet >= 0 { return Int(step.childSet) }
        guard let name = value["__typename"]?.text, let id = schema.typeID(name) else {
            return nil
        }
        return fields[index].children[id]
    }
}
