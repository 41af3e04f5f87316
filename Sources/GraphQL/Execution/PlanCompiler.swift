import Bytes
import JSON

/// Works out a plan of an operation: CollectFields (GraphQL 6.3.2) done once and ahead.
struct PlanCompiler {
    /// An operation that no plan is made for.
    enum Problem: Error {
        case tooDeep
        case tooLarge
        /// With the place of the first field that is too many.
        case tooManyRootFields(offset: Int)
    }

    /// Same type, same selection sets merged: same set.
    private struct SetKey: Hashable {
        var type: TypeID
        var first: Int
        var others: [Int]
    }

    /// The selections of one response name.
    private struct Group {
        var first: FieldSelection
        var others: [FieldSelection] = []

        /// All selection sets, to be merged.
        var selections: [[Selection]] {
            others.isEmpty ? [first.selections] : [first.selections] + others.map(\.selections)
        }
    }

    private let schema: Schema
    private let fragments: [Text: FragmentDefinition]
    private let limits: DocumentLimits
    /// The values of variables in conditions, told the variable's name and where it stands; nil to
    /// take in everything, whatever the conditions.
    private let condition: ((Text, Int) -> Bool)?
    /// Selections that may be looked at for each field that a plan may have.
    private static let visitsPerField = 4

    private var steps: [Step] = []
    private var sets: [StepSet] = []
    private var fields: [PlannedField] = []
    private var keys: [UInt8] = []
    private var known: [SetKey: Int] = [:]
    /// Selections looked at so far; bounded, since long fragments may be entered many times.
    private var visits = 0
    /// Names of one set and of the fragments entered for it; kept for their room.
    private var responseNames = NameNumbers()
    private var entered = NameNumbers()

    init(
        schema: Schema, fragments: [Text: FragmentDefinition], limits: DocumentLimits,
        condition: ((Text, Int) -> Bool)?
    ) {
        self.schema = schema
        self.fragments = fragments
        self.limits = limits
        self.condition = condition
    }

    /// Plans the operation's selections on its root type.
    mutating func compile(
        _ operation: OperationDefinition, root: TypeID
    ) throws(Problem) -> Plan {
        let set = try compile([operation.selections], on: root, depth: 1)
        if sets[set].stepCount > limits.rootFieldsMax {
            let first = fields[sets[set].firstStep + limits.rootFieldsMax]
            throw .tooManyRootFields(offset: first.offset)
        }
        return Plan(steps: steps, sets: sets, fields: fields, keys: keys, root: set)
    }

    // MARK: Sets

    private mutating func compile(
        _ selections: [[Selection]], on type: TypeID, depth: Int
    ) throws(Problem) -> Int {
        if depth > limits.depthMax { throw .tooDeep }
        let groups = collect(selections, on: type)
        if visits > limits.planFieldsMax * Self.visitsPerField { throw .tooLarge }
        var newSteps: [Step] = []
        var newFields: [PlannedField] = []
        newSteps.reserveCapacity(groups.count)
        newFields.reserveCapacity(groups.count)
        var links = 0
        var height = 0
        for group in groups {
            guard let id = schema.field(named: group.first.name.text, on: type) else { continue }
            var (step, field) = try plan(group, schema.fields[id], on: type, depth: depth)
            if step.source == .ask || step.link == 0 {
                step.link = Int32(links)
                links += 1
            }
            height = max(height, childHeight(step, field))
            newSteps.append(step)
            newFields.append(field)
        }
        let first = steps.count
        if first + newSteps.count > limits.planFieldsMax { throw .tooLarge }
        steps += newSteps
        fields += newFields
        sets.append(
            StepSet(
                type: type, firstStep: first, stepCount: newSteps.count, linkCount: links,
                height: height + 1))
        return sets.count - 1
    }

    private func childHeight(_ step: Step, _ field: PlannedField) -> Int {
        if step.childSet >= 0 { return sets[Int(step.childSet)].height }
        return field.children.values.reduce(0) { max($0, sets[$1].height) }
    }

    /// The merged child set, made only once for the same type and selections.
    private mutating func childSet(
        _ group: Group, on type: TypeID, depth: Int
    ) throws(Problem) -> Int {
        if fragments.isEmpty { return try compile(group.selections, on: type, depth: depth) }
        let key = SetKey(
            type: type, first: group.first.offset, others: group.others.map(\.offset))
        if let set = known[key] {
            if depth + sets[set].height - 1 > limits.depthMax { throw .tooDeep }
            return set
        }
        let set = try compile(group.selections, on: type, depth: depth)
        known[key] = set
        return set
    }

    // MARK: Fields

    private mutating func plan(
        _ group: Group, _ field: SchemaField, on type: TypeID, depth: Int
    ) throws(Problem) -> (Step, PlannedField) {
        let first = group.first
        let named = schema.types[field.type.named]
        var step = Step(
            keyStart: Int32(keys.count), keyEnd: 0, slot: 0, childSet: -1, link: -1,
            source: .member, leaf: leaf(of: named), isNonNull: field.type.isNonNull,
            isList: field.type.isList)
        var planned = PlannedField(
            responseName: first.responseName, field: field.id, type: field.type,
            arguments: arguments(first.arguments, of: field), page: nil, children: [:],
            offset: first.offset, otherOffsets: group.others.map(\.offset), selection: [],
            member: field.name)
        planned.page = field.page.map { PlannedPage($0, planned.arguments) }
        appendKey(first.responseName)
        setSource(of: &step, &planned, field, on: type)
        step.keyEnd = Int32(keys.count)
        if named.isComposite {
            try addChildren(to: &step, &planned, group, named, depth: depth)
        }
        return (step, planned)
    }

    /// Plans the children for each type that the value may have. Marks the step with link 0 if
    /// asks lie below.
    private mutating func addChildren(
        to step: inout Step, _ planned: inout PlannedField, _ group: Group,
        _ named: SchemaType, depth: Int
    ) throws(Problem) {
        var names: [Text] = []
        for type in named.possibleTypes {
            let set = try childSet(group, on: type, depth: depth + 1)
            if sets[set].linkCount > 0 { step.link = 0 }
            if named.kind == .object {
                step.childSet = Int32(set)
            } else {
                planned.children[type] = set
            }
            if step.source != .ask { continue }
            for step in sets[set].steps {
                let name = schema.fields[fields[step].field].name
                if !names.contains(name) { names.append(name) }
            }
        }
        planned.selection = names
    }

    private mutating func appendKey(_ name: Text) {
        keys.append(UInt8(ascii: ","))
        keys.append(UInt8(ascii: "\""))
        name.withBytes { keys.append(contentsOf: $0) }
        keys.append(UInt8(ascii: "\""))
        keys.append(UInt8(ascii: ":"))
    }

    private mutating func setSource(
        of step: inout Step, _ planned: inout PlannedField, _ field: SchemaField, on type: TypeID
    ) {
        if field.id == schema.meta.typename {
            step.source = .typename
            keys.append(UInt8(ascii: "\""))
            schema.types[type].name.withBytes { keys.append(contentsOf: $0) }
            keys.append(UInt8(ascii: "\""))
            return
        }
        if let meta = MetaField(field, in: schema) {
            step.source = .meta
            step.slot = Int32(meta.rawValue)
            return
        }
        switch field.source {
        case .slot(let slot):
            step.source = .slot
            step.slot = Int32(slot)
        case .member(let name): planned.member = name
        case .ask: step.source = .ask
        }
    }

    private func leaf(of type: SchemaType) -> Step.Leaf {
        switch type.kind {
        case .object, .interface, .union, .inputObject: return .none
        case .enumeration: return .enumeration
        case .scalar:
            switch BuiltIns.Scalar(rawValue: type.id) {
            case .int: return .int
            case .float: return .float
            case .string: return .string
            case .boolean: return .boolean
            case .id: return .id
            case nil: return type.coercion?.output == nil ? .raw : .custom
            }
        }
    }

    private func arguments(_ given: [Argument], of field: SchemaField) -> PlannedArguments {
        if field.arguments.isEmpty { return .constant(JSONObject()) }
        if given.contains(where: { $0.value.hasVariables }) { return .dynamic(given) }
        do throws(InputError) {
            // Validation has told what is wrong with literals; nothing of the schema is told here.
            let coercion = InputCoercion(types: schema.types, namesTypes: false)
            return .constant(
                try coercion.coerce(given, of: field.arguments, variables: { _ in nil }))
        } catch {
            return .invalid(error)
        }
    }

    // MARK: Collecting

    /// The fields of an object type by response name, in the order of first appearance. Works
    /// without recursion: chains of fragments may be long.
    private mutating func collect(
        _ sources: [[Selection]], on type: TypeID
    ) -> [Group] {
        var groups: [Group] = []
        responseNames.removeAll()
        entered.removeAll()
        var open: [(selections: [Selection], next: Int)] = []
        for source in sources {
            var selections = source
            var next = 0
            while true {
                if next == selections.count {
                    guard let outer = open.popLast() else { break }
                    (selections, next) = outer
                    continue
                }
                let selection = selections[next]
                next += 1
                visits += 1
                guard isIncluded(selection.directives) else { continue }
                switch selection {
                case .field(let field):
                    let place = responseNames.number(of: field.responseName)
                    if place == groups.count {
                        groups.append(Group(first: field))
                    } else {
                        groups[place].others.append(field)
                    }
                case .spread(let spread):
                    guard entered.insert(spread.name.text),
                        let fragment = fragments[spread.name.text],
                        applies(fragment.typeCondition, to: type)
                    else { continue }
                    open.append((selections, next))
                    (selections, next) = (fragment.selections, 0)
                case .inline(let fragment):
                    guard fragment.typeCondition.map({ applies($0, to: type) }) ?? true else {
                        continue
                    }
                    open.append((selections, next))
                    (selections, next) = (fragment.selections, 0)
                }
            }
        }
        return groups
    }

    private func applies(_ condition: Name, to type: TypeID) -> Bool {
        guard let id = schema.typeID(condition.text) else { return false }
        return schema.isPossible(type, for: id)
    }

    /// `@skip` wins over `@include` (GraphQL 3.13.1).
    private func isIncluded(_ directives: [Directive]) -> Bool {
        for directive in directives {
            let isSkip = directive.name.text == "skip"
            guard isSkip || directive.name.text == "include" else { continue }
            let value: Bool
            let argument = directive.argument("if")
            switch argument?.kind {
            case .boolean(let literal): value = literal
            case .variable(let name):
                value = condition.map { $0(name, argument?.offset ?? 0) } ?? !isSkip
            default: value = !isSkip
            }
            if value == isSkip { return false }
        }
        return true
    }
}
