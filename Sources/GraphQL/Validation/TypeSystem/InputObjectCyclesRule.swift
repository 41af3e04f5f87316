import Bytes

/// Input objects can be written (GraphQL 3.10, circular references): no chain of required
/// fields leads back to where it began, since no finite value would do.
enum InputObjectCyclesRule: TypeSystemRule {
    static func check(_ context: inout TypeSystemContext) {
        var isVisited = Array(repeating: false, count: context.schema.types.count)
        for type in context.ownTypes where type.kind == .inputObject && !isVisited[type.id] {
            search(from: type.id, &isVisited, &context)
        }
    }

    /// A step of the way: a type, the fields still to try, and the field last taken.
    private struct Step {
        var type: TypeID
        var rest: ArraySlice<InputValue>
        var taken: String = ""
    }

    /// Depth first with a stack of its own; each type is entered once.
    private static func search(
        from start: TypeID, _ isVisited: inout [Bool], _ context: inout TypeSystemContext
    ) {
        let types = context.schema.types
        var way = [Step(type: start, rest: types[start].inputFields[...])]
        isVisited[start] = true
        while var step = way.popLast() {
            guard let field = step.rest.popFirst() else { continue }
            step.taken = "\(types[step.type].name).\(field.name)"
            way.append(step)
            guard field.type.isNonNull, !field.type.isList else { continue }
            let next = field.type.named
            guard types[next].kind == .inputObject else { continue }
            if let place = way.firstIndex(where: { $0.type == next }) {
                report(types[next], way[place...].map(\.taken), &context)
            } else if !isVisited[next] {
                isVisited[next] = true
                way.append(Step(type: next, rest: types[next].inputFields[...]))
            }
        }
    }

    private static func report(
        _ type: SchemaType, _ fields: [String], _ context: inout TypeSystemContext
    ) {
        context.report(
            "Input Object \(type.name) cannot be provided a finite value because it references "
                + "itself through fields: \(fields.joined(separator: ", ")).",
            at: fields)
    }
}
